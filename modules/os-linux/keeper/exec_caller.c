/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/exec_caller.h"

#include <linux/fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "freestanding/start.h"
#include "keeper/device_number.h"

enum {
  PAGE_BYTES = 4096,
  TEXT_BYTES_MAX = 2 * LNK_EXEC_PATH_MAX,
  STATUS_BYTES_MAX = 4096,
  KIND_OF_MODE = 0170000,
  MODE_FILE = 0100000,
  MODE_EXECUTE = 0111,
  BY_EMPTY_PATH = 0x1000,
  TRIES_MAX = 32,
  E_NAMETOOLONG = 36,
  E_LOOP = 40,
  E_FAULT = 14
};

struct piece {
  uint64_t base;
  size_t size;
};

long read_text_of(int pid, uint64_t address, char* out, size_t out_size) {
  size_t at = 0;
  while (at < out_size) {
    /* By pages, so that one that can't be read beyond the text's end is no fault. */
    size_t size = PAGE_BYTES - (size_t)((address + at) % PAGE_BYTES);
    if (size > out_size - at) size = out_size - at;
    const struct piece local = {(uint64_t)(uintptr_t)(out + at), size};
    const struct piece remote = {address + at, size};
    const long got = syscall6(__NR_process_vm_readv, pid, (long)&local, 1, (long)&remote, 1, 0);
    if (got < 0) return got;
    if (got == 0) return -E_FAULT;
    for (long i = 0; i < got; ++i) {
      if (out[at + (size_t)i] == '\0') return (long)at + i;
    }
    at += (size_t)got;
  }
  return -E_NAMETOOLONG;
}

/* "/proc/PID/" and the rest, NUL ended. */
static void name_of_process(char* out, int pid, const char* rest) {
  copy_bytes(out, "/proc/", 6);
  const size_t size = 6 + write_number(out + 6, pid);
  copy_bytes(out + size, rest, text_size(rest) + 1);
}

static long open_of_process(int pid, const char* rest, long flags) {
  char name[64];
  name_of_process(name, pid, rest);
  return syscall4(__NR_openat, AT_FDCWD, (long)name, flags | O_CLOEXEC, 0);
}

static long read_link(long folder, const char* name, char* out, size_t out_size) {
  const long size = syscall4(__NR_readlinkat, folder, (long)name, (long)out, (long)out_size);
  if (size < 0) return size;
  if ((size_t)size >= out_size) return -E_NAMETOOLONG;
  out[size] = '\0';
  return size;
}

static long read_link_of_process(int pid, const char* rest, char* out, size_t out_size) {
  char name[64];
  name_of_process(name, pid, rest);
  return read_link(AT_FDCWD, name, out, out_size);
}

long program_of(int pid, char* out, size_t out_size) { return read_link_of_process(pid, "/exe", out, out_size); }

static int begins_with(const char* text, const char* with) {
  while (*with != '\0') {
    if (*text++ != *with++) return 0;
  }
  return 1;
}

/* The number that the sandbox itself gives the process (`key` "NStgid:") or the thread ("NSpid:"): the last of that line of
 * proc_pid_status(5). 0: not known. */
static int number_inside(int pid, const char* key) {
  char text[STATUS_BYTES_MAX];
  const long file = open_of_process(pid, "/status", O_RDONLY);
  if (file < 0) return 0;
  const long size = syscall3(__NR_read, file, (long)text, STATUS_BYTES_MAX - 1);
  (void)syscall1(__NR_close, file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* line = text;
  while (*line != '\0' && !begins_with(line, key)) {
    while (*line != '\0' && *line != '\n') ++line;
    if (*line == '\n') ++line;
  }
  int number = 0;
  for (line += *line == '\0' ? 0 : text_size(key); *line != '\0' && *line != '\n'; ++line) {
    if (*line >= '0' && *line <= '9') {
      number = number * 10 + (*line - '0');
    } else {
      number = 0;
    }
  }
  return number;
}

struct text {
  size_t size;
  char bytes[TEXT_BYTES_MAX];
};

static int append(struct text* to, const char* more) {
  const size_t size = text_size(more);
  if (size >= TEXT_BYTES_MAX - to->size) return 0;
  copy_bytes(to->bytes + to->size, more, size + 1);
  to->size += size;
  return 1;
}

/* What names the caller itself is another process's name out here. */
static int append_own_proc(const struct caller* caller, const char* path, struct text* out) {
  static const char kSelf[] = "/proc/self/";
  static const char kThread[] = "/proc/thread-self/";
  static const char kDescriptors[] = "/dev/fd/";
  const int is_thread = begins_with(path, kThread);
  const int is_descriptor = begins_with(path, kDescriptors);
  const char* rest = path + (is_thread ? sizeof kThread : is_descriptor ? sizeof kDescriptors : sizeof kSelf) - 1;
  char number[12];
  const int process = number_inside(caller->pid, "NStgid:");
  const int thread = is_thread ? number_inside(caller->pid, "NSpid:") : process;
  if (process == 0 || thread == 0) return 0;
  (void)write_number(number, process);
  if (!append(out, "/proc/") || !append(out, number)) return 0;
  (void)write_number(number, thread);
  if (is_thread && (!append(out, "/task/") || !append(out, number))) return 0;
  return append(out, is_descriptor ? "/fd/" : "/") && append(out, rest);
}

/* The path from the sandbox's root on. */
static long make_absolute(const struct caller* caller, const char* path, struct text* out) {
  out->size = 0;
  out->bytes[0] = '\0';
  if (begins_with(path, "/proc/self/") || begins_with(path, "/proc/thread-self/") || begins_with(path, "/dev/fd/"))
    return append_own_proc(caller, path, out) ? 0 : -E_NOENT;
  if (path[0] == '/') return append(out, path) ? 0 : -E_NAMETOOLONG;
  char name[32] = "/cwd";
  if (caller->folder != AT_FDCWD) {
    if (caller->folder < 0) return -E_BADF;
    copy_bytes(name, "/fd/", 4);
    if (caller->folder == 0) copy_bytes(name + 4, "0", 2);
    if (caller->folder > 0) (void)write_number(name + 4, (int)caller->folder);
  }
  const long size = read_link_of_process(caller->pid, name, out->bytes, LNK_EXEC_PATH_MAX);
  if (size < 0) return size;
  out->size = (size_t)size;
  return append(out, "/") && append(out, path) ? 0 : -E_NAMETOOLONG;
}

static const char* skip_number(const char* text) {
  const char* at = text;
  while (*at >= '0' && *at <= '9') ++at;
  return at == text ? NULL : at;
}

/* Where the last part is a link of the kernel's own, of /proc/N/fd or /proc/N/exe, its place; else NULL. Spelled so and in no other
 * way: what climbs, "/proc/../tmp/exe", may name a link of the sandbox's, which leads to another place out here. */
static char* last_of_proc(char* path) {
  const char* at = begins_with(path, "/proc/") ? skip_number(path + 6) : NULL;
  if (at != NULL && begins_with(at, "/task/")) at = skip_number(at + 6);
  if (at == NULL) return NULL;
  if (begins_with(at, "/exe") && at[4] == '\0') return path + (at - path);
  if (!begins_with(at, "/fd/")) return NULL;
  const char* end = skip_number(at + 4);
  return end != NULL && *end == '\0' ? path + (at - path) + 3 : NULL;
}

const struct open_how kLookInside = {O_PATH | O_CLOEXEC, 0, RESOLVE_IN_ROOT};
const struct open_how kLookAtLinkInside = {O_PATH | O_CLOEXEC | O_NOFOLLOW, 0, RESOLVE_IN_ROOT};
const struct open_how kLookAtFolderInside = {O_PATH | O_CLOEXEC | O_DIRECTORY, 0, RESOLVE_IN_ROOT};

/* Of a path that climbs the kernel says EAGAIN where anything on the machine was mounted or renamed meanwhile: openat2(2). */
static long open_inside(long root, const char* path, const struct open_how* how) {
  long fd = -E_AGAIN;
  for (int tries = 0; tries < TRIES_MAX && fd == -E_AGAIN; ++tries) fd = syscall4(__NR_openat2, root, (long)path, (long)how, sizeof *how);
  return fd;
}

/* What a link is itself is no program. */
static long open_named(long root, char* path, int follows) {
  char* last = last_of_proc(path);
  if (last == NULL) return open_inside(root, path, follows ? &kLookInside : &kLookAtLinkInside);
  if (!follows) return -E_LOOP;
  *last = '\0';
  const long folder = open_inside(root, path, &kLookAtFolderInside);
  if (folder < 0) return folder;
  const long fd = syscall4(__NR_openat, folder, (long)(last + 1), O_PATH | O_CLOEXEC, 0);
  (void)syscall1(__NR_close, folder);
  return fd;
}

static long look_at(struct program* out) {
  struct statx about = {0};
  const unsigned wanted = STATX_TYPE | STATX_MODE | STATX_INO | STATX_CTIME;
  const long result = syscall5(__NR_statx, out->fd, (long)"", BY_EMPTY_PATH, wanted, (long)&about);
  if (result < 0) return result;
  if ((about.stx_mode & KIND_OF_MODE) != MODE_FILE || (about.stx_mode & MODE_EXECUTE) == 0) return -E_ACCES;
  out->device = device_number(about.stx_dev_major, about.stx_dev_minor);
  out->inode = about.stx_ino;
  out->changed_s = about.stx_ctime.tv_sec;
  out->changed_ns = about.stx_ctime.tv_nsec;
  out->path[0] = '\0';
  return 0;
}

long name_program(struct program* program) {
  if (program->path[0] != '\0') return 0;
  char name[32] = "/proc/self/fd/";
  (void)write_number(name + 14, (int)program->fd);
  const long result = read_link(AT_FDCWD, name, program->path, sizeof program->path);
  return result < 0 ? result : 0;
}

static long looked_at(long fd, struct program* out) {
  if (fd < 0) return fd;
  out->fd = fd;
  const long result = look_at(out);
  if (result < 0) (void)syscall1(__NR_close, fd);
  return result;
}

long open_program(struct caller* caller, const char* path, struct program* out) {
  static struct text absolute;
  if (path[0] == '\0') return -E_NOENT;
  if (caller->root < 0) caller->root = open_of_process(caller->pid, "/root", O_PATH | O_DIRECTORY);
  if (caller->root < 0) return caller->root;
  const long result = make_absolute(caller, path, &absolute);
  return result < 0 ? result : looked_at(open_named(caller->root, absolute.bytes, caller->follows), out);
}

long open_program_by_descriptor(const struct caller* caller, struct program* out) {
  if (caller->folder < 0) return -E_BADF;
  char name[32] = "/fd/0";
  if (caller->folder > 0) (void)write_number(name + 4, (int)caller->folder);
  return looked_at(open_of_process(caller->pid, name, O_PATH), out);
}
