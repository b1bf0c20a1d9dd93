// SPDX-License-Identifier: Apache-2.0
#include "trust/trust.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <string>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "trust/owners.hpp"

namespace lnk::host {

namespace {

std::string quoted(const std::filesystem::path& path) { return "'" + posix::escaped(path.native()) + "'"; }

std::string octal(mode_t mode) {
  std::string digits;
  for (int shift = 9; shift >= 0; shift -= 3)
    digits += static_cast<char>('0' + ((mode >> static_cast<unsigned>(shift)) & 7U));
  return digits;
}

/// Under an access control list the group's bits are its mask, and whom they stand for can't be told (acl(5)). What is
/// unclear counts as a list; a filesystem that has none says EOPNOTSUPP.
bool has_access_list(int fd) {
  // The descriptor is O_PATH, which fgetxattr refuses; its link in /proc leads to the entry itself.
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  if (::getxattr(link.c_str(), "system.posix_acl_access", nullptr, 0) >= 0) return true;
  return errno != ENODATA && errno != EOPNOTSUPP;
}

Status check_owner(const std::filesystem::path& path, const struct stat& status) {
  if (status.st_uid == 0 || status.st_uid == ::geteuid()) return {};
  if (is_hidden_owner(status.st_uid) && is_system_place(path)) return {};
  return fail(Code::Denied, quoted(path) + " belongs to uid " + std::to_string(status.st_uid) +
                                ", who is neither root nor you (uid " + std::to_string(::geteuid()) + ")");
}

Status check_mode(const std::filesystem::path& path, int fd, const struct stat& status) {
  const bool is_sticky_folder = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || is_sticky_folder) return {};
  const bool is_shared_with_group_only = (status.st_mode & S_IWOTH) == 0;
  if (is_shared_with_group_only && is_own_group(::geteuid(), status.st_gid) && !has_access_list(fd)) return {};
  return fail(Code::Denied, quoted(path) + " may be written by others (mode " + octal(status.st_mode) +
                                "): chmod go-w " + quoted(path));
}

Status check_entry(const std::filesystem::path& path, int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return posix::os_fail(Code::Gone, "look at", path.native(), errno);
  if (S_ISLNK(status.st_mode))
    return fail(Code::Denied, quoted(path) + " is a link, which is not followed: name the place that it leads to");
  LNK_CHECK(check_owner(path, status));
  return check_mode(path, fd, status);
}

Status check_form(const std::filesystem::path& path) {
  if (!path.is_absolute()) return fail(Code::Invalid, quoted(path) + " is not absolute");
  if (path.native().find('\0') != std::string::npos) return fail(Code::Invalid, quoted(path) + " holds a NUL byte");
  for (const auto& part : path) {
    if (part == "..") return fail(Code::Invalid, quoted(path) + " holds '..', which is not followed");
  }
  return {};
}

/// The way down to an entry: the descriptor of what was checked last, opened with O_PATH, and its path.
struct Walk {
  UniqueFd entry;
  std::filesystem::path path = "/";

  static Result<Walk> from_root() {
    Walk walk;
    LNK_TRY(walk.entry, posix::open_file("/", O_PATH | O_DIRECTORY));
    LNK_CHECK(check_entry(walk.path, walk.entry.get()));
    return walk;
  }

  Status step(const std::filesystem::path& part) {
    const std::filesystem::path below = path_below(part);
    LNK_TRY(UniqueFd next, open_below(part, below));
    return stand_on(std::move(next), below);
  }

  /// Where `part` leads if it is a link; empty, and the step done, where it is none.
  Result<std::filesystem::path> step_or_link(const std::filesystem::path& part) {
    const std::filesystem::path below = path_below(part);
    LNK_TRY(UniqueFd next, open_below(part, below));
    struct stat status {};
    if (::fstat(next.get(), &status) != 0) return posix::os_fail(Code::Gone, "look at", below.native(), errno);
    if (!S_ISLNK(status.st_mode)) {
      LNK_CHECK(stand_on(std::move(next), below));
      return std::filesystem::path();
    }
    LNK_CHECK(check_owner(below, status));
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(next.get(), "", target.data(), target.size());
    if (size <= 0) return posix::os_fail(Code::Gone, "read the link", below.native(), errno);
    return std::filesystem::path(std::string(target.data(), static_cast<std::size_t>(size)));
  }

 private:
  [[nodiscard]] std::filesystem::path path_below(const std::filesystem::path& part) const {
    return part == ".." ? path.parent_path() : path / part;
  }

  Status stand_on(UniqueFd next, const std::filesystem::path& below) {
    LNK_CHECK(check_entry(below, next.get()));
    entry = std::move(next);
    path = below;
    return {};
  }

  Result<UniqueFd> open_below(const std::filesystem::path& part, const std::filesystem::path& below) const {
    UniqueFd next(posix::retry([&] { return ::openat(entry.get(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC); }));
    if (!next.is_open()) return posix::os_fail(Code::Gone, "open", below.native(), errno);
    return next;
  }
};

Result<Walk> walk_down(const std::filesystem::path& path) {
  LNK_CHECK(check_form(path));
  LNK_TRY(Walk walk, Walk::from_root());
  for (const auto& part : path.relative_path()) {
    if (part.empty() || part == ".") continue;
    LNK_CHECK(walk.step(part));
  }
  return walk;
}

constexpr int kLinksMax = 40;  // the kernel's own: path_resolution(7)

}  // namespace

Result<UniqueFd> open_trusted(const std::filesystem::path& file) {
  LNK_TRY(const Walk walk, walk_down(file));
  struct stat status {};
  if (::fstat(walk.entry.get(), &status) != 0) return posix::os_fail(Code::Gone, "look at", file.native(), errno);
  if (!S_ISREG(status.st_mode)) return fail(Code::Invalid, quoted(file) + " is no regular file");
  // The entry that was checked is opened again through its descriptor, not by its name.
  const std::string link = "/proc/self/fd/" + std::to_string(walk.entry.get());
  UniqueFd fd(posix::retry([&] { return ::open(link.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC); }));
  if (!fd.is_open()) return posix::os_fail(Code::Gone, "open", file.native(), errno);
  return fd;
}

Result<void> check_trusted_by_links(const std::filesystem::path& path) {
  if (!path.is_absolute()) return fail(Code::Invalid, quoted(path) + " is not absolute");
  LNK_TRY(Walk walk, Walk::from_root());
  const auto named = path.relative_path();
  std::deque<std::filesystem::path> rest(named.begin(), named.end());
  for (int links = 0; !rest.empty();) {
    const auto part = std::move(rest.front());
    rest.pop_front();
    if (part.empty() || part == ".") continue;
    LNK_TRY(const auto target, walk.step_or_link(part));
    if (target.empty()) continue;
    if (++links > kLinksMax) return posix::os_fail(Code::Gone, "open", path.native(), ELOOP);
    if (target.is_absolute()) {
      LNK_TRY(walk, Walk::from_root());
    }
    const auto led = target.relative_path();
    rest.insert(rest.begin(), led.begin(), led.end());
  }
  return {};
}

Result<void> check_trusted(const std::filesystem::path& path) {
  if (const auto walk = walk_down(path); !walk) return fail(walk.error());
  return {};
}

}  // namespace lnk::host
