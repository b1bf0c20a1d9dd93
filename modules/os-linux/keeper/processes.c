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
  WAIT_US = 200,
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

/* 't', a stop for a tracer, tells nothing: it may be over at once, and one who goes on then takes our stop. So it is no stop by
 * somebody else, and a job that was stopped while traced goes on too early. */
static long note_stopped(long folder, int pid, void* context) {
  struct stopped_before* before = context;
  if (!is_someone_else(pid)) return 0;
  const long state = state_of(folder, pid);
  if (state < 0) return state;
  if (state != 'T') return 0;
  if (before->count == PROCESSES_MAX) return -E_TOOBIG;
  before->pids[before->count++] = pid;
  return 0;
}

/* 1: this thread may still run. 'D' waits within a call and runs nothing: a parent in vfork(2) stays so until its child
 * goes on. */
static long is_running(long folder, int number, void* context) {
  (void)context;
  const long state = state_of(folder, number);
  if (state < 0) return state;
  return state != 'T' && state != 't' && state != 'Z' && state != 'X' && state != 'D';
}

static long has_running_thread(long folder, int pid, void* context) {
  if (!is_someone_else(pid)) return 0;
  const long threads = open_below(folder, pid, "/task", O_DIRECTORY);
  if (threads == -E_NOENT || threads == -E_SRCH) return 0;
  if (threads < 0) return threads;
  const long result = for_each_number(threads, is_running, context);
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

long stop_all(struct stopped_before* before) {
  before->count = 0;
  long result = with_processes(note_stopped, before);
  if (result < 0) return result;
  result = syscall2(__NR_kill, EVERYBODY, SIGNAL_STOP);
  if (result == -E_SRCH) return 0; /* nobody is left */
  if (result < 0) return result;
  for (int looks = 0; looks < LOOKS_MAX; ++looks) {
    result = with_processes(has_running_thread, NULL);
    if (result <= 0) return result;
    const struct __kernel_timespec pause = {0, WAIT_US * 1000L};
    (void)syscall2(__NR_nanosleep, (long)&pause, 0);
  }
  return -E_AGAIN;
}

static struct stopped_before everybody;

static int holds(const struct stopped_before* before, int pid) {
  for (int i = 0; i < before->count; ++i)
    if (before->pids[i] == pid) return 1;
  return 0;
}

static long note_one(long folder, int pid, void* context) {
  (void)folder;
  if (!is_someone_else(pid) || holds(context, pid)) return 0;
  if (everybody.count < PROCESSES_MAX) {
    everybody.pids[everybody.count++] = pid;
  } else {
    (void)syscall2(__NR_kill, pid, SIGNAL_CONTINUE); /* no room to keep the order: none may stay stopped */
  }
  return 0;
}

/* Children first, as far as numbers tell: a parent that waits for stopped children would take this stop for one. */
void let_go_on(const struct stopped_before* before) {
  everybody.count = 0;
  (void)with_processes(note_one, (void*)before);
  for (int i = everybody.count - 1; i >= 0; --i) (void)syscall2(__NR_kill, everybody.pids[i], SIGNAL_CONTINUE);
}
