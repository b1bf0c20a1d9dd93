// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_relay.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

using std::chrono::milliseconds;

/// An answer that has not come by then, over a slow line, is not waited for.
constexpr milliseconds kAnswerWait{1000};
/// A terminal that answered what it is, but not the question that only we can have asked, doesn't know that question.
constexpr milliseconds kAnswerQuiet{100};
constexpr milliseconds kFlushWait{1000};
constexpr std::size_t kAnswerBytesMax = 65536;
/// A question that a terminal doesn't take is drawn anew by each change of its size.
constexpr std::size_t kOwnBytesMax = std::size_t{8} * 1024 * 1024;

int remaining_ms(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<milliseconds::rep>(left.count(), 0));
}

/// True where it can be read or written within the time.
bool wait_for(int fd, short events, int timeout_ms) {
  pollfd one{fd, events, 0};
  return posix::retry([&] { return ::poll(&one, 1, timeout_ms); }) == 1 && (one.revents & events) != 0;
}

/// A mode's number that no program could have asked about but by chance.
std::string own_number() {
  std::uint16_t random = 0;
  if (::getrandom(&random, sizeof random, 0) < 0) random = 0;  // as good where nobody lies in wait
  return std::to_string(30000 + random % 30000);
}

/// Whether CSI ? … c, an answer to "what are you", stands in it from there on.
bool tells_what_it_is(std::string_view answers, std::size_t from) {
  for (std::size_t at = answers.find("\x1b[?", from); at != std::string_view::npos; at = answers.find("\x1b[?", at + 1)) {
    const std::size_t end = answers.find_first_not_of("0123456789;", at + 3);
    if (end != std::string_view::npos && answers[end] == 'c') return true;
  }
  return false;
}

}  // namespace

bool TerminalRelay::Held::fill(int fd) {
  const ssize_t got = posix::retry([&] { return ::read(fd, space_.data(), space_.size()); });
  begin_ = 0;
  end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0 || (got < 0 && errno == EAGAIN);
}

Result<TerminalRelay> TerminalRelay::make(Terminal& persons, UniqueFd sandboxs) {
  if (::fcntl(sandboxs.get(), F_SETFL, O_NONBLOCK) != 0)
    return posix::os_fail(Code::Internal, "set the sandbox's terminal to wait for nothing", {}, errno);
  return TerminalRelay(persons, std::move(sandboxs));
}

void TerminalRelay::copy_settings(bool in_front) {
  auto settings = persons_->settings();
  if (!settings) return;  // it hung up, which the next byte tells
  if (!in_front) settings->c_oflag &= ~static_cast<tcflag_t>(OPOST);
  // The other end of a pseudo terminal sets the terminal itself; it fails only where that is gone.
  static_cast<void>(posix::retry([&] { return ::tcsetattr(sandboxs_.get(), TCSANOW, &*settings); }));
}

bool TerminalRelay::copy_size() {
  winsize persons{};
  winsize sandboxs{};
  if (::ioctl(persons_->fd(), TIOCGWINSZ, &persons) != 0 || ::ioctl(sandboxs_.get(), TIOCGWINSZ, &sandboxs) != 0) return false;
  if (std::memcmp(&persons, &sandboxs, sizeof persons) == 0) return false;
  return ::ioctl(sandboxs_.get(), TIOCSWINSZ, &persons) == 0;
}

std::array<pollfd, 2> TerminalRelay::wanted() {
  is_poll_stale_ = false;
  pollfd persons{is_persons_gone_ ? -1 : persons_->fd(), 0, 0};
  pollfd sandboxs{sandboxs_.get(), 0, 0};
  if (!own_.empty() || (!out_.is_empty() && !is_held())) persons.events |= POLLOUT;
  if (is_held()) {
    persons.events |= POLLIN;
    return {persons, {-1, 0, 0}};
  }
  if (persons_->is_taken() && in_.is_empty() && !has_hung_up()) persons.events |= POLLIN;
  if (out_.is_empty()) sandboxs.events |= POLLIN;
  if (!in_.is_empty()) sandboxs.events |= POLLOUT;
  // With nothing wanted it would be polled for its end alone, which stays true once it is.
  if (sandboxs.events == 0) sandboxs.fd = -1;
  return {persons, sandboxs};
}

void TerminalRelay::move(const pollfd& persons, const pollfd& sandboxs) {
  if ((persons.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
    is_persons_gone_ = true;
    return hang_up();
  }
  if (is_poll_stale_) return;
  if (is_held()) {
    if ((persons.revents & POLLOUT) != 0) static_cast<void>(write_own());
    if ((persons.revents & POLLIN) != 0) read_typed();
    return;
  }
  if (sandboxs.revents != 0 && out_.is_empty() && !out_.fill(sandboxs_.get())) sandboxs_.reset();
  if ((persons.revents & POLLOUT) != 0) write_out();
  if ((persons.revents & POLLIN) != 0 && in_.is_empty() && !has_hung_up() && !in_.fill(persons_->fd())) {
    is_persons_gone_ = true;
    return hang_up();
  }
  if (!has_hung_up()) write_in();
}

/// True: all of it is out.
bool TerminalRelay::write_own() {
  const auto bytes = std::string_view(own_).substr(0, persons_->write_max());
  if (bytes.empty()) return true;
  const ssize_t put = posix::retry([&] { return ::write(persons_->fd(), bytes.data(), bytes.size()); });
  if (put < 0 && errno != EAGAIN) {
    is_persons_gone_ = true;
    hang_up();
  }
  if (put > 0) own_.erase(0, static_cast<std::size_t>(put));
  return own_.empty();
}

void TerminalRelay::read_typed() {
  Held bytes;
  if (!bytes.fill(persons_->fd())) {
    is_persons_gone_ = true;
    return hang_up();
  }
  const auto typed = typed_;  // which may end it
  if (!bytes.is_empty()) typed(bytes.bytes());
}

bool TerminalRelay::hold(std::function<void(std::string_view)> typed, std::function<void()> lost) {
  if (is_held() || is_persons_gone_ || has_hung_up() || !persons_->is_taken() || !persons_->is_in_front()) return false;
  if (!queries_.resets().empty()) asked_at_ = Clock::now();  // a report may be on its way
  own_ += queries_.modes().suspends();
  const auto deadline = Clock::now() + kFlushWait;
  while (!own_.empty() && wait_for(persons_->fd(), POLLOUT, remaining_ms(deadline)) && !write_own() && !is_persons_gone_) {
  }
  if (is_persons_gone_) return false;
  const Held kept = in_;  // typed before, to the program
  drain_answers();
  in_ = kept;
  ::tcflush(persons_->fd(), TCIFLUSH);
  persons_->hold_prints();
  is_poll_stale_ = true;
  typed_ = std::move(typed);
  lost_ = std::move(lost);
  if (queries_.modes().is_on_other_screen()) set_height_apart();
  return true;
}

/// A row less than there is, until copy_size: what was cleared is drawn again only by a program that is told of another size.
void TerminalRelay::set_height_apart() {
  winsize size{};
  if (::ioctl(sandboxs_.get(), TIOCGWINSZ, &size) != 0 || size.ws_row < 2) return;
  --size.ws_row;
  static_cast<void>(::ioctl(sandboxs_.get(), TIOCSWINSZ, &size));
}

void TerminalRelay::print(std::string_view bytes) {
  if (!is_held() || own_.size() + bytes.size() > kOwnBytesMax) return;
  own_ += bytes;
}

void TerminalRelay::release(std::string_view keys) {
  if (!is_held()) return;
  is_poll_stale_ = true;
  typed_ = {};
  lost_ = {};
  if (!is_persons_gone_) {
    ::tcflush(persons_->fd(), TCIFLUSH);
    own_ += queries_.modes().resumes();
    static_cast<void>(write_own());
  }
  persons_->release_prints();
  copy_size();
  if (!has_hung_up() && !keys.empty())
    static_cast<void>(posix::retry([&] { return ::write(sandboxs_.get(), keys.data(), keys.size()); }));
}

void TerminalRelay::lose() {
  if (!is_held()) return;
  const auto lost = lost_;
  release();
  lost();
}

void TerminalRelay::write_out() {
  if (!own_.empty() && !write_own()) return;
  if (out_.is_empty()) return;
  const auto bytes = out_.bytes().substr(0, persons_->write_max());
  const ssize_t put = posix::retry([&] { return ::write(persons_->fd(), bytes.data(), bytes.size()); });
  if (put < 0 && errno == EAGAIN) return;
  if (put < 0) {
    is_persons_gone_ = true;
    return hang_up();
  }
  if (queries_.feed(bytes.substr(0, static_cast<std::size_t>(put)))) {
    asked_at_ = Clock::now();
    if (!persons_->is_taken()) asked_unread_ = true;
  }
  out_.drop(static_cast<std::size_t>(put));
}

void TerminalRelay::write_in() {
  if (in_.is_empty()) return;
  const auto bytes = in_.bytes();
  const ssize_t put = posix::retry([&] { return ::write(sandboxs_.get(), bytes.data(), bytes.size()); });
  if (put > 0) in_.drop(static_cast<std::size_t>(put));
  // Nobody there to read it any more.
  if (put < 0 && errno != EAGAIN) in_.clear();
}

void TerminalRelay::flush() {
  const auto deadline = Clock::now() + kFlushWait;
  while (Clock::now() < deadline) {
    if (is_empty() && (has_hung_up() || !wait_for(sandboxs_.get(), POLLIN, 0))) return;
    auto polled = wanted();
    if (polled[0].fd < 0) return;
    if (posix::retry([&] { return ::poll(polled.data(), polled.size(), remaining_ms(deadline)); }) <= 0) return;
    move(polled[0], polled[1]);
  }
}

void TerminalRelay::begin_reading() {
  if (!asked_unread_) return;
  asked_unread_ = false;
  asked_at_ = Clock::now();
}

void TerminalRelay::hang_up() {
  lose();
  sandboxs_.reset();
  in_.clear();
  out_.clear();
}

bool TerminalRelay::may_be_answered() const {
  return asked_unread_ || (asked_at_ != Clock::time_point{} && Clock::now() - asked_at_ < 2 * kAnswerWait);
}

void TerminalRelay::reset_modes() {
  if (is_persons_gone_ || std::exchange(are_modes_reset_, true)) return;
  const auto off = queries_.resets();
  if (off.empty() || !wait_for(persons_->fd(), POLLOUT, static_cast<int>(kFlushWait.count()))) return;
  if (posix::retry([&] { return ::write(persons_->fd(), off.data(), off.size()); }) < 0) return;
  asked_at_ = Clock::now();  // a report may be on its way
}

// Answers come in the order of the questions, so what comes before the answer to a question of our own is not ours. That
// question asks after the state of a mode that no terminal has; one that doesn't know how to say so skips it, and what it
// is, asked second, it can say.
void TerminalRelay::drain_answers() {
  if (is_persons_gone_ || !may_be_answered() || !persons_->is_in_front() || !persons_->take()) return;
  const std::string number = own_number();
  const std::string question = "\x1b\\\x1b[?" + number + "$p\x1b[c";
  const auto deadline = Clock::now() + kAnswerWait;
  if (!wait_for(persons_->fd(), POLLOUT, remaining_ms(deadline))) return;
  if (posix::retry([&] { return ::write(persons_->fd(), question.data(), question.size()); }) < 0) return;
  std::string answers;
  for (auto until = deadline; wait_for(persons_->fd(), POLLIN, remaining_ms(until));) {
    if (!in_.fill(persons_->fd())) break;
    answers += in_.bytes();
    in_.clear();
    const std::size_t ours = answers.find("\x1b[?" + number + ";");
    if (ours != std::string::npos && tells_what_it_is(answers, ours + 1)) break;
    if (tells_what_it_is(answers, 0)) until = std::min(deadline, Clock::now() + kAnswerQuiet);
    if (answers.size() > kAnswerBytesMax) answers.erase(0, answers.size() - kAnswerBytesMax / 2);
  }
  // What came in that moment is as likely an answer as a key; and a terminal that is far away gets this much.
  ::tcflush(persons_->fd(), TCIFLUSH);
}

}  // namespace lnk::host
