// SPDX-License-Identifier: Apache-2.0
#include "resolver/confine.hpp"

#include <linux/landlock.h>
#include <sys/prctl.h>

#include <cerrno>

#include "confinement/landlock.hpp"
#include "confinement/seccomp.hpp"
#include "lnk/posix/capabilities.hpp"
#include "resolver/call_filter.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kDnsPort = 53;

Status hold_files(const Sources& sources) {
  LandlockRules rules;
  for (const int place : sources.fds()) rules.files.push_back({place, LANDLOCK_ACCESS_FS_READ_FILE});
  rules.holds_connect = true;
  rules.ports = {kDnsPort};  // resolv.conf names no other
  return hold_by_landlock(rules);
}

}  // namespace

Status give_up_privileges() {
  LNK_CHECK(posix::drop_capabilities());
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return fail(Code::Unsupported, "PR_SET_DUMPABLE", errno);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail(Code::Unsupported, "PR_SET_NO_NEW_PRIVS", errno);
  return {};
}

Status confine(const Sources& sources) {
  if (landlock_level() >= 1) LNK_CHECK(hold_files(sources));
  return install(resolver_call_policy());
}

}  // namespace lnk::host
