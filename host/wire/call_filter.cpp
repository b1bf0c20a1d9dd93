// SPDX-License-Identifier: Apache-2.0
#include "wire/call_filter.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>

#include "confinement/seccomp.hpp"

namespace lnk::host {
namespace {

using seccomp::allow;
using seccomp::Case;
using seccomp::low_equals;
using seccomp::refuse_with;
using seccomp::Rule;

/// Each is made by this program's own code or the C library under them.
constexpr std::uint32_t kPassed[] = {
    // bytes
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_splice,
    // sockets
    SYS_connect,
    SYS_bind,
    SYS_accept4,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getsockname,
    SYS_getpeername,
    // descriptors, and the log, which Landlock holds in its folder
    SYS_openat,
    SYS_close,
    SYS_pipe2,
    SYS_lseek,
    SYS_flock,
    SYS_ftruncate,
    SYS_renameat,
    SYS_unlinkat,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    // the loop
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_ppoll,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_timerfd_create,
    // memory and time
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_getrandom,
    // itself and its end
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_sched_yield,
    SYS_exit,
    SYS_exit_group,
#if defined(__x86_64__)
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_poll,
    SYS_epoll_wait,
    SYS_rename,
    SYS_unlink,
    SYS_time,
#endif
};

}  // namespace

seccomp::Policy wire_call_policy() {
  seccomp::Policy policy;
  policy.otherwise = refuse_with(EPERM);
  policy.foreign = seccomp::kill_process();
  for (const std::uint32_t number : kPassed) policy.rules.push_back(Rule{number, {}, allow()});
  const std::vector<Case> internet = {{{low_equals(0, AF_INET)}, allow()}, {{low_equals(0, AF_INET6)}, allow()}};
  policy.rules.push_back(Rule{SYS_socket, internet, refuse_with(EAFNOSUPPORT)});
  for (Rule& rule : no_new_code()) policy.rules.push_back(std::move(rule));
  policy.rules.push_back(plain_fcntl());
  policy.rules.push_back(signal_to_itself());
  return policy;
}

Status install_call_filter() { return install(wire_call_policy()); }

}  // namespace lnk::host
