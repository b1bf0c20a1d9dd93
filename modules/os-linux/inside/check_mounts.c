/* SPDX-License-Identifier: Apache-2.0 */
#include "inside/check_mounts.h"

#include <linux/fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "freestanding/start.h"

enum { BY_EMPTY_PATH = 0x1000, MOUNT_IS_READ_ONLY = 1 /* ST_RDONLY of statfs(2)'s flags */ };
#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000
#endif

/* struct statfs of 64-bit architectures (asm-generic/statfs.h): the flags are its eleventh word but one half. */
struct file_system {
  long type, block_size;
  uint64_t blocks, free, available, files, files_free;
  int id[2];
  long name_max, fragment_size, flags, spare[4];
};

long open_without_links(const char* path) {
  const struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  const long fd = syscall4(__NR_openat2, AT_FDCWD, (long)path, (long)&how, sizeof how);
  if (fd != -E_NOSYS && fd != -E_PERM) return fd;
  /* Outer filters of containers refuse openat2 with either. */
  return syscall4(__NR_openat, AT_FDCWD, (long)path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
}

long check_mount(long fd, const struct lnk_inside_check* what) {
  struct statx seen;
  long result = syscall5(__NR_statx, fd, (long)"", BY_EMPTY_PATH, STATX_INO, (long)&seen);
  if (result < 0) return result;
  /* A kernel before 5.8 can't say so. */
  const int tells_roots = (seen.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
  if (tells_roots && (seen.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0) return -E_STALE;
  const int is_same = seen.stx_ino == what->inode && seen.stx_dev_major == what->device_major &&
                      seen.stx_dev_minor == what->device_minor;
  if ((what->flags & LNK_INSIDE_CHECK_IDENTITY) != 0 && !is_same) return -E_STALE;
  if ((what->flags & LNK_INSIDE_CHECK_READ_ONLY) == 0) return 0;
  struct file_system system;
  result = syscall2(__NR_fstatfs, fd, (long)&system);
  if (result < 0) return result;
  return (system.flags & MOUNT_IS_READ_ONLY) != 0 ? 0 : -E_STALE;
}

long check_mounts(const struct config* config, uint32_t* failed) {
  for (uint32_t i = 0; i < config->head.checkc; ++i) {
    const struct check* check = &config->checks[i];
    const long fd = open_without_links(check->path);
    const long result = fd < 0 ? fd : check_mount(fd, &check->what);
    if (fd >= 0) (void)syscall1(__NR_close, fd);
    if (result == 0) continue;
    *failed = check->what.step;
    return result;
  }
  return 0;
}
