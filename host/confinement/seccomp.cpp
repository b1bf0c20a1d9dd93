// SPDX-License-Identifier: Apache-2.0
#include "confinement/seccomp.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {

using seccomp::allow;
using seccomp::Case;
using seccomp::low_equals;
using seccomp::low_has_none;
using seccomp::refuse_with;
using seccomp::Rule;

namespace {

/// Each is made by these programs' own code or the C library under them.
constexpr std::uint32_t kPassed[] = {
    // bytes
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    // sockets
    SYS_connect,
    SYS_bind,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getsockname,
    SYS_getpeername,
    // descriptors
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_ppoll,
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
    SYS_stat,
    SYS_lstat,
    SYS_poll,
    SYS_time,
#endif
};

/// Pages that are neither code nor made so: without it nothing that isn't mapped already is ever run.
void add_plain_memory(std::vector<Rule>& rules) {
  const std::vector<Case> plain = {{{low_has_none(2, PROT_EXEC)}, allow()}};
  rules.push_back(Rule{SYS_mmap, plain, refuse_with(EPERM)});
  rules.push_back(Rule{SYS_mprotect, plain, refuse_with(EPERM)});
}

/// For flags and pipes alone: no signal is asked for (F_SETOWN, F_SETSIG, F_NOTIFY), no lease and no lock is taken.
Rule plain_fcntl() {
  Rule rule{SYS_fcntl, {}, refuse_with(EPERM)};
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_SETPIPE_SZ})
    rule.cases.push_back({{low_equals(1, static_cast<std::uint32_t>(command))}, allow()});
  return rule;
}

/// abort(3) raises a signal by tgkill of itself.
Rule signal_to_itself() {
  const auto self = static_cast<std::uint32_t>(::getpid());
  return Rule{SYS_tgkill, {{{low_equals(0, self)}, allow()}}, refuse_with(EPERM)};
}

}  // namespace

void add_passed(seccomp::Policy& policy, std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) policy.rules.push_back(Rule{number, {}, allow()});
}

seccomp::Policy network_process_policy() {
  seccomp::Policy policy;
  policy.otherwise = refuse_with(EPERM);
  policy.foreign = seccomp::kill_process();
  add_passed(policy, kPassed);
  add_plain_memory(policy.rules);
  policy.rules.push_back(plain_fcntl());
  policy.rules.push_back(signal_to_itself());
  return policy;
}

Status install(const seccomp::Policy& policy) {
  LNK_TRY(seccomp::Program program, seccomp::compile(policy));
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.size());
  filter.filter = program.data();
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0) return {};
  return posix::os_fail(Code::Unsupported, "PR_SET_SECCOMP", "", errno);
}

}  // namespace lnk::host
