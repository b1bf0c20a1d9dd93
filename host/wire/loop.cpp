// SPDX-License-Identifier: Apache-2.0
#include "wire/loop.hpp"

#include <fcntl.h>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "wire/limits.hpp"

namespace lnk::host {

namespace asio = boost::asio;

// Bound to the one context: the default executor is type-erased, which costs each wait a few virtual calls.
using Executor = asio::io_context::executor_type;
using Descriptor = asio::posix::basic_stream_descriptor<Executor>;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

struct Loop::Impl {
  Loop* owner = nullptr;
  asio::io_context context{1};
  Timer sweep_timer{context};
  std::vector<std::byte> buffer = std::vector<std::byte>(kBufferBytes);
  Deadline* first = nullptr;
  bool is_sweeping = false;

  void link(Deadline& deadline) noexcept {
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
  void start_sweeping() {
    if (is_sweeping || first == nullptr) return;
    is_sweeping = true;
    sweep_timer.expires_after(std::chrono::seconds(1));
    sweep_timer.async_wait([this](const boost::system::error_code& error) {
      is_sweeping = false;
      if (error) return;
      sweep();
      start_sweeping();
    });
  }

  void sweep() noexcept {
    const std::int64_t now = now_ms();
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
};

Loop::Loop() : impl_(std::make_unique<Impl>()) { impl_->owner = this; }
Loop::~Loop() = default;

void Loop::run() { impl_->context.run(); }
void Loop::stop() noexcept { impl_->context.stop(); }

std::int64_t Loop::now_ms() noexcept {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

std::span<std::byte> Loop::buffer() noexcept { return impl_->buffer; }

void Loop::post(std::coroutine_handle<> coroutine) {
  asio::post(impl_->context, [coroutine] { coroutine.resume(); });
}

void Deadline::set(std::int64_t after_ms) {
  at_ms_ = Loop::now_ms() + after_ms;
  is_over_ = false;
  if (is_set_) return;
  is_set_ = true;
  loop_.impl().link(*this);
  loop_.impl().start_sweeping();
}

void Deadline::clear() noexcept {
  if (!std::exchange(is_set_, false)) return;
  loop_.impl().unlink(*this);
}

struct Watch::Impl {
  explicit Impl(asio::io_context& context) : descriptor(context) {}
  Descriptor descriptor;
  bool is_cancelled = false;
};

static bool set_non_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ((flags & O_NONBLOCK) != 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0);
}

/// A descriptor that can't be watched is closed, and every wait on it comes back cancelled.
Watch::Watch(Loop& loop, UniqueFd fd) : impl_(std::make_unique<Impl>(loop.impl().context)) {
  boost::system::error_code error;
  if (!fd.is_open() || !set_non_blocking(fd.get())) return;
  impl_->descriptor.assign(fd.get(), error);
  if (!error) static_cast<void>(fd.release());
}

Watch::~Watch() = default;

int Watch::fd() const noexcept { return impl_->descriptor.native_handle(); }

void Watch::cancel() noexcept {
  impl_->is_cancelled = true;
  boost::system::error_code error;
  impl_->descriptor.cancel(error);
}

void Watch::close() noexcept {
  impl_->is_cancelled = true;
  boost::system::error_code error;
  impl_->descriptor.close(error);
}

bool Watch::Wait::await_ready() const noexcept { return watch_.impl_->is_cancelled || watch_.fd() < 0; }

void Watch::Wait::await_suspend(std::coroutine_handle<> coroutine) {
  coroutine_ = coroutine;
  const auto what = for_writing_ ? Descriptor::wait_write : Descriptor::wait_read;
  watch_.impl_->descriptor.async_wait(what, [this](const boost::system::error_code& error) {
    // A failed connection comes as ready, and the next try says how it failed. An error is the wait's own: whoever took it
    // for ready would try for ever.
    wake_ = error ? Wake::Cancelled : Wake::Ready;
    coroutine_.resume();
  });
}

}  // namespace lnk::host
