// SPDX-License-Identifier: Apache-2.0
//
//   tries NAME…   calls that a kernel answers well, where nothing stands before it: with no name, all
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks.h"

enum { kRingEntries = 8, kRingParameters = 256, kUserModeOnly = 1, kNewTime = 0x80 };

static int done(long result) { return result < 0 ? -1 : 0; }

static int own_keyring(void) { return done(syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -4 /* the user's */, 1)); }
static int new_key(void) { return done(syscall(SYS_add_key, "user", "lnk", "x", 1, -2 /* the process's */)); }
static int new_ring(void) {
  char parameters[kRingParameters] = {0};
  return done(syscall(SYS_io_uring_setup, kRingEntries, parameters));
}
static int stop_faults(void) { return done(syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly)); }
static int new_map(void) {
  union bpf_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = 4;
  attributes.value_size = 4;
  attributes.max_entries = 1;
  return done(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}
static int measure_self(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return done(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}
static int be_traced(void) { return done(syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0)); }

static pid_t waiting_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pause();
    _exit(0);
  }
  return child;
}
static int with_child(long (*act)(pid_t child)) {
  const pid_t child = waiting_child();
  const long result = child < 0 ? -1 : act(child);
  const int kept = errno;
  if (child > 0) kill(child, SIGKILL);
  errno = kept;
  return done(result);
}
static long seize(pid_t child) { return syscall(SYS_ptrace, PTRACE_SEIZE, child, 0, 0); }
static int seize_child(void) { return with_child(seize); }
static char byte_here, byte_there;
static const struct iovec kHere = {&byte_here, 1}, kThere = {&byte_there, 1};
static long read_memory(pid_t child) { return syscall(SYS_process_vm_readv, child, &kHere, 1, &kThere, 1, 0); }
static long write_memory(pid_t child) { return syscall(SYS_process_vm_writev, child, &kHere, 1, &kThere, 1, 0); }
static int read_childs_memory(void) { return with_child(read_memory); }
static int write_childs_memory(void) { return with_child(write_memory); }
static long take_descriptor(pid_t child) {
  const int process = (int)syscall(SYS_pidfd_open, child, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_getfd, process, 0, 0);
}
static int take_childs_descriptor(void) { return with_child(take_descriptor); }
static long compare(pid_t child) { return syscall(SYS_kcmp, getpid(), child, 2 /* files */, 0, 0); }
static int compare_with_child(void) { return with_child(compare); }

static int collected(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return done(child);
}
static int clone_with(unsigned long flags) { return collected(syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0)); }
static int clone_plain(void) { return clone_with(0); }
static int clone_user(void) { return clone_with(CLONE_NEWUSER); }
static int clone_user_high(void) { return clone_with(CLONE_NEWUSER | 0xffffffff00000000UL); }
static int clone_user_mount(void) { return clone_with(CLONE_NEWUSER | CLONE_NEWNS); }
static int clone3_with(unsigned long flags) {
  struct clone_args arguments = {.flags = flags, .exit_signal = SIGCHLD};
  return collected(syscall(SYS_clone3, &arguments, sizeof arguments));
}
static int clone3_plain(void) { return clone3_with(0); }
static int clone3_user(void) { return clone3_with(CLONE_NEWUSER); }
static int unshare_files(void) { return done(syscall(SYS_unshare, CLONE_FILES)); }
static int unshare_user(void) { return done(syscall(SYS_unshare, CLONE_NEWUSER)); }
static int unshare_user_high(void) { return done(syscall(SYS_unshare, CLONE_NEWUSER | 0xffffffff00000000UL)); }
static int unshare_all(void) {
  return done(
      syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | kNewTime));
}
static int join_own(void) { return done(syscall(SYS_setns, open("/proc/self/ns/uts", O_RDONLY), 0)); }

// What would change mounts does so in a namespace that ends with the attempt, wherever one can be had: where the
// attempt is refused, that is too, and where it works it must leave nothing behind. A root that may do the one may do
// the other.
static int with_own_mounts(int (*act)(void)) {
  if (syscall(SYS_unshare, CLONE_NEWNS) == 0) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) _exit(254);
  } else if (errno != EPERM) {
    _exit(253);
  }
  errno = 0;
  return act();
}
static int mount_here(void) { return mount("tmpfs", "/tmp", "tmpfs", 0, NULL); }
static int remount_here(void) { return mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL); }
static int unmount_here(void) { return umount2("/proc", MNT_DETACH); }
static int mount_memory(void) { return with_own_mounts(mount_here); }
static int mount_again(void) { return with_own_mounts(remount_here); }
static int unmount(void) { return with_own_mounts(unmount_here); }
static int open_file_system(void) { return done(syscall(SYS_fsopen, "tmpfs", 0)); }
static int copy_tree(void) { return done(syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* OPEN_TREE_CLONE */)); }
static int change_root(void) { return chroot("/tmp"); }

// A terminal of its own, whose input is empty: what is pushed can be read again.
static int on_terminal(unsigned long command, void* data) {
  const int master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  int locked = 0, number = 0;
  char name[64];
  if (master < 0 || ioctl(master, TIOCSPTLCK, &locked) != 0 || ioctl(master, TIOCGPTN, &number) != 0) return -1;
  snprintf(name, sizeof name, "/dev/pts/%d", number);
  if (setsid() < 0 && errno != EPERM) return -1;
  const int terminal = open(name, O_RDWR);
  if (terminal < 0) return -1;
  return done(syscall(SYS_ioctl, terminal, command, data));
}
static int push(unsigned long high) {
  char letter = 'x';
  return on_terminal(TIOCSTI | high, &letter);
}
static int push_input(void) { return push(0); }
static int push_input_high(void) { return push(1UL << 32); }
static int push_input_higher(void) { return push(0xffffffff00000000UL); }
static int paste(void) {
  char subcommand = 3;  // TIOCL_PASTESEL
  return on_terminal(TIOCLINUX, &subcommand);
}
static int paste_high(void) {
  char subcommand = 3;
  return on_terminal(TIOCLINUX | 1UL << 40, &subcommand);
}
static int set_discipline(void) {
  int plain = 0;
  return on_terminal(TIOCSETD, &plain);
}
static int ask_size(void) {
  struct winsize size;
  return on_terminal(TIOCGWINSZ, &size);
}

static int no_randomness(void) { return done(syscall(SYS_personality, 0x0040000)); }
static int ask_personality(void) { return done(syscall(SYS_personality, 0xffffffff)); }
static int read_kernel_log(void) { return done(syscall(SYS_syslog, 10 /* SIZE_BUFFER */, NULL, 0)); }

// A program in memory runs: unrestricted programs keep that.
static int run_memory(void) {
  const int from = open("/proc/self/exe", O_RDONLY);
  const int file = (int)syscall(SYS_memfd_create, "program", 0);
  char block[4096];
  for (ssize_t got; from >= 0 && (got = read(from, block, sizeof block)) > 0;)
    if (write(file, block, (size_t)got) != got) return -1;
  char* const arguments[] = {"attacks", "again", "descriptors", NULL};
  char* const environment[] = {NULL};
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    fexecve(file, arguments, environment);
    _exit(errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  return errno == 0 ? 0 : -1;
}

#if defined(__x86_64__)
static int extra_number(void) { return done(syscall(0x40000000 | SYS_getpid)); }
static int extra_trace(void) { return done(syscall(0x40000000 | 521 /* ptrace of x32 */, 0, 0, 0, 0)); }
// getpid of the 32-bit table, by its entry.
static int old_entry(void) {
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  if (result >= 0) return 0;
  errno = (int)-result;
  return -1;
}
// The one that writes to segments would change this process alone; reading is enough to see that it is there.
static int read_segments(void) {
  char block[64];
  return done(syscall(SYS_modify_ldt, 0, block, sizeof block));
}
#endif

static const struct {
  const char* name;
  int (*act)(void);
} kTries[] = {
    {"own-keyring", own_keyring},
    {"add-key", new_key},
    {"io-uring", new_ring},
    {"userfaultfd", stop_faults},
    {"bpf", new_map},
    {"perf", measure_self},
    {"ptrace-me", be_traced},
    {"ptrace-seize", seize_child},
    {"vm-read", read_childs_memory},
    {"vm-write", write_childs_memory},
    {"pidfd-getfd", take_childs_descriptor},
    {"kcmp", compare_with_child},
    {"clone", clone_plain},
    {"clone-user", clone_user},
    {"clone-user-high", clone_user_high},
    {"clone-user-mount", clone_user_mount},
    {"clone3", clone3_plain},
    {"clone3-user", clone3_user},
    {"unshare-files", unshare_files},
    {"unshare-user", unshare_user},
    {"unshare-user-high", unshare_user_high},
    {"unshare-all", unshare_all},
    {"setns", join_own},
    {"mount", mount_memory},
    {"remount", mount_again},
    {"fsopen", open_file_system},
    {"open-tree", copy_tree},
    {"umount", unmount},
    {"chroot", change_root},
    {"tiocsti", push_input},
    {"tiocsti-high", push_input_high},
    {"tiocsti-higher", push_input_higher},
    {"tioclinux", paste},
    {"tioclinux-high", paste_high},
    {"tiocsetd", set_discipline},
    {"tiocgwinsz", ask_size},
    {"personality", no_randomness},
    {"personality-ask", ask_personality},
    {"syslog", read_kernel_log},
    {"memory-program", run_memory},
#if defined(__x86_64__)
    {"x32", extra_number},
    {"x32-ptrace", extra_trace},
    {"int80", old_entry},
    {"modify-ldt", read_segments},
#endif
};

static int run_one(void* data) { return (*(int (*const*)(void))data)(); }

void attack_tries(char** words) {
  for (size_t i = 0; i < sizeof kTries / sizeof kTries[0]; ++i) {
    int wanted = words[0] == NULL;
    for (char** word = words; *word != NULL; ++word) wanted |= strcmp(*word, kTries[i].name) == 0;
    if (wanted) attempt(kTries[i].name, run_one, (void*)&kTries[i].act);
  }
}
