/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/namespaces.h"

#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/time_types.h>

#include "freestanding/start.h"

enum { NS_OWNER = 0xb701 /* NS_GET_USERNS */ };

/* "/proc/PID/ns/KIND" into out, which holds 40 bytes; kind is at most 8. */
static void name_namespace(char* out, int pid, const char* kind) {
  copy_bytes(out, "/proc/", 6);
  const size_t end = 6 + write_number(out + 6, pid);
  copy_bytes(out + end, "/ns/", 4);
  copy_bytes(out + end + 4, kind, text_size(kind) + 1);
}

static int has_ended(int pidfd) {
  struct pollfd one = {pidfd, POLLIN, 0};
  const struct __kernel_timespec now = {0, 0};
  return syscall5(__NR_ppoll, (long)&one, 1, (long)&now, 0, 0) != 0;
}

long open_namespace(int pid, int pidfd, const char* kind) {
  char name[40];
  name_namespace(name, pid, kind);
  const long opened = syscall4(__NR_openat, AT_FDCWD, (long)name, O_RDONLY | O_CLOEXEC, 0);
  if (opened < 0) return opened;
  /* The number was this process's when it was opened only if the process has not ended since. */
  if (!has_ended(pidfd)) return opened;
  (void)syscall1(__NR_close, opened);
  return -E_SRCH;
}

long join_owner_of(long a_namespace) {
  const long owner = syscall3(__NR_ioctl, a_namespace, NS_OWNER, 0);
  if (owner < 0) return owner;
  const long result = syscall2(__NR_setns, owner, NEW_USER);
  (void)syscall1(__NR_close, owner);
  return result;
}
