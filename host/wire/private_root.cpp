// SPDX-License-Identifier: Apache-2.0
#include "wire/private_root.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/capabilities.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

/// Any folder serves: it is covered in this namespace alone, and only until the root is changed.
constexpr const char* kStage = "/tmp";

Status write_map(const char* file, const std::string& text) {
  LNK_TRY(const UniqueFd fd, posix::open_file(file, O_WRONLY));
  return posix::write_all(fd.get(), text);
}

/// A user namespace that maps this user to itself; a process that may make mounts as it is needs none.
Status leave_namespaces() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWNS) == 0) return {};
    return posix::os_fail(Code::Unsupported, "unshare", "a user and mount namespace", errno);
  }
  LNK_CHECK(write_map("/proc/self/setgroups", "deny"));
  LNK_CHECK(write_map("/proc/self/uid_map", std::to_string(uid) + " " + std::to_string(uid) + " 1"));
  return write_map("/proc/self/gid_map", std::to_string(gid) + " " + std::to_string(gid) + " 1");
}

Status make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return posix::os_fail(Code::Internal, "mkdir", part, errno);
    if (slash == std::string::npos) return {};
  }
}

Status change_root(const std::string& folder) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return posix::os_fail(Code::Unsupported, "mount", "/ as private", errno);
  }
  const UniqueFd source(
      static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, folder.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC)));
  if (!source.is_open()) return posix::os_fail(Code::Unsupported, "open_tree", folder, errno);
  if (::mount("wire", kStage, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700,size=64k") != 0) {
    return posix::os_fail(Code::Unsupported, "mount", kStage, errno);
  }
  const std::string target = kStage + folder;
  LNK_CHECK(make_folders(target));
  if (::syscall(SYS_move_mount, source.get(), "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return posix::os_fail(Code::Unsupported, "move_mount", target, errno);
  }
  if (::chdir(kStage) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0) {
    return posix::os_fail(Code::Unsupported, "pivot_root", kStage, errno);
  }
  // Both roots lie on one another now, and the old one is on top (pivot_root(2), "pivot_root(".", ".")").
  if (::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0)
    return posix::os_fail(Code::Unsupported, "umount2", "/", errno);
  if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) !=
      0) {
    return posix::os_fail(Code::Unsupported, "mount", "/ as read only", errno);
  }
  return {};
}

/// While it still may, by CAP_SETPCAP of the namespace it made.
Status drop_bounding_set() {
  constexpr int kLastCapability = 63;
  for (int capability = 0; capability <= kLastCapability; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL && errno != EPERM) {
      return posix::os_fail(Code::Unsupported, "PR_CAPBSET_DROP", "", errno);
    }
  }
  return {};
}

}  // namespace

Status enter_private_root(const std::string& folder) {
  LNK_CHECK(leave_namespaces());
  LNK_CHECK(change_root(folder));
  LNK_CHECK(drop_bounding_set());
  return posix::drop_capabilities();
}

}  // namespace lnk::host
