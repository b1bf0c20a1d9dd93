// SPDX-License-Identifier: Apache-2.0
#include "dot_files/look.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

constexpr int kPlaceFlags = O_PATH | O_CLOEXEC | O_NOFOLLOW;

Entry entry_of(mode_t mode) {
  if (S_ISDIR(mode)) return Entry::Folder;
  if (S_ISREG(mode)) return Entry::File;
  return S_ISLNK(mode) ? Entry::Link : Entry::Other;
}

Failure cannot_open(const std::string& path, int os_errno) {
  return posix::os_fail(os_errno == EACCES ? Code::Denied : Code::Gone, "look at", path, os_errno);
}

/// Where an outer filter refuses openat2(2), one part at a time.
Result<UniqueFd> open_by_parts(const std::string& path) {
  UniqueFd at(::open("/", O_PATH | O_CLOEXEC | O_DIRECTORY));
  for (std::size_t begin = 1; at.is_open() && begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    UniqueFd next(::openat(at.get(), path.substr(begin, end - begin).c_str(), kPlaceFlags));
    struct stat seen {};
    if (!next.is_open() || ::fstat(next.get(), &seen) != 0) return cannot_open(path, errno);
    if (end != path.size() && S_ISLNK(seen.st_mode)) return cannot_open(path, ELOOP);
    at = std::move(next);
    begin = end + 1;
  }
  if (!at.is_open()) return cannot_open(path, errno);
  return at;
}

Seen seen_of(const struct stat& seen, std::string at) {
  const bool is_marked = S_ISDIR(seen.st_mode) && (seen.st_mode & S_ISVTX) != 0 && seen.st_uid == ::geteuid();
  return {entry_of(seen.st_mode), std::move(at), is_marked};
}

/// A file of the kernel's own may wait for what never comes (/proc/kmsg), though it is regular by its mode.
bool is_of_kernel(const UniqueFd& place) {
  constexpr std::array<unsigned long, 4> kTypes = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC};
  struct statfs about {};
  if (::fstatfs(place.get(), &about) != 0) return true;
  return std::find(kTypes.begin(), kTypes.end(), static_cast<unsigned long>(about.f_type)) != kTypes.end();
}

bool is_gone(int os_errno) { return os_errno == ENOENT || os_errno == ENOTDIR; }

/// The place again for reading, through its own descriptor: nothing could be put in its place in between.
UniqueFd reopened(const UniqueFd& place, int flags) {
  return UniqueFd(::open(("/proc/self/fd/" + std::to_string(place.get())).c_str(), flags | O_CLOEXEC | O_NOCTTY));
}

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

}  // namespace

Result<UniqueFd> open_place(const std::string& path, Links links) {
  if (links == Links::Followed) {
    UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place.is_open()) return cannot_open(path, errno);
    return place;
  }
  open_how how{};
  how.flags = kPlaceFlags;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  UniqueFd place(
      static_cast<int>(posix::retry([&] { return ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how); })));
  if (place.is_open()) return place;
  // Outer filters of containers refuse calls that are newer than they are with either.
  if (errno == ENOSYS || errno == EPERM) return open_by_parts(path);
  return cannot_open(path, errno);
}

Result<Seen> look_at(const std::string& path) {
  // Most names that are looked at are missing, which the folder they would be in tells in two calls.
  for (std::string at = path; at.size() > 1; at = parent_of(at)) {
    const auto folder = open_place(parent_of(at), Links::Refused);
    struct stat seen {};
    if (folder && ::fstatat(folder->get(), at.c_str() + at.rfind('/') + 1, &seen, AT_SYMLINK_NOFOLLOW) == 0) return seen_of(seen, at);
    const int os_errno = folder ? errno : folder.error().os_errno;
    if (folder && os_errno == ENOENT) return Seen{Entry::Missing, at, false};
    // Else the folder is missing, no folder (a link, opened as such), or behind a link: what stands there is above.
    if (!is_gone(os_errno) && os_errno != ELOOP) return cannot_open(path, os_errno);
  }
  return Seen{Entry::Folder, "/", false};
}

Result<std::optional<std::string>> read_plain(const std::string& path, std::size_t bytes_max, Links links) {
  const auto place = open_place(path, links);
  struct stat seen {};
  if (!place || ::fstat(place->get(), &seen) != 0 || !S_ISREG(seen.st_mode) || is_of_kernel(*place)) return std::optional<std::string>();
  if (seen.st_size > static_cast<off_t>(bytes_max))  // of which nothing needs reading
    return fail(Code::Limit, "'" + posix::escaped(path) + "' has more than " + std::to_string(bytes_max) + " bytes");
  const auto file = reopened(*place, O_RDONLY);
  if (!file.is_open()) return std::optional<std::string>();
  auto text = posix::read_all(file.get(), bytes_max);
  if (!text) return fail(std::move(text).error().within("'" + posix::escaped(path) + "'"));
  return std::optional<std::string>(std::move(*text));
}

Result<std::vector<std::string>> names_in(const std::string& path, std::size_t names_max, Links links) {
  std::vector<std::string> names;
  const auto place = open_place(path, links);
  if (!place) return names;
  auto folder = reopened(*place, O_RDONLY | O_DIRECTORY);
  if (!folder.is_open()) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(folder.get()), ::closedir);
  if (entries == nullptr) return cannot_open(path, errno);
  (void)folder.release();
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == names_max)
      return fail(Code::Limit, "'" + posix::escaped(path) + "' holds more than " + std::to_string(names_max) + " entries");
    names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lnk::host
