// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ways.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attacks.h"

void split(const char* path, char* above, const char** name) {
  const char* slash = strrchr(path, '/');
  snprintf(above, kPathMax, "%.*s", slash == path ? 1 : (int)(slash - path), path);
  *name = slash + 1;
}

static int put(char* out, const char* before, const char* after) {
  if (snprintf(out, kPathMax, "%s%s", before, after) < kPathMax) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

static int plain(const char* path, const char* scratch, char* out) {
  (void)scratch;
  return put(out, "", path);
}
static int self_root(const char* path, const char* scratch, char* out) {
  (void)scratch;
  return put(out, "/proc/self/root", path);
}
static int thread_root(const char* path, const char* scratch, char* out) {
  (void)scratch;
  return put(out, "/proc/thread-self/root", path);
}
static int task_root(const char* path, const char* scratch, char* out) {
  (void)scratch;
  char before[64];
  snprintf(before, sizeof before, "/proc/self/task/%d/root", getpid());
  return put(out, before, path);
}
static int first_root(const char* path, const char* scratch, char* out) {
  (void)scratch;
  return put(out, "/proc/1/root", path);
}

static int relative(const char* path, const char* scratch, char* out) {
  (void)scratch;
  char above[kPathMax];
  const char* name;
  split(path, above, &name);
  return chdir(above) != 0 ? -1 : put(out, "./", name);
}

static int climbing(const char* path, const char* scratch, char* out) {
  if (chdir(scratch) != 0) return -1;
  return put(out, "../../../../../../../../../../../../../../../..", path);
}

static int self_folder(const char* path, const char* scratch, char* out) {
  return relative(path, scratch, out) != 0 ? -1 : put(out, "/proc/self/cwd", strrchr(path, '/'));
}

static int by_descriptor(const char* path, const char* scratch, char* out) {
  (void)scratch;
  char above[kPathMax];
  const char* name;
  split(path, above, &name);
  const int fd = open(above, O_PATH | O_DIRECTORY);
  if (fd < 0) return -1;
  char before[64];
  snprintf(before, sizeof before, "/proc/self/fd/%d/", fd);
  return put(out, before, name);
}

static int dots(const char* path, const char* scratch, char* out) {
  (void)scratch;
  char above[kPathMax];
  const char* name;
  split(path, above, &name);
  const char* last = strrchr(above, '/');
  return snprintf(out, kPathMax, "%s/./..%s//./%s", above, last, name) < kPathMax ? 0 : -1;
}

static int folder_link(const char* path, const char* scratch, char* out) {
  char above[kPathMax], link[kPathMax];
  const char* name;
  split(path, above, &name);
  snprintf(link, sizeof link, "%s/way", scratch);
  unlink(link);
  if (symlink(above, link) != 0) return -1;
  return snprintf(out, kPathMax, "%s/%s", link, name) < kPathMax ? 0 : -1;
}

static int last_link(const char* path, const char* scratch, char* out) {
  snprintf(out, kPathMax, "%s/last-way", scratch);
  unlink(out);
  return symlink(path, out);
}

const struct way kWays[] = {
    {"plain", plain, 0, 1},         {"self-root", self_root, 0, 1},     {"thread-root", thread_root, 0, 1},
    {"task-root", task_root, 0, 1}, {"pid1-root", first_root, 0, 1},    {"relative", relative, 0, 0},
    {"climbing", climbing, 0, 1},   {"self-cwd", self_folder, 0, 0},    {"descriptor", by_descriptor, 0, 0},
    {"dots", dots, 0, 0},           {"folder-link", folder_link, 0, 0}, {"link", last_link, 1, 0},
};
const size_t kWayCount = sizeof kWays / sizeof kWays[0];
