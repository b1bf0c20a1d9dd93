// SPDX-License-Identifier: Apache-2.0
#include "cli/say.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

void say(std::string_view words) {
  std::string text;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    text += "lnk-sandbox: ";
    text += words.substr(begin, end - begin);
    text += '\n';
    begin = end + 1;
  }
  // One write, so that two processes' messages don't mix. With standard error gone there is nobody to tell.
  static_cast<void>(write_all(STDERR_FILENO, text));
}

int say_refused(const Error& error) {
  say(error.text);
  return kRefused;
}

bool print(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return true;
  say("standard output can't be written: " + std::string(posix::errno_words(errno)));
  return false;
}

}  // namespace lnk::host
