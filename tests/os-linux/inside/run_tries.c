// SPDX-License-Identifier: Apache-2.0
//
// run_tries FOLDER PROGRAM TRY…
//
// Runs inside a sandbox, where FOLDER may be written. Tries to run PROGRAM (a copy of this one) in each of the ways named, each in
// a child, and says "TRY: ran", or the name of the error. Executed with "payload" as its first argument it is what shall run.
// Built without a loader, so that one file is all that a try needs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRan = 200, kPathMax = 4096, kNoExecSeal = 8, kMemoryExec = 16 };

static const char* folder;
static const char* program;
static char* payload_argv[] = {"program", "payload", NULL};
static char* payload_env[] = {NULL};

static char* in_folder(const char* name) {
  static char path[2][kPathMax];
  static int turn;
  turn = !turn;
  snprintf(path[turn], kPathMax, "%s/%s", folder, name);
  return path[turn];
}

static int run(const char* path) { return execve(path, payload_argv, payload_env); }
static int run_descriptor(int fd) { return (int)syscall(SYS_execveat, fd, "", payload_argv, payload_env, AT_EMPTY_PATH); }

static int run_by_proc(const char* form, int fd) {
  char path[64];
  snprintf(path, sizeof path, form, fd);
  return run(path);
}

// Writes the program's bytes into `to`; to, or -1.
static int fill(int to) {
  const int from = open(program, O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (to < 0 || from < 0 || fstat(from, &about) != 0) return -1;
  for (off_t left = about.st_size; left > 0;) {
    const ssize_t sent = sendfile(to, from, NULL, (size_t)left);
    if (sent <= 0) return -1;
    left -= sent;
  }
  close(from);
  return to;
}

// A copy, closed again, since a file that is open to be written can't be run.
static const char* copy(const char* name) {
  const char* path = in_folder(name);
  const int to = fill(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755));
  if (to >= 0) close(to);
  return path;
}

static int reopened(int fd, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  const int again = open(path, flags | O_CLOEXEC);
  close(fd);
  return again;
}

static int path_plain(void) { return run(program); }
static int path_at(void) {
  return (int)syscall(SYS_execveat, AT_FDCWD, program, payload_argv, payload_env, 0);
}
static int path_relative(void) {
  char path[kPathMax];
  snprintf(path, sizeof path, "%s", program);
  char* name = strrchr(path, '/');
  *name = '\0';
  return chdir(path) != 0 ? -1 : run(name + 1);
}
static int path_below_descriptor(void) {
  char path[kPathMax];
  snprintf(path, sizeof path, "%s", program);
  char* name = strrchr(path, '/');
  *name = '\0';
  const int at = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return (int)syscall(SYS_execveat, at, name + 1, payload_argv, payload_env, 0);
}
static int path_by_root(void) {
  char path[kPathMax];
  snprintf(path, sizeof path, "/proc/self/root%s", program);
  return run(path);
}
static int path_by_link(void) {
  const char* link = in_folder("link");
  unlink(link);
  return symlink(program, link) != 0 ? -1 : run(link);
}
static int path_copied(void) { return run(copy("copied")); }
static int path_renamed(void) {
  const char* from = copy("before");
  const char* to = in_folder("after");
  return rename(from, to) != 0 ? -1 : run(to);
}
static int path_script(void) {
  const char* path = in_folder("script");
  const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
  dprintf(to, "#! \t%s payload\n", program);
  close(to);
  return run(path);
}
static int descriptor_plain(void) { return run_descriptor(open(program, O_RDONLY | O_CLOEXEC)); }
static int descriptor_path(void) { return run_descriptor(open(program, O_PATH | O_CLOEXEC)); }
static int descriptor_fexecve(void) { return fexecve(open(program, O_RDONLY), payload_argv, payload_env); }
static int descriptor_proc(void) { return run_by_proc("/proc/self/fd/%d", open(program, O_RDONLY)); }
static int descriptor_dev(void) { return run_by_proc("/dev/fd/%d", open(program, O_RDONLY)); }
static int descriptor_thread(void) { return run_by_proc("/proc/thread-self/fd/%d", open(program, O_RDONLY)); }
static int descriptor_unnamed(void) {
  const int fd = fill(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0755));
  return run_by_proc("/proc/self/fd/%d", reopened(fd, O_RDONLY));
}
static int descriptor_deleted(void) {
  const char* path = copy("deleted");
  const int fd = open(path, O_RDONLY);
  unlink(path);
  return run_by_proc("/proc/self/fd/%d", fd);
}
static int shared_memory(void) {
  const int fd = fill(shm_open("/tries", O_RDWR | O_CREAT | O_TRUNC, 0755));
  shm_unlink("/tries");
  return run_by_proc("/proc/self/fd/%d", reopened(fd, O_RDONLY));
}

static int memory(unsigned flags) { return fill((int)syscall(SYS_memfd_create, "tries", flags)); }
// What no name leads to is opened again to be read, since the copy that writes keeps it from running: ETXTBSY.
static int run_memory(unsigned flags, const char* form) {
  const int fd = memory(flags);
  if (fd < 0) return -1;
  fchmod(fd, 0755);
  const int again = reopened(fd, O_RDONLY);
  return form == NULL ? run_descriptor(again) : run_by_proc(form, again);
}
static int memory_plain(void) { return run_memory(0, "/proc/self/fd/%d"); }
static int memory_cloexec(void) { return run_memory(MFD_CLOEXEC, "/proc/self/fd/%d"); }
static int memory_sealing(void) { return run_memory(MFD_ALLOW_SEALING, "/proc/self/fd/%d"); }
static int memory_exec(void) { return run_memory(kMemoryExec, "/proc/self/fd/%d"); }
static int memory_sealed(void) { return run_memory(kNoExecSeal, "/proc/self/fd/%d"); }
static int memory_descriptor(void) { return run_memory(0, NULL); }
static int memory_inherited(void) {
  const int fd = memory(0);
  if (fd < 0) return -1;
  fchmod(fd, 0755);
  const int again = reopened(fd, O_RDONLY);
  if (fork() == 0) _exit(run_by_proc("/proc/self/fd/%d", again) != 0 ? errno : 0);
  int status;
  wait(&status);
  if (WEXITSTATUS(status) == kRan) _exit(kRan);
  errno = WEXITSTATUS(status);
  return -1;
}
static int memory_made(void) { return memory(0) < 0 ? -1 : 0; }
static int memory_huge(void) { return (int)syscall(SYS_memfd_create, "tries", MFD_HUGETLB); }
static int memory_huge_sealed(void) { return (int)syscall(SYS_memfd_create, "tries", MFD_HUGETLB | kNoExecSeal); }
static int memory_flag_unknown(void) { return (int)syscall(SYS_memfd_create, "tries", 0x100); }
static int memory_name_long(void) {
  char name[400];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  return (int)syscall(SYS_memfd_create, name, 0);
}
static int memory_name_nowhere(void) { return (int)syscall(SYS_memfd_create, (char*)16, 0); }
static int memory_chmod(void) {
  const int fd = memory(0);
  return fd < 0 ? -1 : fchmod(fd, 0755);
}
// Just in time compilers map one of these to be written and once more to be executed.
static int memory_mapped(void) {
  const int fd = memory(MFD_CLOEXEC);
  if (fd < 0) return -1;
  char* write = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char* execute = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
  if (write == MAP_FAILED || execute == MAP_FAILED) return -1;
#if defined(__x86_64__)
  write[0] = (char)0xc3; /* ret */
  ((void (*)(void))(void*)execute)();
#endif
  return 0;
}
static int memory_seals(void) {
  const int plain = memory(0);
  const int sealing = memory(MFD_ALLOW_SEALING);
  if (plain < 0 || sealing < 0) return -1;
  if (fcntl(plain, F_ADD_SEALS, F_SEAL_WRITE) == 0) return errno = EPROTO, -1; /* it wasn't asked for */
  return fcntl(sealing, F_ADD_SEALS, F_SEAL_WRITE);
}
static int memory_keeps_cloexec(void) {
  const int plain = memory(0);
  const int closed = memory(MFD_CLOEXEC);
  if (plain < 0 || closed < 0) return -1;
  if ((fcntl(plain, F_GETFD) & FD_CLOEXEC) != 0 || (fcntl(closed, F_GETFD) & FD_CLOEXEC) == 0) return errno = EPROTO, -1;
  return 0;
}
static int memory_no_number(void) {
  while (dup(0) >= 0) {
  }
  return (int)syscall(SYS_memfd_create, "tries", 0);
}
// What is mapped has a name below /proc/self/map_files, which takes a privilege to follow.
static int run_mapped(const void* at, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)at, (unsigned long)at + size);
  return run(path);
}
static int mapped_anonymous(void) {
  char* at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? -1 : run_mapped(at, 4096);
}
static int mapped_system_v(void) {
  const int id = shmget(IPC_PRIVATE, 4096, 0755);
  void* at = id < 0 ? MAP_FAILED : shmat(id, NULL, 0);
  return at == MAP_FAILED ? -1 : run_mapped(at, 4096);
}

struct way {
  const char* name;
  int (*go)(void);
};
#define WAY(name) {#name, name}
static const struct way kWays[] = {
    WAY(path_plain),          WAY(path_at),           WAY(path_relative),      WAY(path_below_descriptor), WAY(path_by_root),
    WAY(path_by_link),        WAY(path_copied),       WAY(path_renamed),       WAY(path_script),           WAY(descriptor_plain),
    WAY(descriptor_path),     WAY(descriptor_fexecve), WAY(descriptor_proc),   WAY(descriptor_dev),        WAY(descriptor_thread),
    WAY(descriptor_unnamed),  WAY(descriptor_deleted), WAY(shared_memory),     WAY(memory_plain),          WAY(memory_cloexec),
    WAY(memory_sealing),      WAY(memory_exec),       WAY(memory_sealed),      WAY(memory_descriptor),     WAY(memory_inherited),
    WAY(memory_made),         WAY(memory_huge),       WAY(memory_huge_sealed), WAY(memory_flag_unknown),   WAY(memory_name_long),
    WAY(memory_name_nowhere), WAY(memory_chmod),      WAY(memory_mapped),      WAY(memory_seals),          WAY(memory_keeps_cloexec),
    WAY(memory_no_number),    WAY(mapped_anonymous),  WAY(mapped_system_v),
};

static void try_one(const struct way* way) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(way->go() == 0 ? 0 : errno);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) {
    printf("%s: signal %d\n", way->name, WTERMSIG(status));
    return;
  }
  const int code = WEXITSTATUS(status);
  printf("%s: %s\n", way->name, code == kRan ? "ran" : code == 0 ? "ok" : strerrorname_np(code));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "payload") == 0) return kRan;
  if (argc < 4) return 2;
  folder = argv[1];
  program = argv[2];
  for (int i = 3; i < argc; ++i) {
    for (size_t at = 0; at < sizeof kWays / sizeof kWays[0]; ++at) {
      if (strcmp(argv[i], "all") == 0 || strcmp(argv[i], kWays[at].name) == 0) try_one(&kWays[at]);
    }
  }
  return 0;
}
