/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/processes.h"

#include <linux/fcntl.h>
#include <linux/time_types.h>

#include "freestanding/start.h"

enum {
  SIGNAL_CONTINUE = 18,
  SIGNAL_STOP = 19,
  EVERYBODY = -1,
  NAMES_BYTES = 4096,
  STAT_BYTES = 512, /* the state stands behind the name, which has at most 64 bytes: proc_pid_stat(5) */
  STATUS_BYTES = 1024,
  WAIT_US = 200,
  QUIET_LOOKS = 2,
  LOOKS_MAX = 10000 /* 2 s */
};

/* As getdents64(2) gives them. */
struct entry {
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t kind;
  char name[];
};

/* Calls `see` for each name that is a number in the folder; 0, -errno, or what `see` answered that isn't 0. */
static long for_each_number(long folder, long (*see)(long folder, int number, void* context), void* context) {
  _Alignas(8) char names[NAMES_BYTES];
  for (;;) {
    const long size = syscall3(__NR_getdents64, folder, (long)names, NAMES_BYTES);
    if (size <= 0) return size;
    for (long at = 0; at < size;) {
      const struct entry* one = (const struct entry*)(names + at);
      at += one->size;
      const int number = parse_number(one->name);
      if (number <= 0) continue;
      const long result = see(folder, number, context);
      if (result != 0) return result;
    }
  }
}

static long open_below(long folder, int number, const char* rest, long flags) {
  char name[32];
  const size_t size = write_number(name, number);
  copy_bytes(name + size, rest, text_size(rest) + 1);
  return syscall4(__NR_openat, folder, (long)name, O_RDONLY | O_CLOEXEC | flags, 0);
}

/* The letter of proc_pid_stat(5), 'X' where the process has ended; -errno. */
static long state_of(long folder, int number) {
  char text[STAT_BYTES];
  const long file = open_below(folder, number, "/stat", 0);
  if (file == -E_NOENT || file == -E_SRCH) return 'X';
  if (file < 0) return file;
  const long size = syscall3(__NR_read, file, (long)text, STAT_BYTES);
  (void)syscall1(__NR_close, file);
  if (size == -E_SRCH) return 'X';
  if (size < 0) return size;
  /* The name before it may hold anything, parentheses too: the last one ends it. */
  long at = size - 1;
  while (at >= 0 && text[at] != ')') --at;
  return at >= 0 && at + 2 < size ? text[at + 2] : -E_PROTO;
}

static int is_someone_else(int pid) { return pid != 1 && pid != (int)syscall0(__NR_getpid); }

static int holds(const struct processes* list, int pid) {
  for (int i = 0; i < list->count; ++i)
    if (list->pids[i] == pid) return 1;
  return 0;
}

static int add(struct processes* list, int pid) {
  if (list->count == PROCESSES_MAX) return 0;
  list->pids[list->count++] = pid;
  return 1;
}

/* Whether a stop that was sent to the process waits still: 1, 0 or -errno. Of the process's own signals ("ShdPnd"), behind lines of any
 * length; a line break in its name is escaped: proc_pid_status(5). */
static long has_stop_waiting(long folder, int pid) {
  static const char kKey[] = "\nShdPnd:\t";
  char text[STATUS_BYTES];
  const long file = open_below(folder, pid, "/status", 0);
  if (file == -E_NOENT || file == -E_SRCH) return 0;
  if (file < 0) return file;
  size_t matched = 0;
  uint64_t signals = 0;
  long size;
  int is_over = 0;
  while (!is_over && (size = syscall3(__NR_read, file, (long)text, STATUS_BYTES)) > 0) {
    for (long at = 0; at < size && !is_over; ++at) {
      if (matched == sizeof kKey - 1) {
        is_over = text[at] == '\n';
        if (!is_over) signals = signals << 4 | (uint64_t)(text[at] <= '9' ? text[at] - '0' : text[at] - 'a' + 10);
      } else if (text[at] == kKey[matched]) {
        ++matched;
      } else {
        matched = text[at] == kKey[0];
      }
    }
  }
  (void)syscall1(__NR_close, file);
  return (long)(signals >> (SIGNAL_STOP - 1) & 1);
}

/* 1: this thread may still run. 'D' waits within a call and runs nothing: a parent in vfork(2) stays so until its child
 * goes on. */
static long is_running(long folder, int number, void* context) {
  (void)context;
  const long state = state_of(folder, number);
  if (state < 0) return state;
  return state != 'T' && state != 't' && state != 'Z' && state != 'X' && state != 'D';
}

static long has_running_thread(long folder, int pid) {
  if (!is_someone_else(pid)) return 0;
  const long threads = open_below(folder, pid, "/task", O_DIRECTORY);
  if (threads == -E_NOENT || threads == -E_SRCH) return 0;
  if (threads < 0) return threads;
  const long result = for_each_number(threads, is_running, NULL);
  (void)syscall1(__NR_close, threads);
  return result == -E_NOENT || result == -E_SRCH ? 0 : result;
}

static long with_processes(long (*see)(long, int, void*), void* context) {
  const long folder = syscall4(__NR_openat, AT_FDCWD, (long)"/proc", O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW, 0);
  if (folder < 0) return folder;
  const long result = for_each_number(folder, see, context);
  (void)syscall1(__NR_close, folder);
  return result;
}

struct stopping {
  int is_running;         /* seen in this look */
  struct processes* held; /* those that were stopped before */
  struct processes again; /* those that our stop had to be sent to once more */
};

/* One that runs and has no stop waiting for it was continued since it was sent ours, by who had not taken its own yet. */
static long stop_again(long folder, int pid, void* context) {
  struct stopping* stopping = context;
  long result = has_running_thread(folder, pid);
  if (result <= 0) return result;
  stopping->is_running = 1;
  result = has_stop_waiting(folder, pid);
  if (result != 0) return result < 0 ? result : 0;
  result = syscall2(__NR_kill, pid, SIGNAL_STOP);
  if (result == 0 && !holds(&stopping->again, pid) && !add(&stopping->again, pid)) return -E_TOOBIG;
  return result == -E_SRCH ? 0 : result;
}

/* Who was stopped when ours came has it waiting still, and takes it only once it goes on; who ran has taken it. So no moment lies
 * between the look and the stop, in which a SIGCONT would be lost. 't', a stop for a tracer, tells nothing: it may be over at once. */
static long note_held(long folder, int pid, void* context) {
  struct stopping* stopping = context;
  if (!is_someone_else(pid) || holds(&stopping->again, pid)) return 0;
  long result = state_of(folder, pid);
  if (result != 'T') return result < 0 ? result : 0;
  result = has_stop_waiting(folder, pid);
  if (result <= 0) return result;
  return add(stopping->held, pid) ? 0 : -E_TOOBIG;
}

static long wait_until_none_runs(struct stopping* stopping) {
  int quiet = 0; /* looks in a row: one that was looked at may be continued by one that is looked at later, and had just not stopped */
  for (int looks = 0; looks < LOOKS_MAX; ++looks) {
    stopping->is_running = 0;
    const long result = with_processes(stop_again, stopping);
    if (result < 0) return result;
    quiet = stopping->is_running ? 0 : quiet + 1;
    if (quiet == QUIET_LOOKS) return 0;
    const struct __kernel_timespec pause = {0, WAIT_US * 1000L};
    if (quiet == 0) (void)syscall2(__NR_nanosleep, (long)&pause, 0);
  }
  return -E_AGAIN;
}

long stop_all(struct processes* held) {
  static struct stopping stopping;
  held->count = stopping.again.count = 0;
  stopping.held = held;
  long result = syscall2(__NR_kill, EVERYBODY, SIGNAL_STOP);
  if (result == -E_SRCH) return 0; /* nobody is left */
  if (result == 0) result = wait_until_none_runs(&stopping);
  return result == 0 ? with_processes(note_held, &stopping) : result;
}

static struct processes everybody;

static long note_one(long folder, int pid, void* context) {
  (void)folder;
  if (!is_someone_else(pid) || holds(context, pid)) return 0;
  if (!add(&everybody, pid)) (void)syscall2(__NR_kill, pid, SIGNAL_CONTINUE); /* no room to keep the order: none may stay stopped */
  return 0;
}

/* Children first, as far as numbers tell: a parent that waits for stopped children would take this stop for one. */
void let_go_on(const struct processes* held) {
  everybody.count = 0;
  (void)with_processes(note_one, (void*)held);
  for (int i = everybody.count - 1; i >= 0; --i) (void)syscall2(__NR_kill, everybody.pids[i], SIGNAL_CONTINUE);
}
