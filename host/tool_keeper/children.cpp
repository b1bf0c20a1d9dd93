// SPDX-License-Identifier: Apache-2.0
#include "tool_keeper/children.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "lnk/posix/io.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kStatBytes =
    512;  // the parent stands behind the name, which has at most 64 bytes: proc_pid_stat(5)

/// 0: it is gone.
pid_t parent_of(int proc, const char* pid) noexcept {
  char path[64];
  if (std::strlen(pid) > 16) return 0;
  std::strcpy(path, pid);
  std::strcat(path, "/stat");
  const UniqueFd file(::openat(proc, path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return 0;
  char text[kStatBytes + 1];
  const auto size = posix::retry([&] { return ::read(file.get(), text, kStatBytes); });
  if (size <= 0) return 0;
  text[size] = '\0';
  // The name may hold anything, parentheses too: the last one ends it. Behind it ") S 123".
  const char* end = std::strrchr(text, ')');
  if (end == nullptr || std::strlen(end) < 5) return 0;
  return static_cast<pid_t>(std::strtol(end + 4, nullptr, 10));
}

}  // namespace

void kill_children() noexcept {
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  if (proc == nullptr) return;
  const pid_t self = ::getpid();
  while (const dirent* entry = ::readdir(proc.get())) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
    if (parent_of(::dirfd(proc.get()), entry->d_name) != self) continue;
    static_cast<void>(::kill(static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)), SIGKILL));
  }
}

std::optional<Reaped> reap_one(Left& left) noexcept {
  int status = 0;
  const pid_t pid = posix::retry([&] { return ::waitpid(-1, &status, WNOHANG | __WALL); });
  left = pid < 0 ? Left::None : Left::Some;
  if (pid <= 0) return std::nullopt;
  return Reaped{pid, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)};
}

}  // namespace lnk::host
