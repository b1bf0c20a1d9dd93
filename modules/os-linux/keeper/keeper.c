/* SPDX-License-Identifier: Apache-2.0
 *
 * The parent of bubblewrap: keeper FRONT BWRAP INFO-READ ARGUMENT…, the first three descriptor numbers.
 *
 * Why bubblewrap has a parent beside the front: with --die-with-parent it asks to be killed with its parent before it
 * has let its child go on, and the child asks only later. A parent that is killed in between leaves a child that waits
 * for ever, and one killed right after the target was let go may leave it running. The keeper outlives its bubblewrap
 * whatever becomes of the front: at end of file on the front's socket it kills the sandbox's pid 1, which takes every
 * process of the sandbox along (pid_namespaces(7)), and then waits for bubblewrap.
 *
 * It ends as bubblewrap ended, 128+n for signal n. It holds no descriptor of the target's.
 */
#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/time_types.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "keeper/doorway.h"
#include "keeper/exec_watch.h"
#include "keeper/format.h"
#include "keeper/remount.h"

enum { INFO_BYTES_MAX = 4096, SIGNAL_CHILD = 17, SIGNAL_KILL = 9, BY_EMPTY_PATH = 0x1000, END_WAIT_S = 5, INTERRUPTED_WAIT = -E_INTR };

struct child {
  int pid; /* 0: none */
  int pidfd;
};

struct sandbox {
  int front;
  int bwrap_pid;
  int bwrap_pidfd;
  int first_pid; /* its pid 1, as numbered out here; 0: not known */
  int first_pidfd;
  struct child remounter;
};

static void say(const char* words) { (void)syscall3(__NR_write, 2, (long)words, (long)text_size(words)); }

/* As vfork(2): the child borrows the keeper's memory until it has executed, which spares a copy of the page tables. It
 * writes to nothing that the keeper reads after. */
__attribute__((noinline)) static long start_bubblewrap(int program, char** argv, int* pidfd) {
  const int keeper_pid = (int)syscall0(__NR_getpid);
  const long flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGNAL_CHILD;
  const long pid = syscall5(__NR_clone, flags, 0, (long)pidfd, 0, 0);
  if (pid != 0) return pid;
  char* no_environment[1] = {NULL};
  (void)syscall5(__NR_prctl, PR_SET_PDEATHSIG, SIGNAL_KILL, 0, 0, 0);
  if (syscall0(__NR_getppid) != keeper_pid) leave(LNK_KEEPER_EXIT_NOT_STARTED);
  (void)syscall5(__NR_execveat, program, (long)"", (long)argv, (long)no_environment, BY_EMPTY_PATH);
  say("bubblewrap could not be executed\n");
  leave(LNK_KEEPER_EXIT_NOT_STARTED);
}

/* Closes all but three; what bubblewrap was given is none of the keeper's, its pipe for messages included. */
static void close_others(int a, int b, int c) {
  int kept[3] = {a, b, c};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (kept[j] <= kept[j + 1]) continue;
      const int swapped = kept[j];
      kept[j] = kept[j + 1];
      kept[j + 1] = swapped;
    }
  }
  int first = 0;
  for (int i = 0; i < 3; ++i) {
    if (kept[i] > first) (void)syscall3(__NR_close_range, first, kept[i] - 1, 0);
    first = kept[i] + 1;
  }
  (void)syscall3(__NR_close_range, first, -1, 0);
}

/* The number after "child-pid": in what bubblewrap writes to --info-fd; 0: none. */
static int find_child_pid(const char* text, long size) {
  static const char kKey[] = "\"child-pid\":";
  const long key_size = sizeof kKey - 1;
  for (long at = 0; at + key_size < size; ++at) {
    long same = 0;
    while (same < key_size && text[at + same] == kKey[same]) ++same;
    if (same < key_size) continue;
    long digit = at + key_size;
    while (digit < size && text[digit] == ' ') ++digit;
    int value = 0;
    for (; digit < size && text[digit] >= '0' && text[digit] <= '9' && value < 100000000; ++digit)
      value = value * 10 + (text[digit] - '0');
    return value;
  }
  return 0;
}

/* Reads to the end: bubblewrap closes it once it has told all, or ends. */
static void learn_first_process(struct sandbox* sandbox, int info) {
  char text[INFO_BYTES_MAX];
  long size = 0;
  while (size < INFO_BYTES_MAX) {
    const long got = syscall3(__NR_read, info, (long)(text + size), INFO_BYTES_MAX - size);
    if (got == -E_INTR) continue;
    if (got <= 0) break;
    size += got;
  }
  (void)syscall1(__NR_close, info);
  const int pid = find_child_pid(text, size);
  if (pid <= 1) return;
  /* The number is the child's as long as bubblewrap, which alone may wait for it, has not ended. */
  const long pidfd = syscall2(__NR_pidfd_open, pid, 0);
  if (pidfd < 0) return;
  sandbox->first_pid = pid;
  sandbox->first_pidfd = (int)pidfd;
}

/* Its exit code, 128+n for signal n. */
static int wait_for_child(long pid) {
  int status = 0;
  long result;
  do {
    result = syscall4(__NR_wait4, pid, (long)&status, 0, 0);
  } while (result == INTERRUPTED_WAIT);
  if (result < 0) return LNK_KEEPER_EXIT_NOT_STARTED;
  const int signal = status & 0x7f;
  return signal != 0 ? 128 + signal : (status >> 8) & 0xff;
}

/* Killing pid 1 kills the whole sandbox; bubblewrap then ends by itself. Where pid 1 is not known there is none. */
static int end_sandbox(const struct sandbox* sandbox) {
  if (sandbox->first_pid != 0) {
    (void)syscall4(__NR_pidfd_send_signal, sandbox->first_pidfd, SIGNAL_KILL, 0, 0);
  } else {
    (void)syscall4(__NR_pidfd_send_signal, sandbox->bwrap_pidfd, SIGNAL_KILL, 0, 0);
  }
  return wait_for_child(sandbox->bwrap_pid);
}

/* A child that serves one socket of the front's; pid 0 where it could not be made. */
static struct child start_server(const struct sandbox* sandbox, int socket,
                                 void (*serve)(int pid, int pidfd, int keeper_pid, int socket)) {
  struct child child = {0, -1};
  if (sandbox->first_pid == 0) return child;
  const int keeper_pid = (int)syscall0(__NR_getpid);
  const long pid = syscall5(__NR_clone, CLONE_PIDFD | SIGNAL_CHILD, 0, (long)&child.pidfd, 0, 0);
  if (pid > 0) child.pid = (int)pid;
  if (pid != 0) return child;
  (void)syscall1(__NR_close, sandbox->front);
  serve(sandbox->first_pid, sandbox->first_pidfd, keeper_pid, socket);
  leave(0);
}

static void reap(struct child* child) {
  if (child->pid == 0) return;
  (void)wait_for_child(child->pid);
  (void)syscall1(__NR_close, child->pidfd);
  child->pid = 0;
  child->pidfd = -1;
}

/* The front asks for one after the other, so the last has answered. Inside it may have been stopped before it could leave. */
static void replace_remounter(struct sandbox* sandbox, int socket) {
  if (sandbox->remounter.pid != 0) (void)syscall4(__NR_pidfd_send_signal, sandbox->remounter.pidfd, SIGNAL_KILL, 0, 0);
  reap(&sandbox->remounter);
  sandbox->remounter = start_server(sandbox, socket, serve_remount);
}

/* 0 at the front's end. */
static int serve_front(struct sandbox* sandbox) {
  lnk_keeper_request request;
  int fd = -1;
  const long size = receive_one(sandbox->front, &request, sizeof request, &fd);
  if (size <= 0 && size != -E_PROTO) return 0;
  const int is_known = size == (long)sizeof request && request.magic == LNK_KEEPER_MAGIC && fd >= 0;
  if (is_known && request.kind == LNK_KEEPER_OPEN_DOORWAY) (void)start_server(sandbox, fd, serve_doorway);
  if (is_known && request.kind == LNK_KEEPER_REMOUNT) replace_remounter(sandbox, fd);
  if (is_known && request.kind == LNK_KEEPER_EXEC_WATCH) (void)start_server(sandbox, fd, serve_exec_watch);
  if (fd >= 0) (void)syscall1(__NR_close, fd);
  return 1;
}

/* bubblewrap ends as soon as its pid 1 tells how the target ended, and pid 1 once all of the sandbox has. Until then the exec watch,
 * which dies with this process, has calls to answer, and its front takes its end for a fault. */
static int end_with_sandbox(const struct sandbox* sandbox, int code) {
  struct pollfd first = {sandbox->first_pidfd, POLLIN, 0};
  const struct __kernel_timespec patience = {END_WAIT_S, 0};
  if (sandbox->first_pid != 0)
    while (syscall5(__NR_ppoll, (long)&first, 1, (long)&patience, 0, 0) == -E_INTR) {
    }
  return code;
}

/* The remounter is reaped when it ends, so that a long run doesn't gather dead children, and never waited for: the front's end
 * must be seen whatever it does. */
static int keep(struct sandbox* sandbox) {
  for (;;) {
    struct pollfd watched[3] = {
        {sandbox->bwrap_pidfd, POLLIN, 0}, {sandbox->front, POLLIN, 0}, {sandbox->remounter.pidfd, POLLIN, 0}};
    const long ready = syscall5(__NR_ppoll, (long)watched, 3, 0, 0, 0);
    if (ready < 0 && ready != -E_INTR) return end_sandbox(sandbox);
    if (ready <= 0) continue;
    if (watched[0].revents != 0) return end_with_sandbox(sandbox, wait_for_child(sandbox->bwrap_pid));
    if (watched[2].revents != 0) reap(&sandbox->remounter);
    if (watched[1].revents != 0 && !serve_front(sandbox)) return end_sandbox(sandbox);
  }
}

int program_main(int argc, char** argv) {
  if (argc < 5) return LNK_KEEPER_EXIT_NOT_STARTED;
  struct sandbox sandbox = {parse_number(argv[1]), 0, -1, 0, -1, {0, -1}};
  const int program = parse_number(argv[2]);
  const int info = parse_number(argv[3]);
  if (sandbox.front < 0 || program < 0 || info < 0) return LNK_KEEPER_EXIT_NOT_STARTED;
  const int kept_from_bubblewrap[3] = {sandbox.front, program, info};
  for (int i = 0; i < 3; ++i) (void)syscall3(__NR_fcntl, kept_from_bubblewrap[i], F_SETFD, 1 /* FD_CLOEXEC */);
  const long pid = start_bubblewrap(program, argv + 4, &sandbox.bwrap_pidfd);
  if (pid < 0) {
    say("the keeper could not fork\n");
    return LNK_KEEPER_EXIT_NOT_STARTED;
  }
  sandbox.bwrap_pid = (int)pid;
  close_others(sandbox.front, info, sandbox.bwrap_pidfd);
  learn_first_process(&sandbox, info);
  return keep(&sandbox);
}
