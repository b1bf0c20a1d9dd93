// SPDX-License-Identifier: Apache-2.0
#include "wire/confine.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>

#include <algorithm>
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

Status hold(const std::string& folder, const std::optional<std::vector<std::uint16_t>>& ports) {
  const UniqueFd parent(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!parent.is_open()) return posix::os_fail(Code::Gone, "open", folder, errno);
  LandlockRules rules;
  rules.files = {{parent.get(), kLogRights}};
  rules.holds_connect = ports.has_value();
  if (ports) rules.ports = *ports;
  return hold_by_landlock(rules);
}

}  // namespace

std::optional<std::vector<std::uint16_t>> ports_outside(const WireConfig& config) {
  std::vector<std::uint16_t> ports = config.localhost;
  for (const HostGrant& host : config.hosts) ports.insert(ports.end(), host.ports.begin(), host.ports.end());
  for (const LanMachine& machine : config.machines) ports.push_back(machine.port);
  for (const EndpointGrant& endpoint : config.endpoints) {
    if (endpoint.srv) return std::nullopt;
    ports.push_back(endpoint.port);
  }
  for (const VerbConfig& verb : config.verbs)
    for (const VerbUpstream& upstream : verb.upstreams) ports.push_back(upstream.port);
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

Status confine(const std::string& folder, const std::optional<std::vector<std::uint16_t>>& ports) {
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
  if (has_landlock) LNK_CHECK(hold(folder, ports));
  return install_call_filter();
}

}  // namespace lnk::host
