/* SPDX-License-Identifier: Apache-2.0 */
#include "inside/terminal.h"

#include <asm/ioctls.h>
#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/prctl.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "inside/format.h"

enum {
  SIGNAL_CHILD = 17,
  SIGNAL_CONTINUE = 18,
  MASK_BYTES = 8,
  SET_MASK = 2,            /* SIG_SETMASK */
  UNIX_SOCKET = 1,         /* AF_UNIX */
  PACKETS_IN_ORDER = 5,    /* SOCK_SEQPACKET; O_CLOEXEC is SOCK_CLOEXEC too */
  WITHOUT_WAITING = 1,     /* WNOHANG */
  STOPPED_TOO = 2,         /* WUNTRACED */
  IS_STOPPED = 0x7f,       /* the low byte of a status, wait(2) */
  INFORMATION_BYTES = 128, /* signalfd_siginfo */
  WITHOUT_SIGPIPE = 0x4000 /* MSG_NOSIGNAL */
};

static int in_stream(uint32_t streams, int number) { return (streams & ((uint32_t)LNK_INSIDE_TERMINAL << number)) != 0; }

static long hand_over(int control, uint32_t step, long fd) {
  const lnk_inside_report packet = {LNK_INSIDE_MAGIC, step, 0, 0};
  const long sent = send_one(control, &packet, sizeof packet, (int)fd);
  (void)syscall1(__NR_close, fd);
  return sent;
}

long make_terminal(int control, uint32_t streams) {
  long result = syscall0(__NR_setsid);
  if (result < 0) return result;
  const long flags = O_RDWR | O_NOCTTY | O_CLOEXEC;
  const long other_end = syscall4(__NR_openat, AT_FDCWD, (long)"/dev/ptmx", flags, 0);
  if (other_end < 0) return other_end;
  const int locked = 0;
  result = syscall3(__NR_ioctl, other_end, TIOCSPTLCK, (long)&locked);
  if (result < 0) return result;
  /* By the other end, not by a name: ioctl_tty(2), since Linux 4.13. */
  const long terminal = syscall3(__NR_ioctl, other_end, TIOCGPTPEER, flags);
  if (terminal < 0) return terminal;
  result = syscall3(__NR_ioctl, terminal, TIOCSCTTY, 0);
  for (int i = 0; result >= 0 && i < 3; ++i) {
    if (in_stream(streams, i)) result = syscall3(__NR_dup3, terminal, i, 0);
  }
  (void)syscall1(__NR_close, terminal);
  return result < 0 ? result : hand_over(control, LNK_INSIDE_TERMINAL_MADE, other_end);
}

static void say_stopped(int front, int signal) {
  const lnk_inside_report packet = {LNK_INSIDE_MAGIC, LNK_INSIDE_STOPPED, signal, 0};
  (void)syscall6(__NR_sendto, front, (long)&packet, sizeof packet, WITHOUT_SIGPIPE, 0, 0);
}

/* Ends as the target ended; tells where it stopped. */
static void look_at(long target, int front) {
  int status = 0;
  while (syscall4(__NR_wait4, target, (long)&status, WITHOUT_WAITING | STOPPED_TOO, 0) == target) {
    const int low = status & 0xff;
    const int high = (status >> 8) & 0xff;
    if (low != IS_STOPPED) leave((low & 0x7f) != 0 ? 128 + (low & 0x7f) : high);
    say_stopped(front, high);
  }
}

/* SIGTTOU is blocked, so that this group, which is not in front, may change who is: tcsetpgrp(3). */
static void put_in_front(long terminal, long group) {
  const int number = (int)group;
  (void)syscall3(__NR_ioctl, terminal, TIOCSPGRP, (long)&number);
}

/* The front's word. At its end nothing shall run any more. */
static void obey(int front, long terminal, long target) {
  char word = 0;
  const long got = syscall6(__NR_recvfrom, front, (long)&word, 1, 0, 0, 0);
  if (got == -E_INTR) return;
  if (got <= 0) leave(LNK_INSIDE_EXIT_NOT_STARTED);
  if (word == LNK_INSIDE_GO_ON_IN_FRONT) put_in_front(terminal, target);
  if (word == LNK_INSIDE_GO_ON_BEHIND) put_in_front(terminal, syscall0(__NR_getpid));
  if (word == LNK_INSIDE_GO_ON_IN_FRONT || word == LNK_INSIDE_GO_ON_BEHIND)
    (void)syscall2(__NR_kill, -target, SIGNAL_CONTINUE);
}

_Noreturn static void lead(int front, long terminal, long target, long changes) {
  for (;;) {
    look_at(target, front);
    struct pollfd watched[2] = {{(int)changes, POLLIN, 0}, {front, POLLIN, 0}};
    if (syscall5(__NR_ppoll, (long)watched, 2, 0, 0, 0) <= 0) continue;
    char dropped[INFORMATION_BYTES];
    if (watched[0].revents != 0) (void)syscall3(__NR_read, changes, (long)dropped, sizeof dropped);
    if (watched[1].revents != 0) obey(front, terminal, target);
  }
}

/* All of the leader's that the target shall find done, for it may stop this process at once: kill(2). */
static long become_leader(int control) {
  (void)syscall5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  /* The target's streams, so that an end of file means the target's; and the socket whose end says that the target runs. */
  (void)syscall3(__NR_close_range, 0, 2, 0);
  (void)syscall1(__NR_close, control);
  const uint64_t child = 1u << (SIGNAL_CHILD - 1);
  return syscall4(__NR_signalfd4, -1, (long)&child, MASK_BYTES, O_CLOEXEC | O_NONBLOCK);
}

static void wait_for_leader(int turn) {
  char byte;
  while (syscall3(__NR_read, turn, (long)&byte, 1) == -E_INTR) {
  }
  (void)syscall1(__NR_close, turn);
}

long become_target(int control, int in_front) {
  const uint64_t all = ~(uint64_t)0;
  long result = syscall4(__NR_rt_sigprocmask, SET_MASK, (long)&all, 0, MASK_BYTES);
  if (result < 0) return result;
  const long terminal = syscall4(__NR_openat, AT_FDCWD, (long)"/dev/tty", O_RDWR | O_CLOEXEC, 0);
  if (terminal < 0) return terminal;
  int talk[2];
  result = syscall4(__NR_socketpair, UNIX_SOCKET, PACKETS_IN_ORDER | O_CLOEXEC, 0, (long)talk);
  if (result >= 0) result = hand_over(control, LNK_INSIDE_LEADER, talk[1]);
  int turn[2];
  if (result >= 0) result = syscall2(__NR_pipe2, (long)turn, O_CLOEXEC);
  if (result < 0) return result;
  const long target = syscall5(__NR_clone, SIGNAL_CHILD, 0, 0, 0, 0);
  if (target < 0) return target;
  if (target > 0) {
    const long changes = become_leader(control);
    if (changes < 0) leave(LNK_INSIDE_EXIT_NOT_STARTED);
    (void)syscall1(__NR_close, turn[1]);
    lead(talk[0], terminal, target, changes);
  }
  (void)syscall1(__NR_close, talk[0]);
  (void)syscall1(__NR_close, turn[1]);
  wait_for_leader(turn[0]);
  result = syscall2(__NR_setpgid, 0, 0);
  if (result < 0) return result;
  if (in_front) put_in_front(terminal, syscall0(__NR_getpid));
  (void)syscall1(__NR_close, terminal);
  return 0;
}
