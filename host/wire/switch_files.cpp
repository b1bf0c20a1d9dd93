// SPDX-License-Identifier: Apache-2.0
#include "wire/switch_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "wire/limits.hpp"

namespace lnk::host {

std::string utc_text(std::int64_t seconds, std::int64_t nanoseconds) {
  const std::time_t time = seconds;
  tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 64> text;
  const int size = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                                 parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                                 static_cast<int>(nanoseconds / 1'000'000));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

std::string utc_now_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return utc_text(now.tv_sec, now.tv_nsec);
}

std::string switch_text(std::string_view reason, std::string_view since) {
  std::string text = "{\"reason\":\"";
  text.append(reason).append("\",\"since\":\"").append(since).append("\"}\n");
  return text;
}

std::string words_of_closing(std::string_view word) {
  if (word == kByRefusals) return std::to_string(kRefusalsToPause) + " refusals in a minute";
  if (word == kByTargets) return std::to_string(kTargetsToPause) + " different targets were refused in a minute";
  if (word == kByQuestions) return "more questions were asked in a minute than a person can answer";
  if (word == kByMetadata) return "a metadata service was asked for " + std::to_string(kMetadataAsksToPause) + " times";
  if (word == kByFile) return "it was paused before, or by another run of this name";
  if (word == kByStop) return "lnk-sandbox stop of this name";
  if (word == kByStopOfAll) return "lnk-sandbox stop of all";
  return "what says whether it is paused or stopped can't be told from the settings";
}

std::string mend_of_closing(std::string_view word, std::string_view name) {
  std::string command = "lnk-sandbox resume";
  if (word != kByStopOfAll) command.append(" ").append(name);
  return command;
}

SwitchFiles::SwitchFiles(std::string folder, UniqueFd fd, std::string_view name)
    : folder_(std::move(folder)),
      fd_(std::move(fd)),
      stop_of_all_(kStopOfAll),
      stopped_(std::string(name).append(kStoppedEnding)),
      paused_(std::string(name).append(kPausedEnding)) {}

Result<SwitchFiles> SwitchFiles::open(const std::string& folder, std::string_view name) {
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open()) return fail(Code::Gone, folder + ": " + std::strerror(errno), errno);
  return SwitchFiles(folder, std::move(fd), name);
}

/// By its entry alone: a switch is never opened, so no fault in reading one can hide it.
SwitchFiles::Found SwitchFiles::find(const std::string& file) const noexcept {
  struct stat about {};
  if (::fstatat(fd_.get(), file.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? Found::Nothing : Found::Fault;
  const bool is_odd = !S_ISREG(about.st_mode) || about.st_uid != ::geteuid() || (about.st_mode & 022U) != 0;
  return is_odd ? Found::Fault : Found::File;
}

/// A folder that was moved away would never hold what a person switches. Without its capabilities a wire that root runs may
/// not look at the path at all, which tells nothing.
bool SwitchFiles::was_moved() const noexcept {
  struct stat held {};
  struct stat named {};
  if (::fstat(fd_.get(), &held) != 0 || held.st_nlink == 0) return true;
  if (::stat(folder_.c_str(), &named) != 0) return errno != EACCES;
  return held.st_dev != named.st_dev || held.st_ino != named.st_ino;
}

SwitchFiles::Look SwitchFiles::look() const noexcept {
  const Found all = find(stop_of_all_);
  if (all == Found::File) return {WireState::Stopped, kByStopOfAll};
  const Found stopped = find(stopped_);
  if (stopped == Found::File) return {WireState::Stopped, kByStop};
  const Found paused = find(paused_);
  if (all == Found::Fault || stopped == Found::Fault || paused == Found::Fault || was_moved())
    return {WireState::Stopped, kByFault};
  return paused == Found::File ? Look{WireState::Paused, kByFile} : Look{};
}

bool SwitchFiles::pause(std::string_view reason, std::string_view run) const {
  const std::string draft = paused_ + "." + std::string(run);
  const UniqueFd file(::openat(fd_.get(), draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return false;
  const std::string text = switch_text(reason, utc_now_text());
  // What a full disk leaves of the text will do: that the file is there is what counts.
  [[maybe_unused]] const ssize_t written = ::write(file.get(), text.data(), text.size());
  if (::renameat(fd_.get(), draft.c_str(), fd_.get(), paused_.c_str()) == 0) return true;
  static_cast<void>(::unlinkat(fd_.get(), draft.c_str(), 0));
  return false;
}

}  // namespace lnk::host
