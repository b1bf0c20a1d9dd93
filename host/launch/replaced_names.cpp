// SPDX-License-Identifier: Apache-2.0
#include "launch/replaced_names.hpp"

#include <limits.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::uint32_t kInFolder = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr std::uint32_t kOfFolder = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::size_t kEventBytes = 16 * (sizeof(inotify_event) + NAME_MAX + 1);

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

Failure lost(std::string_view why) {
  return fail(Code::Denied, "what is held read only isn't known any more: " + std::string(why));
}

/// The folders above these, but for the root, which nothing moves.
std::set<std::string> folders_above(const std::set<std::string>& folders) {
  std::set<std::string> above;
  for (const auto& folder : folders)
    for (auto one = folder_of(folder); one.size() > 1 && above.insert(one).second;) one = folder_of(one);
  return above;
}

/// Of somebody else, and closed to this user: who can't look into it can't have watched what becomes of it either.
bool is_of_another(const std::string& folder) {
  struct stat entry {};
  return ::stat(folder.c_str(), &entry) == 0 && entry.st_uid != ::geteuid();
}

}  // namespace

ReplacedName ReplacedNames::look(const std::string& path, bool& is_folder) {
  struct stat entry {};
  const bool was_folder = is_folder;
  if (::lstat(path.c_str(), &entry) != 0) return {path, false, was_folder, 0, 0};
  is_folder = S_ISDIR(entry.st_mode);
  return {path, true, was_folder, entry.st_dev, entry.st_ino};
}

Result<ReplacedNames> ReplacedNames::watch(const std::vector<std::string>& paths) {
  ReplacedNames names;
  if (paths.empty()) return names;
  names.inotify_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!names.inotify_.is_open()) return posix::os_fail(Code::Limit, "inotify_init1", {}, errno);
  std::set<std::string> folders;
  for (const auto& path : paths) folders.insert(folder_of(path));
  for (const auto& folder : folders) {
    constexpr std::uint32_t kMask = kInFolder | kOfFolder | IN_ONLYDIR | IN_DONT_FOLLOW;
    const int number = ::inotify_add_watch(names.inotify_.get(), folder.c_str(), kMask);
    if (number >= 0) names.folders_[number] = folder;
    if (number < 0)
      return posix::os_fail(errno == ENOSPC ? Code::Limit : Code::Gone, "watch", folder, errno);
  }
  // One that is moved away takes the names along, and another may be put in its place.
  for (const auto& folder : folders_above(folders)) {
    constexpr std::uint32_t kMask = kOfFolder | IN_ONLYDIR | IN_DONT_FOLLOW | IN_MASK_ADD;
    const bool is_watched = ::inotify_add_watch(names.inotify_.get(), folder.c_str(), kMask) >= 0;
    if (!is_watched && !(errno == EACCES && is_of_another(folder)))
      return posix::os_fail(errno == ENOSPC ? Code::Limit : Code::Gone, "watch", folder, errno);
  }
  for (const auto& path : paths) (void)look(path, names.names_[path]);
  return names;
}

Result<std::vector<ReplacedName>> ReplacedNames::take() {
  alignas(inotify_event) std::array<char, kEventBytes> events;
  std::set<std::string> touched;
  for (;;) {
    const ssize_t size = posix::retry([&] { return ::read(inotify_.get(), events.data(), events.size()); });
    if (size < 0 && errno == EAGAIN) break;
    if (size <= 0) return posix::os_fail(Code::Internal, "read", "inotify", errno);
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, events.data() + at, sizeof event);
      const char* name = events.data() + at + sizeof event;  // ended by NUL: inotify(7)
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) return lost("too much changed beside it at once");
      if ((event.mask & kOfFolder) != 0) return lost("a folder above it was moved or removed");
      if (event.len == 0) continue;
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end()) continue;
      touched.insert((folder->second == "/" ? "" : folder->second) + "/" + name);
    }
  }
  std::vector<ReplacedName> replaced;
  for (auto& [path, is_folder] : names_)
    if (touched.contains(path)) replaced.push_back(look(path, is_folder));
  for (const auto& name : replaced) open_.insert(name.path);
  return replaced;
}

Result<std::set<std::string>> ReplacedNames::left_open() {
  if (!inotify_.is_open()) return std::set<std::string>();
  LNK_TRY(const auto last, take());
  return open_;
}

}  // namespace lnk::host
