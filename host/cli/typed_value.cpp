// SPDX-License-Identifier: Apache-2.0
#include "cli/typed_value.hpp"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kValueRoom = 8192;  // more than a value may have, so that too long a one is told

/// Turns a terminal's echo off while it lives, and drains what was typed ahead.
class NoEcho {
 public:
  explicit NoEcho(int fd) : fd_(fd) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    is_terminal_ = true;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(fd_, TCSAFLUSH, &quiet);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;
  ~NoEcho() {
    if (is_terminal_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }

 private:
  int fd_;
  bool is_terminal_ = false;
  termios before_{};
};

}  // namespace

Result<secret::SecretBytes> read_typed_value(std::string_view what) {
  const NoEcho quiet(STDIN_FILENO);
  if (quiet.is_terminal()) LNK_CHECK(posix::write_all(STDERR_FILENO, std::string(what) + ", which is not shown: "));
  auto value = secret::SecretBytes::with_capacity(kValueRoom);
  while (value.room() > 0) {
    const auto got = posix::retry([&] { return ::read(STDIN_FILENO, value.free_space(), value.room()); });
    if (got < 0) return posix::os_fail(Code::Gone, "read", "standard input", errno);
    if (got == 0) break;
    value.commit(static_cast<std::size_t>(got));
    if (quiet.is_terminal() && value.reveal().ends_with('\n')) break;
  }
  if (quiet.is_terminal()) LNK_CHECK(posix::write_all(STDERR_FILENO, "\n"));
  // The end of a typed line, or of a file that holds the value, is no part of it.
  if (value.reveal().ends_with('\n')) value.shrink(value.size() - 1);
  if (value.reveal().ends_with('\r')) value.shrink(value.size() - 1);
  return value;
}

}  // namespace lnk::host
