// SPDX-License-Identifier: Apache-2.0
//
//   paths try|make SCRATCH TARGET…   every change of each target, by every way that leads to it: "NUMBER:CHANGE/WAY"
//   reads try SCRATCH TARGET…        every look at it
//   look PATH…                       no attempt: what an entry and all below it are, a line each
//
// With `make` the target is made before each attempt as the attempt needs it, and removed after: so each can be seen to
// work.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attacks.h"
#include "ways.h"

enum needs { A_FILE, A_FOLDER, NOTHING };
enum { kExchange = 2, kNoReplace = 1 };

static char spare[kPathMax];  // a name in the scratch folder

static int make_file(const char* path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return -1;
  const ssize_t written = write(fd, "text\n", 5);
  close(fd);
  return written == 5 ? 0 : -1;
}
static void clear(const char* path) {
  char inside[kPathMax + 8];
  snprintf(inside, sizeof inside, "%s/in", path);
  unlink(inside);
  rmdir(inside);
  if (unlink(path) != 0) rmdir(path);
}
static const char* fresh_spare(void) {
  clear(spare);
  return spare;
}
static const char* spare_file(void) {
  fresh_spare();
  return make_file(spare) == 0 ? spare : NULL;
}
static const char* inside_of(const char* folder) {
  static char path[kPathMax + 8];
  snprintf(path, sizeof path, "%s/in", folder);
  return path;
}

// Of a file ----------------------------------------------------------------------------------------------------------

static int open_writing(const char* p) { return opened(open(p, O_WRONLY)); }
static int open_both(const char* p) { return opened(open(p, O_RDWR)); }
static int open_appending(const char* p) { return opened(open(p, O_WRONLY | O_APPEND)); }
static int open_cutting(const char* p) { return opened(open(p, O_WRONLY | O_TRUNC)); }
static int open_cutting_only(const char* p) { return opened(open(p, O_RDONLY | O_TRUNC)); }
static int creat_over(const char* p) { return opened(creat(p, 0644)); }
static int open_with_how(const char* p) {
  const struct open_how how = {.flags = O_RDWR, .resolve = 0};
  return opened((int)syscall(SYS_openat2, AT_FDCWD, p, &how, sizeof how));
}
static int open_again(const char* p, int flags) {
  const int fd = open(p, flags);
  if (fd < 0) return -1;
  char again[64];
  snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
  return opened(open(again, O_RDWR));
}
static int read_then_write(const char* p) { return open_again(p, O_RDONLY); }
static int path_then_write(const char* p) { return open_again(p, O_PATH); }
static int cut(const char* p) { return truncate(p, 1); }
static int remove_file(const char* p) { return unlink(p); }
static int move_away(const char* p) { return rename(p, fresh_spare()); }
static int move_over(const char* p) { return spare_file() == NULL ? -1 : rename(spare, p); }
static int exchange(const char* p) {
  return spare_file() == NULL ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, spare, AT_FDCWD, p, kExchange);
}
static int link_out(const char* p) { return linkat(AT_FDCWD, p, AT_FDCWD, fresh_spare(), 0); }
static int link_out_by_descriptor(const char* p) {
  const int fd = open(p, O_PATH);
  if (fd < 0) return -1;
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, name, AT_FDCWD, fresh_spare(), AT_SYMLINK_FOLLOW);
}
static int set_mode(const char* p) { return chmod(p, 0666); }
static int set_owner(const char* p) { return chown(p, getuid(), getgid()); }
static int set_times(const char* p) { return utimensat(AT_FDCWD, p, NULL, 0); }
static int set_attribute(const char* p) { return setxattr(p, "user.lnk", "x", 1, 0); }
static int by_read_descriptor(const char* p, int (*change)(int fd)) {
  const int fd = open(p, O_RDONLY);
  return fd < 0 ? -1 : change(fd);
}
static int mode_of(int fd) { return fchmod(fd, 0666); }
static int owner_of(int fd) { return fchown(fd, getuid(), getgid()); }
static int times_of(int fd) { return futimens(fd, NULL); }
static int attribute_of(int fd) { return fsetxattr(fd, "user.lnk", "x", 1, 0); }
static int set_mode_by_descriptor(const char* p) { return by_read_descriptor(p, mode_of); }
static int set_owner_by_descriptor(const char* p) { return by_read_descriptor(p, owner_of); }
static int set_times_by_descriptor(const char* p) { return by_read_descriptor(p, times_of); }
static int set_attribute_by_descriptor(const char* p) { return by_read_descriptor(p, attribute_of); }
// Calls that are younger than the C library's headers: the same number on every architecture.
enum { kChangeModeAt = 452, kSetAttributeAt = 463 };
static int set_mode_at(const char* p) { return (int)syscall(kChangeModeAt, AT_FDCWD, p, 0666, 0); }
static int set_attribute_at(const char* p) {
  const struct {
    unsigned long value;
    unsigned size, flags;
  } value = {(unsigned long)"x", 1, 0};
  return (int)syscall(kSetAttributeAt, AT_FDCWD, p, 0, "user.lnk", &value, sizeof value);
}
// Attributes of a file system's own are set through a descriptor that reads.
static int flags_of(int fd) {
  const int noatime = FS_NOATIME_FL;
  return ioctl(fd, FS_IOC_SETFLAGS, &noatime);
}
static int set_flags(const char* p) { return by_read_descriptor(p, flags_of); }
static int map_writing(const char* p) {
  const int fd = open(p, O_RDWR);
  if (fd < 0) return -1;
  char* at = mmap(NULL, 5, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) return -1;
  at[0] = 'T';
  return msync(at, 5, MS_SYNC);
}
static int move_folder_above(const char* p) {
  char above[kPathMax], moved[kPathMax + 8];
  const char* name;
  split(p, above, &name);
  snprintf(moved, sizeof moved, "%s-moved", above);
  if (rename(above, moved) != 0) return -1;
  // Built anew in its place, and put right again for who may.
  if (mkdir(above, 0755) != 0 || make_file(p) != 0) return -1;
  return unlink(p) == 0 && rmdir(above) == 0 ? rename(moved, above) : -1;
}
static int exchange_folder_above(const char* p) {
  char above[kPathMax];
  const char* name;
  split(p, above, &name);
  if (mkdir(fresh_spare(), 0755) != 0) return -1;
  if (syscall(SYS_renameat2, AT_FDCWD, spare, AT_FDCWD, above, kExchange) != 0) return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, spare, AT_FDCWD, above, kExchange);
}

// Of a folder --------------------------------------------------------------------------------------------------------

static int remove_folder(const char* p) { return rmdir(p); }
static int make_inside(const char* p) { return make_file(inside_of(p)); }
static int folder_inside(const char* p) { return mkdir(inside_of(p), 0755); }
static int unnamed_inside(const char* p) { return opened(open(p, O_TMPFILE | O_RDWR, 0600)); }
static int exchange_folder(const char* p) {
  if (mkdir(fresh_spare(), 0755) != 0) return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, spare, AT_FDCWD, p, kExchange);
}
static int folder_over(const char* p) { return mkdir(fresh_spare(), 0755) != 0 ? -1 : rename(spare, p); }

// Where nothing is ---------------------------------------------------------------------------------------------------

static int create(const char* p) { return opened(open(p, O_WRONLY | O_CREAT | O_EXCL, 0644)); }
static int make_folder(const char* p) { return mkdir(p, 0755); }
static int make_fifo(const char* p) { return mknod(p, S_IFIFO | 0644, 0); }
static int make_node(const char* p) { return mknod(p, S_IFREG | 0644, 0); }
static int make_link(const char* p) { return symlink("/", p); }
static int link_in(const char* p) { return spare_file() == NULL ? -1 : link(spare, p); }
static int move_in(const char* p) {
  return spare_file() == NULL ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, spare, AT_FDCWD, p, kNoReplace);
}
static int move_folder_in(const char* p) { return mkdir(fresh_spare(), 0755) != 0 ? -1 : rename(spare, p); }
static int bind_there(const char* p) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  // The name must fit; a long one goes by its folder.
  char above[kPathMax];
  const char* name;
  split(p, above, &name);
  if (chdir(above) != 0) return -1;
  snprintf(address.sun_path, sizeof address.sun_path, "./%.90s", name);
  return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address);
}

// A look -------------------------------------------------------------------------------------------------------------

static int read_it(const char* p) {
  char byte;
  const int fd = open(p, O_RDONLY);
  return fd < 0 || read(fd, &byte, 1) < 0 ? -1 : 0;
}
static int map_it(const char* p) {
  const int fd = open(p, O_RDONLY);
  return fd < 0 || mmap(NULL, 5, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0;
}
static int run_it(const char* p) { return execl(p, p, (char*)NULL); }
static int path_then_read(const char* p) {
  const int fd = open(p, O_PATH);
  if (fd < 0) return -1;
  char again[64];
  snprintf(again, sizeof again, "/proc/self/fd/%d", fd);
  return read_it(again);
}
static int read_by_handle(const char* p) {
  struct file_handle* handle = calloc(1, sizeof *handle + 128);
  int mount;
  handle->handle_bytes = 128;
  if (name_to_handle_at(AT_FDCWD, p, handle, &mount, 0) != 0) return -1;
  char above[kPathMax];
  const char* name;
  split(p, above, &name);
  return opened(open_by_handle_at(open(above, O_RDONLY), handle, O_RDONLY));
}

struct op {
  const char* name;
  enum needs needs;
  int follows;  // a link as the last part leads on
  int (*act)(const char* path);
  int is_above;  // changes the folder above, for which an alias of that folder is no name
};

static const struct op kChanges[] = {
    {"open-write", A_FILE, 1, open_writing, 0},
    {"open-both", A_FILE, 1, open_both, 0},
    {"open-append", A_FILE, 1, open_appending, 0},
    {"open-truncate", A_FILE, 1, open_cutting, 0},
    {"open-read-truncate", A_FILE, 1, open_cutting_only, 0},
    {"creat", A_FILE, 1, creat_over, 0},
    {"openat2", A_FILE, 1, open_with_how, 0},
    {"reopen-read", A_FILE, 1, read_then_write, 0},
    {"reopen-path", A_FILE, 1, path_then_write, 0},
    {"truncate", A_FILE, 1, cut, 0},
    {"unlink", A_FILE, 0, remove_file, 0},
    {"rename-away", A_FILE, 0, move_away, 0},
    {"rename-over", A_FILE, 0, move_over, 0},
    {"exchange", A_FILE, 0, exchange, 0},
    {"link-out", A_FILE, 0, link_out, 0},
    {"link-out-by-fd", A_FILE, 1, link_out_by_descriptor, 0},
    {"chmod", A_FILE, 1, set_mode, 0},
    {"chown", A_FILE, 1, set_owner, 0},
    {"utimens", A_FILE, 1, set_times, 0},
    {"setxattr", A_FILE, 1, set_attribute, 0},
    {"fchmod", A_FILE, 1, set_mode_by_descriptor, 0},
    {"fchown", A_FILE, 1, set_owner_by_descriptor, 0},
    {"futimens", A_FILE, 1, set_times_by_descriptor, 0},
    {"fsetxattr", A_FILE, 1, set_attribute_by_descriptor, 0},
    {"fchmodat2", A_FILE, 1, set_mode_at, 0},
    {"setxattrat", A_FILE, 1, set_attribute_at, 0},
    {"set-flags", A_FILE, 1, set_flags, 0},
    {"map-shared", A_FILE, 1, map_writing, 0},
    {"rename-folder-above", A_FILE, 0, move_folder_above, 1},
    {"exchange-folder-above", A_FILE, 0, exchange_folder_above, 1},
    {"rmdir", A_FOLDER, 0, remove_folder, 0},
    {"rename-folder", A_FOLDER, 0, move_away, 0},
    {"exchange-folder", A_FOLDER, 0, exchange_folder, 0},
    {"folder-over", A_FOLDER, 0, folder_over, 0},
    {"create-inside", A_FOLDER, 1, make_inside, 0},
    {"mkdir-inside", A_FOLDER, 1, folder_inside, 0},
    {"tmpfile-inside", A_FOLDER, 1, unnamed_inside, 0},
    {"chmod-folder", A_FOLDER, 1, set_mode, 0},
    {"utimens-folder", A_FOLDER, 1, set_times, 0},
    {"setxattr-folder", A_FOLDER, 1, set_attribute, 0},
    {"create", NOTHING, 0, create, 0},
    {"mkdir", NOTHING, 0, make_folder, 0},
    {"mkfifo", NOTHING, 0, make_fifo, 0},
    {"mknod", NOTHING, 0, make_node, 0},
    {"symlink", NOTHING, 0, make_link, 0},
    {"link-in", NOTHING, 0, link_in, 0},
    {"rename-in", NOTHING, 0, move_in, 0},
    {"rename-folder-in", NOTHING, 0, move_folder_in, 0},
    {"bind", NOTHING, 0, bind_there, 0},
};

static const struct op kLooks[] = {
    {"read", A_FILE, 1, read_it, 0},
    {"map", A_FILE, 1, map_it, 0},
    {"read-by-path-fd", A_FILE, 1, path_then_read, 0},
    {"execute", A_FILE, 1, run_it, 0},
    {"link-out", A_FILE, 0, link_out, 0},
    {"rename-away", A_FILE, 0, move_away, 0},
    {"read-by-handle", A_FILE, 1, read_by_handle, 0},
};

struct trial {
  const struct op* op;
  const struct way* way;
  const char* target;
  const char* scratch;
};

static int carry_out(void* data) {
  const struct trial* trial = data;
  static char alias[kPathMax];
  if (trial->way->lead(trial->target, trial->scratch, alias) != 0) return -1;
  return trial->op->act(alias);
}

// As an attempt needs it; where it can't be made, the attempt says so.
static void prepare(enum needs needs, const char* target) {
  clear(target);
  const int done = needs == A_FILE ? make_file(target) : needs == A_FOLDER ? mkdir(target, 0755) : 0;
  if (done != 0) perror("attacks: prepare");
}

static void try_one(const struct op* op, const struct way* way, const char* scratch, int makes, int number,
                    const char* target) {
  if ((way->is_last_link && !op->follows) || (op->is_above && !way->is_by_name)) return;
  struct trial trial = {op, way, target, scratch};
  char name[128];
  snprintf(name, sizeof name, "%d:%s/%s", number, op->name, way->name);
  if (makes) prepare(op->needs, target);
  // What executes would not come back.
  (op->act == run_it ? attempt : attempt_here)(name, carry_out, &trial);
  if (makes) clear(target);
  clear(spare);
}

static void try_all(const struct op* ops, size_t count, char** words) {
  const int makes = strcmp(words[0], "make") == 0;
  const char* scratch = words[1];
  snprintf(spare, sizeof spare, "%s/spare", scratch);
  for (int number = 0; words[2 + number] != NULL; ++number) {
    for (size_t i = 0; i < count; ++i)
      for (size_t w = 0; w < kWayCount; ++w) try_one(&ops[i], &kWays[w], scratch, makes, number, words[2 + number]);
  }
}

void attack_paths(char** words) { try_all(kChanges, sizeof kChanges / sizeof kChanges[0], words); }
void attack_reads(char** words) { try_all(kLooks, sizeof kLooks / sizeof kLooks[0], words); }

// A view from outside ------------------------------------------------------------------------------------------------

static void look_at(const char* path, int depth) {
  struct stat seen;
  char text[4096] = "";
  if (lstat(path, &seen) != 0) return;
  if (S_ISREG(seen.st_mode)) {
    const int fd = open(path, O_RDONLY);
    const ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (got > 0) text[strcspn(text, "\n")] = '\0';
    opened(fd);
  }
  printf("%s inode %lu mode %o links %lu owner %u changed %ld.%09ld size %ld %s\n", path, (unsigned long)seen.st_ino,
         seen.st_mode, (unsigned long)seen.st_nlink, seen.st_uid, seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec,
         (long)seen.st_size, text);
  struct dirent** entries = NULL;
  const int count = S_ISDIR(seen.st_mode) && depth < 8 ? scandir(path, &entries, NULL, alphasort) : 0;
  for (int i = 0; i < count; ++i) {
    char below[kPathMax];
    if (strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0) {
      snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
      look_at(below, depth + 1);
    }
    free(entries[i]);
  }
  free(entries);
}

void attack_look(char** words) {
  for (; *words != NULL; ++words) look_at(*words, 0);
}
