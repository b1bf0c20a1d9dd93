// SPDX-License-Identifier: Apache-2.0
#include "wire/confine.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/capabilities.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/call_filter.hpp"
#include "wire/private_root.hpp"

namespace lnk::host {
namespace {

// Rights and attributes newer than this system's header, by the kernel's ABI (landlock(7)).
constexpr std::uint64_t kRefer = 1ULL << 13U;     // ABI 2
constexpr std::uint64_t kTruncate = 1ULL << 14U;  // ABI 3
constexpr std::uint64_t kIoctlDev = 1ULL << 15U;  // ABI 5
constexpr std::uint64_t kFirstRights = (1ULL << 13U) - 1;
constexpr std::uint64_t kBindTcp = 1ULL << 0U;            // ABI 4
constexpr std::uint64_t kScopeAbstractUnix = 1ULL << 0U;  // ABI 6
constexpr std::uint64_t kScopeSignal = 1ULL << 1U;        // ABI 6

struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

/// What the log needs: its file, and turning it over within its folder.
constexpr std::uint64_t kLogRights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
                                     LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                     LANDLOCK_ACCESS_FS_REMOVE_FILE;

long landlock_abi() noexcept {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

RulesetAttributes attributes_of(long abi) noexcept {
  RulesetAttributes attributes;
  attributes.handled_access_fs = kFirstRights;
  if (abi >= 2) attributes.handled_access_fs |= kRefer;
  if (abi >= 3) attributes.handled_access_fs |= kTruncate;
  if (abi >= 5) attributes.handled_access_fs |= kIoctlDev;
  if (abi >= 4) attributes.handled_access_net = kBindTcp;
  if (abi >= 6) attributes.scoped = kScopeAbstractUnix | kScopeSignal;
  return attributes;
}

std::size_t attributes_size(long abi) noexcept {
  if (abi >= 6) return sizeof(RulesetAttributes);
  return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

Status restrict_files(const std::string& folder, long abi) {
  const RulesetAttributes attributes = attributes_of(abi);
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, attributes_size(abi), 0)));
  if (!ruleset.is_open()) return posix::os_fail(Code::Unsupported, "landlock_create_ruleset", "", errno);
  const UniqueFd parent(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!parent.is_open()) return posix::os_fail(Code::Gone, "open", folder, errno);
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = kLogRights;
  beneath.parent_fd = parent.get();
  if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0) {
    return posix::os_fail(Code::Unsupported, "landlock_add_rule", folder, errno);
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    return posix::os_fail(Code::Unsupported, "landlock_restrict_self", "", errno);
  }
  return {};
}

}  // namespace

Status confine(const std::string& folder) {
  const long abi = landlock_abi();
  if (abi < 1) {
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
  if (abi >= 1) LNK_CHECK(restrict_files(folder, abi));
  return install_call_filter();
}

}  // namespace lnk::host
