// SPDX-License-Identifier: Apache-2.0
#include "wire/log_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wire/limits.hpp"

namespace lnk::host {

Result<LogFile> LogFile::open(const std::string& folder, std::string_view name) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(Code::Gone, folder + ": " + std::strerror(errno), errno);
  }
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open()) return fail(Code::Gone, folder + ": " + std::strerror(errno), errno);
  LogFile log(std::move(fd), std::string(name) + ".jsonl");
  if (auto opened = log.reopen(); !opened) return fail(std::move(opened).error().within(folder));
  return log;
}

Status LogFile::reopen() {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  UniqueFd file(::openat(folder_.get(), name_.c_str(), kFlags, 0600));
  if (!file.is_open()) return fail(Code::Gone, name_ + ": " + std::strerror(errno), errno);
  file_ = std::move(file);
  return {};
}

/// Under a lock of the folder: a wire of the same name that came first has turned it over already, and this one only
/// opens the new file.
bool LogFile::turn_over() {
  if (::flock(folder_.get(), LOCK_EX) != 0) return false;
  struct stat mine {};
  struct stat current {};
  const bool is_current = ::fstat(file_.get(), &mine) == 0 &&
                          ::fstatat(folder_.get(), name_.c_str(), &current, AT_SYMLINK_NOFOLLOW) == 0 &&
                          mine.st_dev == current.st_dev && mine.st_ino == current.st_ino;
  for (int number = kLogsKept - 1; is_current && number >= 0; --number) {
    const std::string from = number == 0 ? name_ : name_ + "." + std::to_string(number);
    const std::string to = name_ + "." + std::to_string(number + 1);
    static_cast<void>(::renameat(folder_.get(), from.c_str(), folder_.get(), to.c_str()));  // a gap is no fault
  }
  static_cast<void>(reopen());  // where it fails the old file goes on, over its size
  static_cast<void>(::flock(folder_.get(), LOCK_UN));
  return is_current;
}

bool LogFile::append(std::string_view line) {
  bool has_turned = false;
  struct stat about {};
  if (::fstat(file_.get(), &about) == 0 && static_cast<std::size_t>(about.st_size) + line.size() > kLogBytesMax)
    has_turned = turn_over();
  if (line_is_torn_ && ::write(file_.get(), "\n", 1) == 1) line_is_torn_ = false;
  const ssize_t written = ::write(file_.get(), line.data(), line.size());
  if (written > 0 && static_cast<std::size_t>(written) < line.size()) line_is_torn_ = true;
  return has_turned;
}

}  // namespace lnk::host
