// SPDX-License-Identifier: Apache-2.0
//
//   processes SECRET PID…   what can be learnt of processes, and done to them; SECRET is looked for in all of /proc/N
//   writable FOLDER         "writable PATH" for each entry below that can be opened for writing; nothing is written
//   descriptors             "descriptor N" for each that is open
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks.h"

enum { kDepthMax = 8, kBlock = 1 << 16 };

static const char* secret;

// Whether a file's first bytes hold the secret: done, where they do.
static int holds_secret(const char* path) {
  static char block[kBlock];
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return -1;
  const ssize_t got = read(fd, block, sizeof block);
  close(fd);
  errno = ENOENT;
  return got > 0 && memmem(block, (size_t)got, secret, strlen(secret)) != NULL ? 0 : -1;
}

struct about {
  int pid;
  const char* entry;
};

static int look(void* data) {
  const struct about* a = data;
  char path[256];
  snprintf(path, sizeof path, "/proc/%d/%s", a->pid, a->entry);
  return holds_secret(path);
}
static int is_there(void* data) {
  char path[64];
  struct stat seen;
  snprintf(path, sizeof path, "/proc/%d", ((const struct about*)data)->pid);
  return stat(path, &seen);
}
static int signal_it(void* data) { return kill(((const struct about*)data)->pid, 0); }
static int signal_by_descriptor(void* data) {
  const int fd = (int)syscall(SYS_pidfd_open, ((const struct about*)data)->pid, 0);
  return fd < 0 ? -1 : (int)syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0);
}
static int queue_signal(void* data) {
  siginfo_t info = {.si_code = SI_QUEUE};
  return (int)syscall(SYS_rt_sigqueueinfo, ((const struct about*)data)->pid, 0, &info);
}
static int own_signal(void* data) {
  const int owner = ((const struct about*)data)->pid;
  int ends[2];
  return pipe(ends) != 0 ? -1 : fcntl(ends[0], F_SETOWN, owner);
}
static int priority_of(void* data) {
  return (int)syscall(SYS_sched_getscheduler, ((const struct about*)data)->pid) < 0 ? -1 : 0;
}
static int limits_of(void* data) {
  return (int)syscall(SYS_prlimit64, ((const struct about*)data)->pid, 7 /* NOFILE */, NULL, NULL);
}
static int open_memory(void* data, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", ((const struct about*)data)->pid);
  return opened(open(path, flags));
}
static int read_memory(void* data) { return open_memory(data, O_RDONLY); }
static int write_memory(void* data) { return open_memory(data, O_RDWR); }

// Any open descriptor of it that can be opened again, its folder and its program: what it stands on.
static int through(void* data, const char* what) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", ((const struct about*)data)->pid, what);
  return opened(open(path, O_RDONLY | O_NONBLOCK));
}
static int its_folder(void* data) { return through(data, "cwd"); }
static int its_program(void* data) { return through(data, "exe"); }
static int its_descriptors(void* data) {
  for (int fd = 0; fd < 64; ++fd) {
    char what[32];
    snprintf(what, sizeof what, "fd/%d", fd);
    if (through(data, what) == 0) return 0;
  }
  return -1;
}

static const struct {
  const char* name;
  int (*act)(void* data);
} kActs[] = {
    {"there", is_there},
    {"signal", signal_it},
    {"pidfd", signal_by_descriptor},
    {"queue", queue_signal},
    {"priority", priority_of},
    {"limits", limits_of},
    {"read-memory", read_memory},
    {"write-memory", write_memory},
    {"folder", its_folder},
    {"program", its_program},
    {"descriptors", its_descriptors},
    {"owner", own_signal},
};
static const char* const kEntries[] = {"environ", "cmdline", "maps", "auxv", "mountinfo", "status", "stack"};

void attack_processes(char** words) {
  secret = words[0];
  for (++words; *words != NULL; ++words) {
    struct about about = {atoi(*words), NULL};
    char name[64];
    for (size_t i = 0; i < sizeof kActs / sizeof kActs[0]; ++i) {
      snprintf(name, sizeof name, "%s/%s", *words, kActs[i].name);
      attempt(name, kActs[i].act, &about);
    }
    for (size_t i = 0; i < sizeof kEntries / sizeof kEntries[0]; ++i) {
      about.entry = kEntries[i];
      snprintf(name, sizeof name, "%s/secret-in-%s", *words, kEntries[i]);
      attempt(name, look, &about);
    }
  }
}

static int is_own(const char* name) {
  // Its own entries, by whatever name: what a process may do to itself is no way out.
  char number[16];
  snprintf(number, sizeof number, "%d", getpid());
  return strcmp(name, number) == 0 || strcmp(name, "self") == 0 || strcmp(name, "thread-self") == 0;
}

static void say_writable(const char* path, int depth) {
  DIR* folder = depth > kDepthMax ? NULL : opendir(path);
  if (folder == NULL) return;
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char below[kPathMax];
    struct stat seen;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (depth == 0 && is_own(entry->d_name)) continue;
    if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) continue;
    if (lstat(below, &seen) != 0 || S_ISLNK(seen.st_mode)) continue;
    if (S_ISDIR(seen.st_mode)) {
      say_writable(below, depth + 1);
    } else if (opened(open(below, O_WRONLY | O_NONBLOCK)) == 0) {
      printf("writable %s\n", below);
    }
  }
  closedir(folder);
}
void attack_writable(char** words) { say_writable(words[0], 0); }

void attack_descriptors(char** words) {
  (void)words;
  for (int fd = 0; fd < 4096; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) printf("descriptor %d\n", fd);
}
