// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "lnk/posix/io.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kFileBytesMax = 64U << 20U;  // a snapshot of 100,000 hosts is about 6 MiB

constexpr std::string_view kDraftMark = ".draft-";
constexpr std::string_view kElsewhere = "; set LNK_HOME to a folder of your own";
constexpr std::string_view kWrapAgain = "; name the folder that wrap printed, or wrap the command again";

Failure fail_at(const std::filesystem::path& place, std::string_view what, int error, std::string_view mend = {}) {
  return fail(error == EACCES || error == EPERM ? Code::Denied : Code::Gone,
              place.string() + ": " + std::string(what) + ": " + std::strerror(error) + std::string(mend), error);
}

/// A name below the settings: plain parts, no link to climb by.
bool is_plain(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string_view::npos) return false;
  for (const auto& part : std::filesystem::path(name))
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

Result<UniqueFd> open_below(int folder_fd, const std::filesystem::path& folder, std::string_view name, int flags) {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  UniqueFd fd(::openat(folder_fd, std::string(name).c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!fd.is_open()) return fail_at(folder / name, "can't be opened", errno);
  return fd;
}

/// The person's own, and closed to everyone else.
Status check_private(int fd, const std::filesystem::path& place, mode_t kind) {
  struct stat entry {};
  if (::fstat(fd, &entry) != 0) return fail_at(place, "can't be looked at", errno);
  if ((entry.st_mode & S_IFMT) != kind) return fail(Code::Denied, place.string() + ": is not of the kind a setting is");
  if (entry.st_uid != ::geteuid())
    return fail(Code::Denied, place.string() + ": belongs to another user; settings must be your own");
  if ((entry.st_mode & 077U) != 0)
    return fail(Code::Denied, place.string() + ": others may enter it; close it with: chmod go-rwx '" + place.string() + "'");
  return {};
}

Result<std::string> read_whole(int fd, const std::filesystem::path& place) {
  auto text = posix::read_all(fd, kFileBytesMax);
  if (text) return text;
  if (text.error().code == Code::Limit) return fail(Code::Limit, place.string() + ": is larger than a setting may be (64 MiB)");
  return fail_at(place, "can't be read", text.error().os_errno);
}

Status write_whole(int fd, std::string_view text, const std::filesystem::path& place, Settings::Flush flush) {
  if (const auto written = posix::write_all(fd, text); !written) return fail_at(place, "can't be written", written.error().os_errno);
  if (flush == Settings::Flush::Yes && ::fsync(fd) != 0) return fail_at(place, "can't be written", errno);
  return {};
}

std::string random_suffix() {
  std::array<unsigned char, 8> bytes{};
  // Never short for up to 256 bytes once the pool is ready: getrandom(2).
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4U];
    text += "0123456789abcdef"[byte & 15U];
  }
  return text;
}

}  // namespace

Result<std::filesystem::path> Settings::default_folder() {
  const auto absolute = [](const char* name) -> Result<std::filesystem::path> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::filesystem::path();
    if (*value != '/')
      return fail(Code::Invalid, std::string(name) + " must be an absolute path, which begins with /; set it to one, or unset it");
    const std::filesystem::path path(value);
    // Folded as text it could be another place than the kernel's, behind a link.
    if (std::find(path.begin(), path.end(), "..") != path.end())
      return fail(Code::Invalid, std::string(name) + " must not go up with \"..\"; set it to where that leads");
    return path.lexically_normal();
  };
  LNK_TRY(auto own, absolute("LNK_HOME"));
  if (!own.empty()) return own;
  LNK_TRY(auto config, absolute("XDG_CONFIG_HOME"));
  if (!config.empty()) return config / "link";
  LNK_TRY(auto home, absolute("HOME"));
  if (home.empty()) return fail(Code::Invalid, "HOME is not set, so the settings can't be found; set HOME or LNK_HOME");
  return home / ".config" / "link";
}

Result<Settings> Settings::open(const std::filesystem::path& folder, Missing missing) {
  if (!folder.is_absolute()) return fail(Code::Invalid, "the settings folder must be an absolute path: " + folder.string());
  if (std::find(folder.begin(), folder.end(), "..") != folder.end())
    return fail(Code::Invalid, "the settings folder must be named without \"..\": " + folder.string());
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() && errno == ENOENT && missing == Missing::Make) {
    std::error_code ignored;  // the open below says what is wrong
    std::filesystem::create_directories(folder.parent_path(), ignored);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return fail_at(folder, "the settings can't be made here", errno, kElsewhere);
    fd.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  const auto mend = missing == Missing::Make ? kElsewhere : kWrapAgain;
  if (!fd.is_open()) return fail_at(folder, "the settings can't be opened", errno, mend);
  LNK_CHECK(check_private(fd.get(), folder, S_IFDIR));
  return Settings(folder, std::move(fd));
}

Result<UniqueFd> Settings::open_file(std::string_view name) const {
  auto fd = open_below(fd_.get(), folder_, name, O_RDONLY);
  if (!fd && fd.error().os_errno == ENOENT) return UniqueFd();
  if (!fd) return fail(std::move(fd).error());
  LNK_CHECK(check_private(fd->get(), folder_ / name, S_IFREG));
  return fd;
}

Result<std::optional<std::string>> Settings::read(std::string_view name) const {
  LNK_TRY(const auto fd, open_file(name));
  if (!fd.is_open()) return std::optional<std::string>();
  LNK_TRY(auto text, read_whole(fd.get(), folder_ / name));
  return std::optional<std::string>(std::move(text));
}

Status Settings::make_folder(std::string_view subfolder) const {
  if (!is_plain(subfolder)) return fail(Code::Invalid, "not a name of a setting: " + std::string(subfolder));
  std::filesystem::path made;
  for (const auto& part : std::filesystem::path(subfolder)) {
    made /= part;
    if (::mkdirat(fd_.get(), made.c_str(), 0700) != 0 && errno != EEXIST) return fail_at(folder_ / made, "can't be made", errno);
    LNK_TRY(auto fd, open_below(fd_.get(), folder_, made.native(), O_RDONLY | O_DIRECTORY));
    LNK_CHECK(check_private(fd.get(), folder_ / made, S_IFDIR));
  }
  return {};
}

Result<Settings::Draft> Settings::open_draft(const std::string& name, const std::string& parent) const {
  // Without a name until it is whole, so that a process killed here leaves nothing.
  Draft draft{UniqueFd(::openat(fd_.get(), parent.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC | O_NOFOLLOW, 0600)), {}};
  if (!draft.fd.is_open() && (errno == EOPNOTSUPP || errno == EISDIR)) {  // a file system without them, NFS for one
    draft.name = name + std::string(kDraftMark) + random_suffix();
    draft.fd.reset(::openat(fd_.get(), draft.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  }
  if (!draft.fd.is_open()) return fail_at(folder_ / name, "can't be written", errno);
  // Held while it is written: one that nobody holds was left by a process that was killed.
  static_cast<void>(::flock(draft.fd.get(), LOCK_EX | LOCK_NB));
  return draft;
}

void Settings::clear_dead_drafts(const std::filesystem::path& file) const {
  const std::string parent = file.has_parent_path() ? file.parent_path().native() : ".";
  const std::string beginning = file.filename().native() + std::string(kDraftMark);
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const int fd = ::openat(fd_.get(), parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  const std::unique_ptr<DIR, decltype(close)> folder(fd < 0 ? nullptr : ::fdopendir(fd), close);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (!std::string_view(entry->d_name).starts_with(beginning)) continue;
    const UniqueFd draft(::openat(::dirfd(folder.get()), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (draft.is_open() && ::flock(draft.get(), LOCK_EX | LOCK_NB) == 0) ::unlinkat(::dirfd(folder.get()), entry->d_name, 0);
  }
}

Status Settings::give_name(Draft& draft, const std::string& name) const {
  const std::string unnamed = "/proc/self/fd/" + std::to_string(draft.fd.get());
  const auto link_as = [&](const std::string& as) {
    return ::linkat(AT_FDCWD, unnamed.c_str(), fd_.get(), as.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (draft.name.empty()) {
    if (link_as(name)) return {};
    if (errno != EEXIST) return fail_at(folder_ / name, "can't be written", errno);
    // link(2) replaces nothing, so the file gets another name first and is renamed. One killed between the two leaves the other.
    clear_dead_drafts(name);
    draft.name = name + std::string(kDraftMark) + random_suffix();
    if (!link_as(draft.name)) return fail_at(folder_ / name, "can't be written", errno);
  }
  if (::renameat(fd_.get(), draft.name.c_str(), fd_.get(), name.c_str()) == 0) return {};
  return fail_at(folder_ / name, "can't be written", errno);
}

Status Settings::write(std::string_view name, std::string_view text, Flush flush) const {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  const std::filesystem::path file(name);
  if (file.has_parent_path()) LNK_CHECK(make_folder(file.parent_path().native()));
  LNK_TRY(auto draft, open_draft(file.native(), file.has_parent_path() ? file.parent_path().native() : "."));
  Status written = write_whole(draft.fd.get(), text, folder_ / name, flush);
  if (written) written = give_name(draft, file.native());
  if (!written && !draft.name.empty()) ::unlinkat(fd_.get(), draft.name.c_str(), 0);
  return written;
}

Result<UniqueFd> Settings::make_held(std::string_view name, std::string_view text) const {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  const std::filesystem::path file(name);
  if (file.has_parent_path()) LNK_CHECK(make_folder(file.parent_path().native()));
  LNK_TRY(auto draft, open_draft(file.native(), file.has_parent_path() ? file.parent_path().native() : "."));
  Status written = write_whole(draft.fd.get(), text, folder_ / name, Flush::No);
  const std::string unnamed = "/proc/self/fd/" + std::to_string(draft.fd.get());
  // link(2) replaces nothing.
  if (written && ::linkat(AT_FDCWD, unnamed.c_str(), fd_.get(), file.c_str(), AT_SYMLINK_FOLLOW) != 0)
    written = errno == EEXIST ? Status(fail(Code::Again, (folder_ / name).string() + ": is there already")) : fail_at(folder_ / name, "can't be written", errno);
  if (!draft.name.empty()) ::unlinkat(fd_.get(), draft.name.c_str(), 0);
  LNK_CHECK(written);
  return std::move(draft.fd);
}

Result<bool> Settings::rename(std::string_view name, std::string_view to) const {
  if (!is_plain(name) || !is_plain(to)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  if (::renameat(fd_.get(), std::string(name).c_str(), fd_.get(), std::string(to).c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return fail_at(folder_ / name, "can't be given another name", errno);
}

Result<bool> Settings::take_away(std::string_view name) const {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  if (::unlinkat(fd_.get(), std::string(name).c_str(), 0) == 0) return true;
  if (errno == ENOENT) return false;
  return fail_at(folder_ / name, "can't be removed", errno);
}

Result<UniqueFd> Settings::lock(std::string_view name) const {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  const std::filesystem::path file(name);
  const auto open = [&] { return ::openat(fd_.get(), file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600); };
  UniqueFd fd(open());
  if (!fd.is_open() && errno == ENOENT && file.has_parent_path()) {
    LNK_CHECK(make_folder(file.parent_path().native()));
    fd.reset(open());
  }
  if (!fd.is_open()) return fail_at(folder_ / name, "can't be opened", errno);
  LNK_CHECK(check_private(fd.get(), folder_ / name, S_IFREG));
  if (posix::retry([&] { return ::flock(fd.get(), LOCK_EX); }) != 0) return fail_at(folder_ / name, "can't be locked", errno);
  return fd;
}

Status Settings::remove(std::string_view name) const {
  if (!is_plain(name)) return fail(Code::Invalid, "not a name of a setting: " + std::string(name));
  if (::unlinkat(fd_.get(), std::string(name).c_str(), 0) != 0 && errno != ENOENT)
    return fail_at(folder_ / name, "can't be removed", errno);
  return {};
}

Status Settings::remove_folder(std::string_view subfolder) const {
  if (!is_plain(subfolder)) return fail(Code::Invalid, "not a name of a setting: " + std::string(subfolder));
  if (::unlinkat(fd_.get(), std::string(subfolder).c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
    return fail_at(folder_ / subfolder, "can't be removed", errno);
  return {};
}

Result<std::vector<std::string>> Settings::list(std::string_view subfolder) const {
  auto fd = open_below(fd_.get(), folder_, subfolder, O_RDONLY | O_DIRECTORY);
  if (!fd && fd.error().os_errno == ENOENT) return std::vector<std::string>();
  if (!fd) return fail(std::move(fd).error());
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(fd->release()), ::closedir);
  if (folder == nullptr) return fail_at(folder_ / subfolder, "can't be read", errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder.get()))
    if (const std::string_view name = entry->d_name; name != "." && name != "..") names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lnk::host
