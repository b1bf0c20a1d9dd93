// SPDX-License-Identifier: Apache-2.0
#include "wire/call_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "wire/limits.hpp"
#include "wire/loop.hpp"

namespace lnk::host {
namespace {

/// RFC 3339, UTC, milliseconds.
std::string now_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  std::array<char, 64> text;
  const int size = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                                 parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                                 static_cast<int>(now.tv_nsec / 1'000'000));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

void add_text(std::string& line, std::string_view key, std::string_view value) {
  line.append(",\"").append(key).append("\":\"");
  for (const char byte : value) {
    // What comes here was checked to be visible ASCII; whatever else would come is not worth a broken line.
    const bool is_plain = byte >= ' ' && byte < '\x7f' && byte != '"' && byte != '\\';
    line += is_plain ? byte : '?';
  }
  line += '"';
}

void add_number(std::string& line, std::string_view key, std::uint64_t value) {
  line.append(",\"").append(key).append("\":").append(std::to_string(value));
}

}  // namespace

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
void LogFile::turn_over() {
  if (::flock(folder_.get(), LOCK_EX) != 0) return;
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
}

void LogFile::append(std::string_view line) {
  struct stat about {};
  if (::fstat(file_.get(), &about) == 0 && static_cast<std::size_t>(about.st_size) + line.size() > kLogBytesMax)
    turn_over();
  if (line_is_torn_ && ::write(file_.get(), "\n", 1) == 1) line_is_torn_ = false;
  const ssize_t written = ::write(file_.get(), line.data(), line.size());
  if (written > 0 && static_cast<std::size_t>(written) < line.size()) line_is_torn_ = true;
}

void CallLog::write(std::string_view event) {
  constexpr std::size_t kUsualLineBytes = 256;
  std::string line;
  line.reserve(kUsualLineBytes);
  line.append("{\"t\":\"").append(now_text()).append("\"");
  add_text(line, "run", run_);
  add_number(line, "id", id_);
  add_text(line, "event", event);
  if (!target_.verb.empty()) add_text(line, "verb", target_.verb);
  if (!target_.host.empty()) add_text(line, "host", target_.host);
  if (target_.port != 0) add_number(line, "port", target_.port);
  if (!reason_.empty()) add_text(line, "reason", reason_);
  if (status != 0) add_number(line, "status", status);
  if (event == "close") {
    add_number(line, "in", in);
    add_number(line, "out", out);
    add_number(line, "ms", static_cast<std::uint64_t>(Loop::now_ms() - opened_ms_));
  }
  line.append("}\n");
  file_.append(line);
}

void CallLog::opened() {
  if (is_open_ || is_done_) return;
  is_open_ = true;
  opened_ms_ = Loop::now_ms();
  write("open");
}

void CallLog::refused(const http::Refusal& refusal) {
  if (is_done_) return;
  reason_ = refusal.reason;
  status = refusal.status;
  if (is_open_) return;
  is_done_ = true;
  write("refused");
}

void CallLog::closed() {
  if (!is_open_ || is_done_) return;
  is_done_ = true;
  write("close");
}

CallLog::~CallLog() { closed(); }

}  // namespace lnk::host
