// SPDX-License-Identifier: Apache-2.0
#include "resolver/call_filter.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>

#include "confinement/seccomp.hpp"

namespace lnk::host {
namespace {

using seccomp::allow;
using seccomp::low_equals;
using seccomp::low_has_any;
using seccomp::low_has_none;
using seccomp::refuse_with;
using seccomp::Rule;

constexpr std::uint32_t kMore[] = {
    // bytes
    SYS_recvmmsg,
    SYS_sendmmsg,
    // descriptors and files
    SYS_faccessat,
    SYS_readlinkat,
    SYS_pselect6,
    // memory, threads and time
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_getaffinity,
    SYS_sysinfo,
    SYS_uname,
#if defined(__x86_64__)
    SYS_access,
    SYS_readlink,
    SYS_select,
#endif
};

/// The flags stand in the call itself, so that this holds where Landlock doesn't.
Rule reading(std::uint32_t number, std::uint8_t flags_index) {
  constexpr std::uint32_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  static_assert(O_RDONLY == 0);
  return Rule{number, {{{low_has_none(flags_index, kWriting)}, allow()}}, refuse_with(EACCES)};
}

Rule sockets() {
  Rule rule{SYS_socket, {}, refuse_with(EAFNOSUPPORT)};
  rule.cases.push_back({{low_equals(0, AF_INET)}, allow()});
  rule.cases.push_back({{low_equals(0, AF_INET6)}, allow()});
  // getaddrinfo looks which families this machine has addresses of (AI_ADDRCONFIG).
  rule.cases.push_back({{low_equals(0, AF_NETLINK), low_equals(2, NETLINK_ROUTE)}, allow()});
  return rule;
}

}  // namespace

seccomp::Policy resolver_call_policy() {
  seccomp::Policy policy = network_process_policy();
  add_passed(policy, kMore);
  policy.rules.push_back(sockets());
  policy.rules.push_back(reading(SYS_openat, 2));
#if defined(__x86_64__)
  policy.rules.push_back(reading(SYS_open, 1));
#endif
  // How many bytes wait in a socket, and no more of ioctl.
  policy.rules.push_back(Rule{SYS_ioctl, {{{low_equals(1, FIONREAD)}, allow()}}, refuse_with(EPERM)});
  // A thread and no process. The C library tries clone3, whose flags no filter can see, and takes clone where it's
  // missing.
  policy.rules.push_back(Rule{SYS_clone, {{{low_has_any(0, CLONE_THREAD)}, allow()}}, refuse_with(EPERM)});
  policy.rules.push_back(Rule{SYS_clone3, {}, refuse_with(ENOSYS)});
  return policy;
}

}  // namespace lnk::host
