/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded by scripts/bench placeholders: appends to $LNK_FLOCK_TIMES, for each flock(2) that a process waited for, how long
 * that took, and for how long the lock was then held, in nanoseconds. A lock is held until its descriptor is closed. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static int held_fd = -1;
static long waited_ns;
static struct timespec held_since;

static long since_ns(const struct timespec* began) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - began->tv_sec) * 1000000000L + (now.tv_nsec - began->tv_nsec);
}

__attribute__((visibility("default"))) int flock(int fd, int operation) {
  int (*next)(int, int);
  *(void**)&next = dlsym(RTLD_NEXT, "flock"); /* as dlsym(3) has it */
  struct timespec began;
  clock_gettime(CLOCK_MONOTONIC, &began);
  const int result = next(fd, operation);
  waited_ns = since_ns(&began);
  if (result == 0) held_fd = fd;
  clock_gettime(CLOCK_MONOTONIC, &held_since);
  return result;
}

__attribute__((visibility("default"))) int close(int fd) {
  int (*next)(int);
  *(void**)&next = dlsym(RTLD_NEXT, "close");
  if (fd < 0 || fd != held_fd) return next(fd);
  const long held_ns = since_ns(&held_since);
  const int result = next(fd);
  held_fd = -1;
  const char* times = getenv("LNK_FLOCK_TIMES");
  const int log = times == NULL ? -1 : open(times, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return result;
  char line[64];
  const int size = snprintf(line, sizeof line, "%ld %ld\n", waited_ns, held_ns);
  if (write(log, line, (size_t)size) != size) abort();
  next(log);
  return result;
}
