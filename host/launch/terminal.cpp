// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "lnk/abi/confiner.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

/// Notices of two minutes; what a program does inside makes some of them.
constexpr std::size_t kHeldPrintsMax = 32;
constexpr std::size_t kWholeWrite = 65536;
constexpr std::size_t kBlockingWrite = 256;  // poll(2) promises at least that much room: WAKEUP_CHARS of the kernel's tty layer

/// Which terminal it is, whatever name it was opened by: ioctl_tty(2), TIOCGDEV, tells it of /dev/tty too.
std::optional<unsigned> device_of(int fd) {
  unsigned device = 0;
  if (::ioctl(fd, TIOCGDEV, &device) != 0) return {};
  return device;
}

/// An opening of our own, which may be made non-blocking: that of a stream is shared with whoever handed it in.
UniqueFd opening_of_our_own(int stream, unsigned device) {
  // The second is for who may not open the terminal's file, after su.
  for (const std::string& path : {"/proc/self/fd/" + std::to_string(stream), std::string("/dev/tty")}) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (fd.is_open() && device_of(fd.get()) == device) return fd;
  }
  return {};
}

bool is_read_by_another(int stream) {
  struct stat entry {};
  return ::fstat(stream, &entry) == 0 && (S_ISFIFO(entry.st_mode) || S_ISSOCK(entry.st_mode));
}

/// The terminal that a stream is; 0 for none: the kernel gives no terminal that number. errors: Denied where it hung up
Result<unsigned> terminal_of(int stream) {
  if (::isatty(stream) == 1) return device_of(stream).value_or(0);
  if (errno == EIO)
    return fail(Code::Denied, "stream " + std::to_string(stream) + " is a terminal that has hung up; give it /dev/null or a file");
  return 0U;
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::of_streams() {
  std::uint32_t streams = 0;
  int first = -1;
  unsigned device = 0;
  for (int stream = 0; stream <= 2; ++stream) {
    LNK_TRY(const unsigned found, terminal_of(stream));
    if (found == 0) continue;
    if (first >= 0 && found != device)
      return fail(Code::Denied, "streams " + std::to_string(first) + " and " + std::to_string(stream) +
                                    " are different terminals, and a sandbox has one of its own; give one of them a pipe or a file");
    if (first < 0) first = stream;
    device = found;
    streams |= std::uint32_t{LNK_TERMINAL_STDIN} << stream;
  }
  if (first < 0) return std::unique_ptr<Terminal>();
  UniqueFd own = opening_of_our_own(first, device);
  const bool is_own = own.is_open();
  if (!is_own) own.reset(::fcntl(first, F_DUPFD_CLOEXEC, 3));
  if (!own.is_open()) return posix::os_fail(Code::Limit, "duplicate stream " + std::to_string(first), {}, errno);
  std::unique_ptr<Terminal> terminal(new Terminal(std::move(own), is_own ? kWholeWrite : kBlockingWrite));
  terminal->streams_ = streams;
  terminal->is_for_us_alone_ = (streams & LNK_TERMINAL_STDIN) != 0 && !is_read_by_another(1);
  return terminal;
}

bool Terminal::has_jobs() const { return ::tcgetpgrp(fd_.get()) >= 0; }

bool Terminal::is_in_front() const {
  const pid_t group = ::tcgetpgrp(fd_.get());
  return group < 0 || group == ::getpgrp();
}

Result<termios> Terminal::settings() const {
  if (is_taken_) return before_;
  termios now{};
  if (::tcgetattr(fd_.get(), &now) != 0) return posix::os_fail(Code::Gone, "read the terminal's settings", {}, errno);
  return now;
}

Status Terminal::take() {
  // Taken already, it may have been set by a shell while this process was stopped without warning.
  LNK_TRY(before_, settings());
  termios raw = before_;
  ::cfmakeraw(&raw);
  // At once: TCSADRAIN would wait for a terminal that takes no output now.
  if (posix::retry([&] { return ::tcsetattr(fd_.get(), TCSANOW, &raw); }) != 0)
    return posix::os_fail(Code::Gone, "set the terminal", {}, errno);
  is_taken_ = true;
  return {};
}

void Terminal::give_back() noexcept {
  if (!std::exchange(is_taken_, false)) return;
  // Where another group is in front, its shell has set the terminal for it. Otherwise a failure means that it hung up.
  if (is_in_front()) static_cast<void>(posix::retry([&] { return ::tcsetattr(fd_.get(), TCSANOW, &before_); }));
}

void Terminal::with_line_ends(const std::function<void()>& print) {
  if (are_prints_held_) {
    if (held_prints_.size() < kHeldPrintsMax) held_prints_.push_back(print);
    return;
  }
  if (!is_taken_) return print();
  give_back();
  print();
  // Where it fails the terminal has hung up, which the next byte tells as well.
  if (is_in_front()) static_cast<void>(take());
}

void Terminal::release_prints() {
  are_prints_held_ = false;
  for (const auto& print : std::exchange(held_prints_, {})) with_line_ends(print);
}

}  // namespace lnk::host
