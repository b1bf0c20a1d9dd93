// SPDX-License-Identifier: Apache-2.0
#include "survey/folder_walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string_view>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::os_linux {
namespace {

// Deeper is closed unseen, or taken as writable.
constexpr int kEtcDepthMax = 16;
constexpr int kProcDepthMax = 6;

struct Person {
  uid_t uid = ::geteuid();
  std::vector<gid_t> groups;

  Person() {
    const int count = ::getgroups(0, nullptr);
    groups.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    const int got = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    groups.push_back(::getegid());
  }

  // By mode bits, and without the capabilities that a sandbox has not.
  [[nodiscard]] bool may(const struct stat& entry, mode_t other_bit) const {
    if (entry.st_uid == uid) return (entry.st_mode & (other_bit << 6U)) != 0;
    const bool is_member = std::find(groups.begin(), groups.end(), entry.st_gid) != groups.end();
    return (entry.st_mode & (is_member ? other_bit << 3U : other_bit)) != 0;
  }
};

// An owner may give the right back to itself wherever the file system lets it; read only it can't. So an owner's
// missing right is as good as none.
bool may_person_read(const Person& person, const struct stat& entry) {
  return S_ISDIR(entry.st_mode) ? person.may(entry, S_IROTH) || person.may(entry, S_IXOTH) : person.may(entry, S_IROTH);
}

bool may_anyone_read(const struct stat& entry) {
  const mode_t needed = S_ISDIR(entry.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
  return (entry.st_mode & needed) == needed;
}

struct FolderCloser {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// Calls `each` (name, its stat) for every entry of a folder; false where the folder can't be read.
template <class Each>
bool for_each_entry(int folder_fd, Each each) {
  const int copy = ::openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (copy < 0) return false;
  const std::unique_ptr<DIR, FolderCloser> folder(::fdopendir(copy));
  if (folder == nullptr) {
    ::close(copy);
    return false;
  }
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    struct stat seen {};
    if (name == "." || name == "..") continue;
    if (::fstatat(folder_fd, entry->d_name, &seen, AT_SYMLINK_NOFOLLOW) == 0) each(entry->d_name, seen);
  }
  return true;
}

UniqueFd open_folder(int in, const char* name) {
  return UniqueFd(::openat(in, name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

// A survey is JSON, which holds no other bytes.
bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

class ClosedEntries {
 public:
  std::vector<ClosedEntry> find(const std::string& root) {
    walk(open_folder(AT_FDCWD, root.c_str()), root, 0);
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  // False: something in it can't be named one by one.
  bool walk(const UniqueFd& folder, const std::string& path, int depth) {
    bool is_nameable = true;
    const bool is_read =
        folder.is_open() && for_each_entry(folder.get(), [&](const char* name, const struct stat& seen) {
          is_nameable = look(folder.get(), name, path + "/" + name, seen, depth) && is_nameable;
        });
    return is_nameable && (is_read || depth == 0);
  }

  bool look(int in, const char* name, const std::string& path, const struct stat& seen, int depth) {
    if (S_ISLNK(seen.st_mode)) return true;
    const bool is_folder = S_ISDIR(seen.st_mode);
    const bool is_open = may_anyone_read(seen);
    if (!is_open && !may_person_read(person_, seen)) return true;
    if (!is_plain(name)) return is_open && !is_folder;
    const bool is_whole =
        is_open && (!is_folder || (depth < kEtcDepthMax && walk(open_folder(in, name), path, depth + 1)));
    if (!is_whole) close(path, is_folder);
    return true;
  }

  // What was found inside a folder that is closed whole is closed with it.
  void close(const std::string& path, bool is_folder) {
    const std::string inside = path + "/";
    std::erase_if(found_, [&](const ClosedEntry& entry) { return entry.path.starts_with(inside); });
    found_.push_back({path, is_folder});
  }

  Person person_;
  std::vector<ClosedEntry> found_;
};

bool holds_writable(const Person& person, int in, const char* name, const struct stat& seen, int depth) {
  if (S_ISLNK(seen.st_mode)) return false;
  if (person.may(seen, S_IWOTH)) return true;
  if (!S_ISDIR(seen.st_mode)) return false;
  if (depth == kProcDepthMax) return true;
  const UniqueFd folder = open_folder(in, name);
  bool holds = false;
  const bool is_read =
      folder.is_open() && for_each_entry(folder.get(), [&](const char* below, const struct stat& entry) {
        holds = holds || holds_writable(person, folder.get(), below, entry, depth + 1);
      });
  return holds || !is_read;
}

bool is_of_processes(std::string_view name) {
  return name == "self" || name == "thread-self" || name == "sys" ||
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<ClosedEntry> find_closed_entries(const std::string& root) { return ClosedEntries().find(root); }

std::vector<ClosedEntry> find_closed_proc_entries() {
  // Read by all, and tell of the person's keys (proc(5)).
  constexpr std::array<std::string_view, 2> kKeyring = {"key-users", "keys"};
  std::vector<ClosedEntry> found;
  const Person person;
  const UniqueFd proc = open_folder(AT_FDCWD, "/proc");
  if (!proc.is_open()) return found;
  (void)for_each_entry(proc.get(), [&](const char* name, const struct stat& seen) {
    const bool is_of_keys = std::find(kKeyring.begin(), kKeyring.end(), name) != kKeyring.end();
    const bool is_open = may_anyone_read(seen) || !may_person_read(person, seen);
    if (S_ISREG(seen.st_mode) && (is_of_keys || !is_open)) found.push_back({std::string("/proc/") + name, false});
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

std::vector<std::string> find_writable_proc_entries() {
  std::vector<std::string> found{"/proc/sys"};
  const Person person;
  const UniqueFd proc = open_folder(AT_FDCWD, "/proc");
  if (!proc.is_open()) return found;
  (void)for_each_entry(proc.get(), [&](const char* name, const struct stat& seen) {
    if (!is_of_processes(name) && holds_writable(person, proc.get(), name, seen, 0))
      found.push_back(std::string("/proc/") + name);
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace lnk::os_linux
