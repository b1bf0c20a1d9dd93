// SPDX-License-Identifier: Apache-2.0
#include "prying/tries.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "lnk/posix/io.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace prying {

namespace {

constexpr const char* kProgram = "/bin/true";
constexpr int kExecWorked = 0;

int errno_of(long result) noexcept { return result == -1 ? errno : 0; }

/// What a child's end says: 0 where the program ran, else the errno that the child left as its exit code.
int errno_of_child(pid_t pid) noexcept {
  int status = 0;
  if (lnk::posix::retry([&] { return ::waitpid(pid, &status, 0); }) < 0) return errno;
  if (!WIFEXITED(status)) return EINTR;
  return WEXITSTATUS(status);
}

int fork_and_exec() noexcept {
  const pid_t pid = ::fork();
  if (pid < 0) return errno;
  if (pid == 0) {
    ::execl(kProgram, "true", nullptr);
    ::_exit(errno);
  }
  return errno_of_child(pid);
}

int vfork_and_exec() noexcept {
  const pid_t pid = ::vfork();
  if (pid < 0) return errno;
  if (pid == 0) {
    ::execl(kProgram, "true", nullptr);
    ::_exit(errno);
  }
  return errno_of_child(pid);
}

int spawn() noexcept {
  pid_t pid = -1;
  std::array<char, 5> name{'t', 'r', 'u', 'e', '\0'};
  std::array<char*, 2> argv{name.data(), nullptr};
  if (const int error = ::posix_spawn(&pid, kProgram, nullptr, nullptr, argv.data(), nullptr); error != 0) return error;
  return errno_of_child(pid);
}

/// An address that is never mapped: the first page is kept free (mmap_min_addr).
void* nowhere() noexcept {
  const std::uintptr_t first_page = 8;
  return reinterpret_cast<void*>(first_page);
}

/// An exec in place of this process, which must not be lost where it works: an argument list at an address that is not
/// mapped lets the call get as far as reading it, and EFAULT says that nothing else stood in its way.
int exec_outcome(long result) noexcept {
  const int error = errno_of(result);
  return error == EFAULT ? kExecWorked : error;
}
int exec_here() noexcept { return exec_outcome(::syscall(SYS_execve, kProgram, nowhere(), nullptr)); }
int exec_at_here() noexcept { return exec_outcome(::syscall(SYS_execveat, AT_FDCWD, kProgram, nowhere(), nullptr, 0)); }
int exec_memory_file() noexcept {
  const lnk::UniqueFd file(::memfd_create("prying", 0));
  if (!file.is_open()) return errno;
  if (!lnk::posix::write_all(file.get(), "#!/bin/sh\n")) return EIO;
  return exec_outcome(::syscall(SYS_execveat, file.get(), "", nowhere(), nullptr, AT_EMPTY_PATH));
}

int open_for_reading(const std::string& path) noexcept {
  const lnk::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.is_open() ? 0 : errno;
}

int make_in_tmp() noexcept {
  const std::string path = "/tmp/lnk-prying-" + std::to_string(::getpid());
  const lnk::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return errno;
  ::unlink(path.c_str());
  return 0;
}

int trace_parent() noexcept {
  const pid_t parent = ::getppid();
  if (::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr) != 0) return errno;
  (void)lnk::posix::retry([&] { return ::waitpid(parent, nullptr, __WALL); });
  (void)::ptrace(PTRACE_DETACH, parent, nullptr, nullptr);
  return 0;
}

/// Of an address that is not mapped there: EFAULT says that the kernel was ready to read.
int read_parent() noexcept {
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{nowhere(), 1};
  const int error = errno_of(::process_vm_readv(::getppid(), &here, 1, &there, 1, 0));
  return error == EFAULT ? 0 : error;
}

int signal_parent() noexcept { return errno_of(::kill(::getppid(), 0)); }

int new_user_namespace() noexcept {
  // In a child, so that this process stays where it is.
  const pid_t pid = ::fork();
  if (pid < 0) return errno;
  if (pid == 0) ::_exit(::unshare(CLONE_NEWUSER) == 0 ? 0 : errno);
  return errno_of_child(pid);
}

}  // namespace

std::vector<Outcome> try_all(const std::vector<std::string>& files) {
  std::vector<Outcome> outcomes = {
      {"fork+exec", fork_and_exec()},
      {"vfork+exec", vfork_and_exec()},
      {"posix_spawn", spawn()},
      {"execve", exec_here()},
      {"execveat", exec_at_here()},
      {"execveat memory file", exec_memory_file()},
      {"create in /tmp", make_in_tmp()},
      {"ptrace parent", trace_parent()},
      {"process_vm_readv parent", read_parent()},
      {"signal parent", signal_parent()},
      {"unshare user", new_user_namespace()},
  };
  const std::string parent = "/proc/" + std::to_string(::getppid());
  std::vector<std::string> to_read = {"/etc/passwd", "/proc/1/environ", parent + "/environ", parent + "/mem"};
  to_read.insert(to_read.end(), files.begin(), files.end());
  for (const std::string& path : to_read) outcomes.push_back({"open " + path, open_for_reading(path)});
  return outcomes;
}

}  // namespace prying
