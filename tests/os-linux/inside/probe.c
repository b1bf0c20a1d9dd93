// SPDX-License-Identifier: Apache-2.0
//
// probe NONCE TRY ARGUMENT… [, TRY ARGUMENT…]…
//
// Runs inside a sandbox. Says first "started NONCE", so that a refusal counts only for a program that ran, then tries
// each thing and says "try N: ok", N from 0, or the number of its error instead. Some tries say more before.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kWordsMax = 8, kPathMax = 4096 };

static int opened(const char* path, int flags) {
  const int fd = open(path, flags | O_CLOEXEC, 0644);
  if (fd < 0) return -1;
  return close(fd);
}

static int try_read(char** a) {
  char byte;
  const int fd = open(a[0], O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat seen;
  const int result = fstat(fd, &seen) != 0 ? -1 : S_ISDIR(seen.st_mode) ? 0 : read(fd, &byte, 1) < 0 ? -1 : 0;
  const int error = errno;
  close(fd);
  errno = error;
  return result;
}
static int try_list(char** a) {
  DIR* folder = opendir(a[0]);
  if (folder == NULL) return -1;
  int count = -2;
  while (readdir(folder) != NULL) ++count;
  closedir(folder);
  if (count > 0) return 0;
  errno = ENODATA;
  return -1;
}
static int try_write(char** a) { return opened(a[0], O_WRONLY); }
static int try_truncating_open(char** a) { return opened(a[0], O_WRONLY | O_TRUNC); }
static int try_append(char** a) { return opened(a[0], O_WRONLY | O_APPEND); }
static int try_create(char** a) { return opened(a[0], O_WRONLY | O_CREAT | O_EXCL); }
static int try_truncate(char** a) { return truncate(a[0], 0); }
static int try_unlink(char** a) { return unlink(a[0]); }
static int try_mkdir(char** a) { return mkdir(a[0], 0755); }
static int try_rmdir(char** a) { return rmdir(a[0]); }
static int try_rename(char** a) { return rename(a[0], a[1]); }
static int try_exchange(char** a) { return renameat2(AT_FDCWD, a[0], AT_FDCWD, a[1], RENAME_EXCHANGE); }
static int try_link(char** a) { return link(a[0], a[1]); }
static int try_symlink(char** a) { return symlink(a[0], a[1]); }
static int try_chmod(char** a) { return chmod(a[0], 0600); }
static int try_fifo(char** a) { return mkfifo(a[0], 0600); }
static int try_exists(char** a) { return access(a[0], F_OK); }

// A child that tells an error by its exit code; ECHILD: a signal ended it.
static int ended_well(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  return errno == 0 ? 0 : -1;
}

static int try_run(char** a) {
  const pid_t child = fork();
  if (child == 0) {
    char* argv[] = {a[0], NULL};
    execv(a[0], argv);
    _exit(errno == 0 ? 1 : errno);
  }
  return ended_well(child);
}

static int try_map_shared(char** a) {
  const int fd = open(a[0], O_RDWR | O_CLOEXEC);
  if (fd < 0) return -1;
  void* at = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return at == MAP_FAILED ? -1 : 0;
}

// syscall NUMBER ARGUMENT…: each as strtoull takes it.
static int try_syscall(char** a) {
  unsigned long long v[7] = {0};
  for (int i = 0; i < 7 && a[i] != NULL; ++i) v[i] = strtoull(a[i], NULL, 0);
  return syscall((long)v[0], v[1], v[2], v[3], v[4], v[5], v[6]) < 0 ? -1 : 0;
}

// getpid by the 32-bit entry.
static int try_int80(char** a) {
  (void)a;
#if defined(__x86_64__)
  const pid_t child = fork();
  if (child == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    _exit((int)result < 0 ? -(int)result : 0);
  }
  return ended_well(child);
#else
  errno = ENOSYS;
  return -1;
#endif
}

static int try_socket(char** a) {
  const int fd = socket(atoi(a[0]), atoi(a[1]), atoi(a[2]));
  return fd < 0 ? -1 : close(fd);
}

static int try_ioctl(char** a) {
  char byte = 'x';
  return syscall(SYS_ioctl, 0, strtoull(a[0], NULL, 0), &byte) < 0 ? -1 : 0;
}

// A thread's flags must pass, a new namespace's not: with fork's stack, so that both are processes here.
static int try_clone(char** a) {
  const long child = syscall(SYS_clone, strtoul(a[0], NULL, 0) | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child < 0) return -1;
  return waitpid((pid_t)child, NULL, 0) == child ? 0 : -1;
}

static int try_unshare(char** a) { return unshare((int)strtoul(a[0], NULL, 0)); }
static int try_clone3(char** a) {
  (void)a;
  return syscall(SYS_clone3, NULL, 0) < 0 ? -1 : 0;
}

static int unix_address(struct sockaddr_un* address, const char* name, socklen_t* size) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(name) + 1 > sizeof address->sun_path) return -1;
  strcpy(address->sun_path, name);
  *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
  if (name[0] == '@') address->sun_path[0] = '\0';
  return 0;
}

static int try_connect(char** a) {
  struct sockaddr_un address;
  socklen_t size;
  if (unix_address(&address, a[0], &size) != 0) return -1;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int result = connect(fd, (struct sockaddr*)&address, size);
  const int error = errno;
  close(fd);
  errno = error;
  return result;
}

static int try_signal(char** a) { return kill(atoi(a[0]), 0); }
static int try_ptrace(char** a) { return ptrace(PTRACE_ATTACH, atoi(a[0]), NULL, NULL) < 0 ? -1 : 0; }
static int try_read_memory(char** a) {
  char byte;
  struct iovec here = {&byte, 1};
  struct iovec there = {(void*)0x400000, 1};
  return process_vm_readv(atoi(a[0]), &here, 1, &there, 1, 0) < 0 ? -1 : 0;
}

// Every descriptor that is open, but the one that looks.
static int try_descriptors(char** a) {
  (void)a;
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) printf("fd %d\n", fd);
  }
  return 0;
}

static int try_environment(char** a) {
  (void)a;
  for (char** entry = environ; *entry != NULL; ++entry) printf("env %s\n", *entry);
  return 0;
}

static int try_signals_default(char** a) {
  (void)a;
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now;
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_DFL) printf("signal %d\n", signal);
    if (sigismember(&blocked, signal) == 1) printf("blocked %d\n", signal);
  }
  return 0;
}

// Leads its group; its parent's session is its own, so that the group is not orphaned.
static int try_group(char** a) {
  (void)a;
  printf("group %d session %d\n", getpgrp() == getpid(), getsid(0) == getsid(getppid()));
  return 0;
}

static int is_process(const char* name) {
  return strspn(name, "0123456789") == strlen(name) || strcmp(name, "self") == 0 || strcmp(name, "thread-self") == 0;
}

// Says every entry below a folder that opens for writing. Nothing is written.
static void say_writable(const char* path, int depth) {
  DIR* folder = depth > 8 ? NULL : opendir(path);
  if (folder == NULL) return;
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char below[kPathMax];
    struct stat seen;
    if (entry->d_name[0] == '.' || (depth == 0 && is_process(entry->d_name))) continue;
    if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) continue;
    if (lstat(below, &seen) != 0 || S_ISLNK(seen.st_mode)) continue;
    if (S_ISDIR(seen.st_mode)) {
      say_writable(below, depth + 1);
    } else if (opened(below, O_WRONLY | O_NONBLOCK) == 0) {
      printf("writable %s\n", below);
    }
  }
  closedir(folder);
}
static int try_find_writable(char** a) {
  say_writable(a[0], 0);
  return 0;
}

static const struct {
  const char* name;
  int (*run)(char**);
} kTries[] = {
    {"read", try_read},
    {"list", try_list},
    {"write", try_write},
    {"truncating-open", try_truncating_open},
    {"append", try_append},
    {"create", try_create},
    {"truncate", try_truncate},
    {"unlink", try_unlink},
    {"mkdir", try_mkdir},
    {"rmdir", try_rmdir},
    {"rename", try_rename},
    {"exchange", try_exchange},
    {"link", try_link},
    {"symlink", try_symlink},
    {"chmod", try_chmod},
    {"fifo", try_fifo},
    {"exists", try_exists},
    {"run", try_run},
    {"map-shared", try_map_shared},
    {"syscall", try_syscall},
    {"int80", try_int80},
    {"socket", try_socket},
    {"ioctl", try_ioctl},
    {"clone", try_clone},
    {"unshare", try_unshare},
    {"clone3", try_clone3},
    {"connect", try_connect},
    {"signal", try_signal},
    {"ptrace", try_ptrace},
    {"read-memory", try_read_memory},
    {"descriptors", try_descriptors},
    {"environment", try_environment},
    {"signals-default", try_signals_default},
    {"group", try_group},
    {"find-writable", try_find_writable},
};

static void attempt(int number, char** words) {
  for (size_t i = 0; i < sizeof kTries / sizeof kTries[0]; ++i) {
    if (strcmp(kTries[i].name, words[0]) != 0) continue;
    errno = 0;
    const int error = kTries[i].run(words + 1) == 0 ? 0 : errno;
    if (error == 0)
      printf("try %d: ok\n", number);
    else
      printf("try %d: %d\n", number, error);
    fflush(stdout);
    return;
  }
  printf("%s: no such try\n", words[0]);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  printf("started %s\n", argv[1]);
  fflush(stdout);
  for (int at = 2, number = 0; at < argc;) {
    char* words[kWordsMax + 1] = {NULL};
    int count = 0;
    for (; at < argc && strcmp(argv[at], ",") != 0; ++at) {
      if (count < kWordsMax) words[count++] = argv[at];
    }
    ++at;
    if (count > 0) attempt(number++, words);
  }
  return 0;
}
