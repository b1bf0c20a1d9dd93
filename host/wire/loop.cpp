// SPDX-License-Identifier: Apache-2.0
#include "wire/loop.hpp"

#include <fcntl.h>
#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// Descriptors told by one epoll_wait; the rest are told by the next.
constexpr int kEventsAtOnce = 128;

}  // namespace

bool set_non_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

struct Loop::Impl {
  UniqueFd epoll{::epoll_create1(EPOLL_CLOEXEC)};
  std::vector<std::byte> buffer = std::vector<std::byte>(kBufferBytes);
  std::vector<std::coroutine_handle<>> ready;
  std::vector<std::coroutine_handle<>> running;
  Deadline* first = nullptr;
  std::int64_t next_sweep_ms = 0;
  bool is_stopped = false;

  void link(Deadline& deadline, std::int64_t now) noexcept {
    if (first == nullptr) next_sweep_ms = now + kSweepMs;
    deadline.previous_ = nullptr;
    deadline.next_ = first;
    if (first != nullptr) first->previous_ = &deadline;
    first = &deadline;
  }

  void unlink(Deadline& deadline) noexcept {
    if (deadline.previous_ != nullptr) deadline.previous_->next_ = deadline.next_;
    if (deadline.next_ != nullptr) deadline.next_->previous_ = deadline.previous_;
    if (first == &deadline) first = deadline.next_;
    deadline.previous_ = deadline.next_ = nullptr;
  }

  /// One look at all deadlines a second costs less than a timer for each, which every byte would set anew.
  void sweep() noexcept {
    if (first == nullptr) return;
    const std::int64_t now = now_ms();
    if (now < next_sweep_ms) return;
    next_sweep_ms = now + kSweepMs;
    // cancel() only posts: no coroutine runs here, so the list stays as it is but for the one taken out.
    for (Deadline* each = first; each != nullptr;) {
      Deadline& deadline = *std::exchange(each, each->next_);
      if (deadline.at_ms_ > now) continue;
      deadline.clear();
      deadline.is_over_ = true;
      for (Cancellable* target : deadline.targets_) {
        if (target != nullptr) target->cancel();
      }
    }
  }

  /// Everything that is ready now; what becomes ready meanwhile has its turn after the next look at the descriptors.
  void run_ready() {
    running.swap(ready);
    for (const auto coroutine : running) coroutine.resume();
    running.clear();
  }

  [[nodiscard]] int wait_ms() const noexcept {
    if (!ready.empty()) return 0;
    if (first == nullptr) return -1;
    const std::int64_t left = next_sweep_ms - now_ms();
    return left > 0 ? static_cast<int>(left) : 0;
  }

  /// False: the descriptors can't be waited for any more.
  bool wait_for_events() {
    std::array<epoll_event, kEventsAtOnce> events;
    const int count = ::epoll_wait(epoll.get(), events.data(), kEventsAtOnce, wait_ms());
    if (count < 0) return errno == EINTR;
    // Waking only posts, so that no watch goes away while its event is still in this array.
    for (int index = 0; index < count; ++index) {
      const epoll_event& event = events[static_cast<std::size_t>(index)];
      static_cast<Watch*>(event.data.ptr)->take_events(event.events);
    }
    return true;
  }
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

void Loop::run() {
  impl_->is_stopped = false;  // it may be run again
  while (!impl_->is_stopped && impl_->wait_for_events()) {
    impl_->sweep();
    impl_->run_ready();
  }
}

void Loop::stop() noexcept { impl_->is_stopped = true; }

std::int64_t Loop::now_ms() noexcept {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

std::span<std::byte> Loop::buffer() noexcept { return impl_->buffer; }

void Loop::post(std::coroutine_handle<> coroutine) { impl_->ready.push_back(coroutine); }

Cuttable::Cuttable(Loop& loop) noexcept : loop_(loop), next_(std::exchange(loop.first_connection_, this)) {
  if (next_ != nullptr) next_->previous_ = this;
}

Cuttable::~Cuttable() {
  if (previous_ != nullptr) previous_->next_ = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  if (loop_.first_connection_ == this) loop_.first_connection_ = next_;
}

void Loop::cut_all(const Cuttable* spared) noexcept {
  for (Cuttable* each = first_connection_; each != nullptr; each = each->next_) {
    if (each != spared) each->cut();
  }
}

void Deadline::set(std::int64_t after_ms) {
  const std::int64_t now = Loop::now_ms();
  at_ms_ = now + after_ms;
  is_over_ = false;
  if (std::exchange(is_set_, true)) return;
  loop_.impl().link(*this, now);
}

void Deadline::clear() noexcept {
  if (!std::exchange(is_set_, false)) return;
  loop_.impl().unlink(*this);
}

Watch::Watch(Loop& loop, UniqueFd fd) : loop_(loop), fd_(std::move(fd)) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
  event.data.ptr = this;
  if (fd_.is_open() && ::epoll_ctl(loop_.impl().epoll.get(), EPOLL_CTL_ADD, fd_.get(), &event) == 0) return;
  fd_.reset();
  is_cancelled_ = true;
}

/// Writing is watched only while somebody waits for it: each acknowledgement of the other side would be an edge.
void Watch::set_events(bool with_writing) noexcept {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (with_writing ? EPOLLOUT : 0U);
  event.data.ptr = this;
  if (::epoll_ctl(loop_.impl().epoll.get(), EPOLL_CTL_MOD, fd_.get(), &event) == 0) watches_writing_ = with_writing;
}

void Watch::wake(Wait*& waiter, Wake wake) {
  if (waiter == nullptr) return;
  waiter->wake_ = wake;
  loop_.post(std::exchange(waiter, nullptr)->coroutine_);
}

/// What failed or was hung up is ready both ways: the next try says how it is.
void Watch::take_events(std::uint32_t events) {
  constexpr std::uint32_t kBroken = EPOLLERR | EPOLLHUP;
  if ((events & (EPOLLIN | EPOLLRDHUP | kBroken)) != 0) {
    may_read_ = reader_ == nullptr;
    wake(reader_, Wake::Ready);
  }
  if ((events & (EPOLLOUT | kBroken)) != 0) {
    if (writer_ == nullptr && watches_writing_) set_events(false);
    may_write_ = writer_ == nullptr;
    wake(writer_, Wake::Ready);
  }
}

void Watch::release_reader() {
  may_read_ = true;
  wake(reader_, Wake::Ready);
}

void Watch::cancel() noexcept {
  is_cancelled_ = true;
  wake(reader_, Wake::Cancelled);
  wake(writer_, Wake::Cancelled);
}

void Watch::close() noexcept {
  cancel();
  if (!fd_.is_open()) return;
  // Said, and not left to close: who sent us the socket may hold it open, and its edges would come on.
  static_cast<void>(::epoll_ctl(loop_.impl().epoll.get(), EPOLL_CTL_DEL, fd_.get(), nullptr));
  fd_.reset();
}

bool Watch::Wait::await_ready() noexcept {
  if (watch_.is_cancelled_) return true;
  const bool is_ready = std::exchange(for_writing_ ? watch_.may_write_ : watch_.may_read_, false);
  if (is_ready) wake_ = Wake::Ready;
  return is_ready;
}

void Watch::Wait::await_suspend(std::coroutine_handle<> coroutine) noexcept {
  coroutine_ = coroutine;
  (for_writing_ ? watch_.writer_ : watch_.reader_) = this;
  if (!for_writing_ || watch_.watches_writing_) return;
  watch_.set_events(true);
  if (!watch_.watches_writing_) watch_.cancel();  // no event would come: better an end than a wait for a deadline
}

}  // namespace lnk::host
