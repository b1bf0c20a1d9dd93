// SPDX-License-Identifier: Apache-2.0
#include "wire/call_filter.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>

#include "confinement/seccomp.hpp"

namespace lnk::host {
namespace {

using seccomp::allow;
using seccomp::Case;
using seccomp::low_equals;
using seccomp::refuse_with;
using seccomp::Rule;

constexpr std::uint32_t kMore[] = {
    // bytes
    SYS_pwrite64,
    SYS_splice,
    // sockets
    SYS_accept4,
    // descriptors, and the log, which Landlock holds in its folder
    SYS_openat,
    SYS_memfd_create,  // a question for the front; nothing can be run from it, since nothing can be run
    SYS_pipe2,
    SYS_flock,
    SYS_ftruncate,
    SYS_renameat,
    SYS_unlinkat,
    // the loop
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_timerfd_create,
#if defined(__x86_64__)
    SYS_open,
    SYS_epoll_wait,
    SYS_rename,
    SYS_unlink,
#endif
};

/// A memory file is handed over sealed.
void pass_seals(seccomp::Policy& policy) {
  const auto fcntl = std::find_if(policy.rules.begin(), policy.rules.end(), [](const Rule& rule) { return rule.number == SYS_fcntl; });
  if (fcntl != policy.rules.end()) fcntl->cases.push_back({{low_equals(1, F_ADD_SEALS)}, allow()});
}

}  // namespace

seccomp::Policy wire_call_policy() {
  seccomp::Policy policy = network_process_policy();
  add_passed(policy, kMore);
  pass_seals(policy);
  // Of the family's usual protocol: MPTCP is a stream that Landlock's rule for TCP doesn't see.
  const std::vector<Case> internet = {{{low_equals(0, AF_INET), low_equals(2, 0)}, allow()},
                                      {{low_equals(0, AF_INET6), low_equals(2, 0)}, allow()}};
  policy.rules.push_back(Rule{SYS_socket, internet, refuse_with(EAFNOSUPPORT)});
  return policy;
}

Status install_call_filter() { return install(wire_call_policy()); }

}  // namespace lnk::host
