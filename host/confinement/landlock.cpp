// SPDX-License-Identifier: Apache-2.0
#include "confinement/landlock.hpp"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/os_error.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

// Rights and attributes newer than this system's header, by the kernel's ABI (landlock(7)).
constexpr std::uint64_t kRefer = 1ULL << 13U;     // ABI 2
constexpr std::uint64_t kTruncate = 1ULL << 14U;  // ABI 3
constexpr std::uint64_t kIoctlDev = 1ULL << 15U;  // ABI 5
constexpr std::uint64_t kFirstRights = (1ULL << 13U) - 1;
constexpr std::uint64_t kBindTcp = 1ULL << 0U;            // ABI 4
constexpr std::uint64_t kConnectTcp = 1ULL << 1U;         // ABI 4
constexpr std::uint64_t kScopeAbstractUnix = 1ULL << 0U;  // ABI 6
constexpr std::uint64_t kScopeSignal = 1ULL << 1U;        // ABI 6
constexpr unsigned kRulePathBeneath = 1;
constexpr unsigned kRuleNetPort = 2;  // ABI 4

struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

struct NetPort {
  std::uint64_t allowed_access = 0;
  std::uint64_t port = 0;
};

RulesetAttributes attributes_of(long level, bool holds_connect) noexcept {
  RulesetAttributes attributes;
  attributes.handled_access_fs = kFirstRights;
  if (level >= 2) attributes.handled_access_fs |= kRefer;
  if (level >= 3) attributes.handled_access_fs |= kTruncate;
  if (level >= 5) attributes.handled_access_fs |= kIoctlDev;
  if (level >= 4) attributes.handled_access_net = kBindTcp | (holds_connect ? kConnectTcp : 0);
  if (level >= 6) attributes.scoped = kScopeAbstractUnix | kScopeSignal;
  return attributes;
}

std::size_t attributes_size(long level) noexcept {
  if (level >= 6) return sizeof(RulesetAttributes);
  return level >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

Status add_rule(const UniqueFd& ruleset, unsigned kind, const void* rule) {
  if (::syscall(SYS_landlock_add_rule, ruleset.get(), kind, rule, 0) == 0) return {};
  return posix::os_fail(Code::Unsupported, "landlock_add_rule", "", errno);
}

}  // namespace

long landlock_level() noexcept {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

Status hold_by_landlock(const LandlockRules& rules) {
  const long level = landlock_level();
  const RulesetAttributes attributes = attributes_of(level, rules.holds_connect);
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, attributes_size(level), 0)));
  if (!ruleset.is_open()) return posix::os_fail(Code::Unsupported, "landlock_create_ruleset", "", errno);
  for (const FileRule& rule : rules.files) {
    landlock_path_beneath_attr beneath{};
    beneath.allowed_access = rule.rights;
    beneath.parent_fd = rule.place;
    LNK_CHECK(add_rule(ruleset, kRulePathBeneath, &beneath));
  }
  for (const std::uint16_t port : rules.ports) {
    if (level < 4) break;
    const NetPort open{kConnectTcp, port};
    LNK_CHECK(add_rule(ruleset, kRuleNetPort, &open));
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0) return {};
  return posix::os_fail(Code::Unsupported, "landlock_restrict_self", "", errno);
}

}  // namespace lnk::host
