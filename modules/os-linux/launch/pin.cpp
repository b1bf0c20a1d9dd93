// SPDX-License-Identifier: Apache-2.0
#include "launch/pin.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

Result<Pin> judge(UniqueFd fd, const std::string& path) {
  struct stat seen {};
  if (::fstat(fd.get(), &seen) != 0) return posix::os_fail(Code::Gone, "look at", path, errno);
  if (S_ISDIR(seen.st_mode)) return Pin{std::move(fd), FileKind::Folder, seen.st_dev, seen.st_ino};
  if (S_ISREG(seen.st_mode)) return Pin{std::move(fd), FileKind::File, seen.st_dev, seen.st_ino};
  if (S_ISLNK(seen.st_mode)) return posix::os_fail(Code::Gone, "open", path, ELOOP);
  if (S_ISSOCK(seen.st_mode) || S_ISFIFO(seen.st_mode))
    return Pin{std::move(fd), FileKind::Special, seen.st_dev, seen.st_ino};
  return fail(Code::Denied, posix::escaped(path) + ": neither a folder nor a file");
}

Failure cannot_open(const std::string& path, int os_errno) {
  if (os_errno == ELOOP) {
    return fail(Code::Gone, posix::escaped(path) + ": a link stands where there was none when this was checked", ELOOP);
  }
  return posix::os_fail(Code::Gone, "open", path, os_errno);
}

}  // namespace

Result<Pin> pin(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  UniqueFd fd(
      static_cast<int>(posix::retry([&] { return ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how); })));
  if (fd.is_open()) return judge(std::move(fd), path);
  // Outer filters of containers refuse calls that are newer than they are with either.
  if (errno == ENOSYS || errno == EPERM) return pin_by_parts(path);
  return cannot_open(path, errno);
}

Result<Pin> pin_by_parts(const std::string& path) {
  UniqueFd at(::open("/", O_PATH | O_CLOEXEC | O_DIRECTORY));
  if (!at.is_open()) return cannot_open(path, errno);
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const bool is_last = end == path.size();
    const std::string part = path.substr(begin, end - begin);
    UniqueFd next(::openat(at.get(), part.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW));
    if (!next.is_open()) return cannot_open(path, errno);
    struct stat seen {};
    if (::fstat(next.get(), &seen) != 0) return cannot_open(path, errno);
    if (S_ISLNK(seen.st_mode)) return cannot_open(path, ELOOP);
    if (!is_last && !S_ISDIR(seen.st_mode)) return cannot_open(path, ENOTDIR);
    at = std::move(next);
    begin = end + 1;
  }
  return judge(std::move(at), path);
}

bool is_missing(const Error& error) noexcept { return error.os_errno == ENOENT || error.os_errno == ENOTDIR; }

}  // namespace lnk::os_linux
