// SPDX-License-Identifier: Apache-2.0
#include "wire/confine.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>

#include <cerrno>

#include "confinement/landlock.hpp"
#include "lnk/posix/capabilities.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/call_filter.hpp"
#include "wire/private_root.hpp"

namespace lnk::host {
namespace {

/// What the log needs: its file, and turning it over within its folder.
constexpr std::uint64_t kLogRights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
                                     LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                     LANDLOCK_ACCESS_FS_REMOVE_FILE;

Status restrict_files(const std::string& folder) {
  const UniqueFd parent(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!parent.is_open()) return posix::os_fail(Code::Gone, "open", folder, errno);
  LandlockRules rules;
  rules.files = {{parent.get(), kLogRights}};
  return hold_by_landlock(rules);
}

}  // namespace

Status confine(const std::string& folder) {
  const bool has_landlock = landlock_level() >= 1;
  if (!has_landlock) {
    // Before the process is made undumpable: it then could not map itself into a user namespace of its own.
    if (auto moved = enter_private_root(folder); !moved) {
      return fail(
          std::move(moved).error().within("this kernel has no Landlock, and the wire could not leave the file system"));
    }
  }
  // Run by root, the wire needs none of its capabilities: its log is root's own, and its sockets are plain.
  LNK_CHECK(posix::drop_capabilities());
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return posix::os_fail(Code::Unsupported, "PR_SET_DUMPABLE", "", errno);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return posix::os_fail(Code::Unsupported, "PR_SET_NO_NEW_PRIVS", "", errno);
  if (has_landlock) LNK_CHECK(restrict_files(folder));
  return install_call_filter();
}

}  // namespace lnk::host
