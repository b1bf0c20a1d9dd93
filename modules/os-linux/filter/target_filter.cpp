// SPDX-License-Identifier: Apache-2.0
//
// The one list. A call that stands in none of the three parts below is answered ENOSYS.
#include "filter/target_filter.hpp"

#include <linux/sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

namespace lnk::os_linux {
namespace {

using seccomp::allow;
using seccomp::ArgumentTest;
using seccomp::Case;
using seccomp::low_equals;
using seccomp::low_has_any;
using seccomp::refuse_with;
using seccomp::Rule;

constexpr auto kPassed = std::to_array<PassedCalls>({
    {"files",
     "read write open openat openat2 creat close close_range lseek pread64 pwrite64 readv writev preadv pwritev "
     "preadv2 pwritev2 dup dup2 dup3 pipe pipe2 fcntl flock fsync fdatasync sync syncfs sync_file_range truncate "
     "ftruncate fallocate fadvise64 readahead copy_file_range sendfile splice tee vmsplice umask"},
    {"names and attributes",
     "stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 getdents "
     "getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir link linkat "
     "unlink unlinkat symlink symlinkat readlink readlinkat mknod mknodat chmod fchmod fchmodat "
     "fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat setxattr lsetxattr "
     "fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr "
     "lremovexattr fremovexattr setxattrat getxattrat listxattrat removexattrat file_getattr "
     "file_setattr name_to_handle_at inotify_init inotify_init1 inotify_add_watch "
     "inotify_rm_watch"},
    {"waiting",
     "select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 "
     "eventfd eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime io_setup io_destroy "
     "io_submit io_cancel io_getevents io_pgetevents"},
    {"memory",
     "mmap munmap mremap mprotect msync madvise mincore brk mlock mlock2 munlock mlockall munlockall "
     "remap_file_pages memfd_create memfd_secret pkey_alloc pkey_free pkey_mprotect mseal map_shadow_stack "
     "membarrier process_mrelease cachestat shmget shmat shmctl shmdt"},
    {"processes",
     "fork vfork execve execveat exit exit_group wait4 waitid kill tkill tgkill getpid getppid gettid getpgid "
     "getpgrp setpgid getsid setsid pidfd_open pidfd_send_signal set_tid_address set_robust_list "
     "get_robust_list rseq arch_prctl set_thread_area get_thread_area prctl getcpu uprobe uretprobe"},
    {"signals and time",
     "rt_sigaction rt_sigprocmask rt_sigpending rt_sigreturn rt_sigsuspend rt_sigtimedwait "
     "rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack pause alarm getitimer setitimer timer_create "
     "timer_delete timer_settime timer_gettime timer_getoverrun nanosleep clock_nanosleep "
     "clock_gettime clock_getres gettimeofday time times restart_syscall adjtimex"},
    {"locks and messages between processes inside",
     "futex futex_waitv futex_wake futex_wait futex_requeue semget semop "
     "semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink "
     "mq_timedsend mq_timedreceive mq_notify mq_getsetattr"},
    {"sockets",
     "bind connect listen accept accept4 getsockname getpeername getsockopt setsockopt shutdown sendto recvfrom "
     "sendmsg recvmsg sendmmsg recvmmsg"},
    {"scheduling and limits",
     "sched_yield sched_setparam sched_getparam sched_setscheduler sched_getscheduler "
     "sched_get_priority_max sched_get_priority_min sched_rr_get_interval sched_setaffinity "
     "sched_getaffinity sched_setattr sched_getattr getpriority setpriority ioprio_set ioprio_get "
     "getrlimit setrlimit prlimit64 getrusage sysinfo uname getrandom"},
    {"identity (no capability is held, so only its own)",
     "getuid geteuid getgid getegid getresuid getresgid getgroups "
     "setuid setgid setreuid setregid setresuid setresgid setgroups "
     "setfsuid setfsgid capget capset"},
    {"confining itself further", "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"},
});

constexpr std::string_view kNamespaces = "namespaces of its own give it capabilities over parts of the kernel";
constexpr std::string_view kMounts = "mounts are the wall";
constexpr std::string_view kOthers = "reads, stops or changes other processes";
constexpr std::string_view kKeys = "the kernel's keyring is the person's";
constexpr std::string_view kModules = "changes the kernel's code";
constexpr std::string_view kNodes = "places memory on the machine's nodes; programs take it that it has but one";
constexpr std::string_view kMachine = "changes the machine";
constexpr std::string_view kObsolete = "no kernel of today has it";

constexpr auto kRefused = std::to_array<RefusedCall>({
    {"clone3", ENOSYS, "its flags lie in memory, which a filter can't read; programs fall back to clone"},
    {"setns", EPERM, kNamespaces},
    {"mount", EPERM, kMounts},
    {"umount2", EPERM, kMounts},
    {"pivot_root", EPERM, kMounts},
    {"chroot", EPERM, kMounts},
    {"open_tree", EPERM, kMounts},
    {"open_tree_attr", EPERM, kMounts},
    {"move_mount", EPERM, kMounts},
    {"fsopen", EPERM, kMounts},
    {"fsconfig", EPERM, kMounts},
    {"fsmount", EPERM, kMounts},
    {"fspick", EPERM, kMounts},
    {"mount_setattr", EPERM, kMounts},
    {"open_by_handle_at", EPERM, "opens files by number, past every folder"},
    {"fanotify_init", EPERM, "watches files for others"},
    {"fanotify_mark", EPERM, "watches files for others"},
    {"quotactl", EPERM, kMachine},
    {"quotactl_fd", EPERM, kMachine},
    {"swapon", EPERM, kMachine},
    {"swapoff", EPERM, kMachine},
    {"acct", EPERM, kMachine},
    {"reboot", EPERM, kMachine},
    {"kexec_load", EPERM, kMachine},
    {"kexec_file_load", EPERM, kMachine},
    {"settimeofday", EPERM, kMachine},
    {"clock_settime", EPERM, kMachine},
    {"clock_adjtime", EPERM, kMachine},
    {"sethostname", EPERM, kMachine},
    {"setdomainname", EPERM, kMachine},
    {"vhangup", EPERM, "takes a terminal from others"},
    {"syslog", EPERM, "the kernel's log tells of the whole machine"},
    {"iopl", EPERM, "speaks to devices"},
    {"ioperm", EPERM, "speaks to devices"},
    {"init_module", EPERM, kModules},
    {"finit_module", EPERM, kModules},
    {"delete_module", EPERM, kModules},
    {"create_module", ENOSYS, kObsolete},
    {"query_module", ENOSYS, kObsolete},
    {"get_kernel_syms", ENOSYS, kObsolete},
    {"nfsservctl", ENOSYS, kObsolete},
    {"_sysctl", ENOSYS, kObsolete},
    {"uselib", ENOSYS, kObsolete},
    {"ustat", ENOSYS, kObsolete},
    {"sysfs", ENOSYS, kObsolete},
    {"lookup_dcookie", ENOSYS, kObsolete},
    {"epoll_ctl_old", ENOSYS, kObsolete},
    {"epoll_wait_old", ENOSYS, kObsolete},
    {"getpmsg", ENOSYS, kObsolete},
    {"putpmsg", ENOSYS, kObsolete},
    {"afs_syscall", ENOSYS, kObsolete},
    {"tuxcall", ENOSYS, kObsolete},
    {"security", ENOSYS, kObsolete},
    {"vserver", ENOSYS, kObsolete},
    {"modify_ldt", ENOSYS, "16-bit segments: kernel code that little else uses; a kernel may be built without"},
    {"add_key", EPERM, kKeys},
    {"request_key", EPERM, kKeys},
    {"keyctl", EPERM, kKeys},
    {"bpf", EPERM, "puts programs into the kernel"},
    {"perf_event_open", EPERM, "measures other programs and the kernel"},
    {"userfaultfd", EPERM, "stops the kernel where an attacker wants it; programs fall back"},
    {"io_uring_setup", ENOSYS, "makes calls that no filter sees; programs fall back"},
    {"io_uring_enter", ENOSYS, "makes calls that no filter sees; programs fall back"},
    {"io_uring_register", ENOSYS, "makes calls that no filter sees; programs fall back"},
    {"ptrace", EPERM, kOthers},
    {"process_vm_readv", EPERM, kOthers},
    {"process_vm_writev", EPERM, kOthers},
    {"process_madvise", EPERM, kOthers},
    {"pidfd_getfd", EPERM, kOthers},
    {"kcmp", EPERM, kOthers},
    {"move_pages", EPERM, kOthers},
    {"migrate_pages", EPERM, kOthers},
    {"get_mempolicy", ENOSYS, kNodes},
    {"set_mempolicy", ENOSYS, kNodes},
    {"mbind", ENOSYS, kNodes},
    {"set_mempolicy_home_node", ENOSYS, kNodes},
    {"statmount", ENOSYS, "tells of mounts past /proc/self/mountinfo; programs fall back to that"},
    {"listmount", ENOSYS, "tells of mounts past /proc/self/mountinfo; programs fall back to that"},
    {"lsm_get_self_attr", ENOSYS, "programs fall back to /proc/self/attr"},
    {"lsm_set_self_attr", ENOSYS, "programs fall back to /proc/self/attr"},
    {"lsm_list_modules", ENOSYS, "tells of the machine's security modules"},
});

constexpr std::uint32_t kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

Rule clone_rule(std::uint32_t number) {
  return {number, {{{low_has_any(0, kNewNamespaces)}, refuse_with(EPERM)}}, allow()};
}

// A pass-list, so that a flag which a later kernel adds is refused too: what these part is the caller's own
// (unshare(2)).
Rule unshare_rule(std::uint32_t number) {
  constexpr std::uint32_t kOwn = CLONE_FILES | CLONE_FS | CLONE_SYSVSEM | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
  return {number, {{{low_has_any(0, ~kOwn)}, refuse_with(EPERM)}}, allow()};
}

Rule personality_rule(std::uint32_t number) {
  constexpr std::uint32_t kLinux32 = 0x0008;     // uname says i686
  constexpr std::uint32_t kUname26 = 0x0020000;  // uname says 2.6
  constexpr std::uint32_t kAsk = 0xffffffff;
  Rule rule{number, {}, refuse_with(EPERM)};
  for (const std::uint32_t value : {0U, kLinux32, kUname26, kUname26 | kLinux32, kAsk})
    rule.cases.push_back({{low_equals(0, value)}, allow()});
  return rule;
}

// The kernel reads the command as an unsigned int: high bits must not hide it (CVE-2019-10063).
Rule ioctl_rule(std::uint32_t number) {
  constexpr std::uint32_t kPushInput = 0x5412;   // TIOCSTI: types into the terminal
  constexpr std::uint32_t kConsole = 0x541C;     // TIOCLINUX: pastes into a console (CVE-2023-28100)
  constexpr std::uint32_t kDiscipline = 0x5423;  // TIOCSETD: loads line disciplines, old kernel code
  return {number,
          {{{low_equals(1, kPushInput)}, refuse_with(EPERM)},
           {{low_equals(1, kConsole)}, refuse_with(EPERM)},
           {{low_equals(1, kDiscipline)}, refuse_with(EPERM)}},
          allow()};
}

// A socket's type without SOCK_NONBLOCK and SOCK_CLOEXEC, as the kernel reads it (linux/net.h: SOCK_TYPE_MASK).
ArgumentTest type_is(std::uint32_t type) { return {1, true, false, 0xf, type}; }
ArgumentTest type_is_not(std::uint32_t type) { return {1, true, true, 0xf, type}; }

// Families whose sockets programs use. Of netlink only the one that lists addresses and routes: others reach the
// machine's device manager, audit and packet filter. Of the internet's, plain TCP and UDP with their kin. The type is
// looked at as well as the protocol: with protocol 0 SOCK_DCCP has a module loaded, and SOCK_PACKET is the packet
// family under another name (net/socket.c, __sock_create).
void add_internet(Rule& rule, std::uint32_t family) {
  constexpr std::array<std::uint32_t, 6> kProtocols = {0,  1 /* ICMP */, 6 /* TCP */, 17 /* UDP */, 58 /* ICMPv6 */,
                                                       262 /* MPTCP */};
  const auto is_family = low_equals(0, family);
  rule.cases.push_back(
      {{is_family, type_is(SOCK_RAW)}, refuse_with(EPERM)});  // what the kernel says without CAP_NET_RAW
  rule.cases.push_back({{is_family, type_is_not(SOCK_STREAM), type_is_not(SOCK_DGRAM)}, refuse_with(ESOCKTNOSUPPORT)});
  for (const std::uint32_t protocol : kProtocols) rule.cases.push_back({{is_family, low_equals(2, protocol)}, allow()});
  rule.cases.push_back({{is_family}, refuse_with(EPROTONOSUPPORT)});
}

Rule socket_rule(std::uint32_t number) {
  constexpr std::uint32_t kRoute = 0;
  Rule rule{number, {}, refuse_with(EAFNOSUPPORT)};
  rule.cases.push_back({{low_equals(0, AF_UNIX)}, allow()});
  rule.cases.push_back({{low_equals(0, AF_NETLINK), low_equals(2, kRoute)}, allow()});
  add_internet(rule, AF_INET);
  add_internet(rule, AF_INET6);
  return rule;
}

Rule socketpair_rule(std::uint32_t number) {
  return {number, {{{low_equals(0, AF_UNIX)}, allow()}}, refuse_with(EAFNOSUPPORT)};
}

constexpr auto kPartlyRefused = std::to_array<PartlyRefusedCall>({
    {"clone", "new namespaces: EPERM", clone_rule},
    {"unshare", "new namespaces, and what is not known yet: EPERM", unshare_rule},
    {"personality", "all but the native one and those that only change uname: EPERM", personality_rule},
    {"ioctl", "TIOCSTI, TIOCLINUX, TIOCSETD by the low 32 bits: EPERM", ioctl_rule},
    {"socket",
     "other families than unix, IPv4, IPv6 and netlink's routes: EAFNOSUPPORT; of the internet's, raw: EPERM, other "
     "types "
     "than stream and datagram: ESOCKTNOSUPPORT, other protocols than TCP, UDP, ICMP, MPTCP: EPROTONOSUPPORT",
     socket_rule},
    {"socketpair", "other families than unix: EAFNOSUPPORT", socketpair_rule},
});

class Numbers {
 public:
  explicit Numbers(seccomp::Architecture architecture) {
    const auto calls = calls_of(architecture);
    by_name_.assign(calls.begin(), calls.end());
    std::sort(by_name_.begin(), by_name_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  /// Calls `use` with the number, where this architecture has the call.
  template <class Use>
  void with(std::string_view name, Use use) const {
    const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                     [](const NamedCall& call, std::string_view wanted) { return call.name < wanted; });
    if (at != by_name_.end() && at->name == name) use(at->number);
  }

 private:
  std::vector<NamedCall> by_name_;
};

template <class Use>
void for_each_name(std::string_view names, Use use) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    use(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

}  // namespace

std::span<const PassedCalls> passed_calls() noexcept { return kPassed; }
std::span<const PartlyRefusedCall> partly_refused_calls() noexcept { return kPartlyRefused; }
std::span<const RefusedCall> refused_calls() noexcept { return kRefused; }

seccomp::Policy target_policy(seccomp::Architecture architecture) {
  seccomp::Policy policy;
  policy.architecture = architecture;
  const Numbers numbers(architecture);
  auto& rules = policy.rules;
  for (const PassedCalls& group : kPassed) {
    for_each_name(group.names, [&](std::string_view name) {
      numbers.with(name, [&](std::uint32_t number) { rules.push_back({number, {}, allow()}); });
    });
  }
  for (const PartlyRefusedCall& call : kPartlyRefused)
    numbers.with(call.name, [&](std::uint32_t number) { rules.push_back(call.rule(number)); });
  for (const RefusedCall& call : kRefused)
    numbers.with(call.name, [&](std::uint32_t number) { rules.push_back({number, {}, refuse_with(call.error)}); });
  return policy;
}

}  // namespace lnk::os_linux
