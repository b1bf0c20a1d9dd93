// SPDX-License-Identifier: Apache-2.0
// poorer_kernel WHAT… -- COMMAND…
//
// Runs COMMAND under an outer seccomp filter that makes this kernel look poorer than it is, so that what a program does
// on an older kernel can be tried on this one. WHAT is any of:
//
//   landlock      no Landlock in the kernel             its three calls end with ENOSYS
//   landlock-off  Landlock built in but not switched on its three calls end with EOPNOTSUPP
//   landlock-refused  Landlock says its level and      landlock_restrict_self ends with EPERM
//                 refuses to be used
//   memfd-seal    no MFD_NOEXEC_SEAL (before 6.3)       memfd_create with that flag or MFD_EXEC ends with EINVAL
//   filter        filters, but none may be installed    SECCOMP_SET_MODE_FILTER ends with EPERM
//   notify        no seccomp listener                   SECCOMP_FILTER_FLAG_NEW_LISTENER and the sizes end with EINVAL
//   killable      no wait until killed (before 5.19)   SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV ends with EINVAL
//   openat2       no openat2 (before 5.6)              it ends with ENOSYS
//   userns        no user namespaces for this user      unshare and clone with CLONE_NEWUSER end with EPERM, clone3 with
//                                                       ENOSYS, so that the C library falls back to clone
//
// Guarantees: the filter is in force in COMMAND and all it starts, or COMMAND doesn't run (exit 125).
// Does not do: hide a capability from a program that learns of it in another way, such as /sys/kernel/security/lsm.
// The filter sets no_new_privs, so a set-user-id bubblewrap would not work below it.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  kExitNotStarted = 125,   // as the product's own "nothing ran"
  kMostInstructions = 128  // all together need about 60
};

// Numbers and flags by value: the C library's headers may be older than the kernel they are tried on.
enum {
  kLandlockFirstCall = 444,
  kLandlockLastCall = 446,
  kOpenat2 = 437,
  kMemfdSealOrExec = 0x0008 | 0x0010,
  kFilterNewListener = 1 << 3,
  kFilterWaitKillable = 1 << 5,
  kCloneNewUser = 0x10000000
};

static struct sock_filter program[kMostInstructions];
static unsigned short length;

static void add(uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  const struct sock_filter instruction = {code, if_true, if_false, value};
  if (length < kMostInstructions) program[length++] = instruction;
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void answer(int error) { add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA), 0, 0); }

static void refuse_call(uint32_t call, int error) {
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  answer(error);
}

// Refuses `call` where any bit of `flags` is set in the low half of its argument (x86-64 and arm64 are little-endian).
static void refuse_flags(uint32_t call, size_t argument, uint32_t flags, int error) {
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3);
  load(offsetof(struct seccomp_data, args) + 8 * argument);
  add(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1);
  answer(error);
}

static void refuse_landlock(int error) {
  for (uint32_t call = kLandlockFirstCall; call <= kLandlockLastCall; ++call) refuse_call(call, error);
}

static int add_lack(const char* what) {
  if (strcmp(what, "landlock") == 0) {
    refuse_landlock(ENOSYS);
  } else if (strcmp(what, "landlock-off") == 0) {
    refuse_landlock(EOPNOTSUPP);
  } else if (strcmp(what, "landlock-refused") == 0) {
    refuse_call(kLandlockLastCall, EPERM);
  } else if (strcmp(what, "memfd-seal") == 0) {
    refuse_flags(SYS_memfd_create, 1, kMemfdSealOrExec, EINVAL);
  } else if (strcmp(what, "filter") == 0) {
    refuse_flags(SYS_seccomp, 0, SECCOMP_SET_MODE_FILTER, EPERM);
  } else if (strcmp(what, "notify") == 0) {
    refuse_flags(SYS_seccomp, 1, kFilterNewListener, EINVAL);
  } else if (strcmp(what, "killable") == 0) {
    refuse_flags(SYS_seccomp, 1, kFilterWaitKillable, EINVAL);
  } else if (strcmp(what, "openat2") == 0) {
    refuse_call(kOpenat2, ENOSYS);
  } else if (strcmp(what, "userns") == 0) {
    refuse_flags(SYS_unshare, 0, kCloneNewUser, EPERM);
    refuse_flags(SYS_clone, 0, kCloneNewUser, EPERM);
    refuse_call(SYS_clone3, ENOSYS);
  } else {
    return -1;
  }
  return 0;
}

int main(int argc, char** argv) {
  int at = 1;
  for (; at < argc && strcmp(argv[at], "--") != 0; ++at) {
    if (add_lack(argv[at]) != 0) {
      fprintf(stderr, "poorer_kernel: no such lack: %s\n", argv[at]);
      return 2;
    }
  }
  if (at + 1 >= argc) {
    fprintf(stderr, "usage: poorer_kernel landlock|landlock-off|landlock-refused|memfd-seal|filter|notify|killable|openat2|userns… -- COMMAND…\n");
    return 2;
  }
  add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  const struct sock_fprog filter = {length, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) {
    perror("poorer_kernel: filter");
    return kExitNotStarted;
  }
  execvp(argv[at + 1], argv + at + 1);
  perror(argv[at + 1]);
  return kExitNotStarted;
}
