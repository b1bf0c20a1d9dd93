/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/remount.h"

#include <linux/fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/prctl.h>
#include <linux/stat.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "keeper/device_number.h"
#include "keeper/format.h"
#include "keeper/namespaces.h"
#include "keeper/processes.h"

enum { SIGNAL_CHILD = 17, SIGNAL_KILL = 9, BY_EMPTY_PATH = 0x1000, KIND_OF_MODE = 0170000, MODE_LINK = 0120000, MODE_FOLDER = 0040000 };

static int is_sound(const lnk_remount_request* request, long size) {
  return size == (long)sizeof *request && request->magic == LNK_KEEPER_MAGIC && request->path_size > 1 &&
         request->path_size < LNK_REMOUNT_PATH_MAX && request->path[0] == '/' &&
         request->path[request->path_size] == '\0' && text_size(request->path) == request->path_size;
}

static long join(int pid, int pidfd) {
  const long mounts = open_namespace(pid, pidfd, "mnt");
  if (mounts < 0) return mounts;
  const long pids = open_namespace(pid, pidfd, "pid");
  if (pids < 0) return pids;
  long result = join_owner_of(mounts);
  if (result == 0) result = syscall2(__NR_setns, pids, NEW_PIDS); /* for the child it forks: pid_namespaces(7) */
  if (result == 0) result = syscall2(__NR_setns, mounts, NEW_MOUNTS);
  (void)syscall1(__NR_close, pids);
  (void)syscall1(__NR_close, mounts);
  return result;
}

static long look(const lnk_remount_request* request, long* found) {
  struct open_how how = {O_PATH | O_CLOEXEC | O_NOFOLLOW, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  *found = syscall4(__NR_openat2, AT_FDCWD, (long)request->path, (long)&how, sizeof how);
  if (*found < 0) return *found;
  struct statx about = {0};
  const long result = syscall5(__NR_statx, *found, (long)"", BY_EMPTY_PATH, STATX_TYPE | STATX_INO, (long)&about);
  if (result < 0) return result;
  if ((about.stx_mode & KIND_OF_MODE) == MODE_LINK) return -E_STALE;
  const int is_it = about.stx_ino == request->inode &&
                    device_number(about.stx_dev_major, about.stx_dev_minor) == request->device;
  return is_it ? 0 : -E_STALE;
}

/* Mounts it over itself, by descriptor alone. */
static long cover(long found) {
  const long tree = syscall3(__NR_open_tree, found, (long)"", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | BY_EMPTY_PATH);
  if (tree < 0) return tree;
  struct mount_attr read_only = {MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0, 0, 0};
  long result = syscall5(__NR_mount_setattr, tree, (long)"", BY_EMPTY_PATH, (long)&read_only, sizeof read_only);
  if (result == 0)
    result = syscall5(__NR_move_mount, tree, (long)"", found, (long)"", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
  (void)syscall1(__NR_close, tree);
  return result;
}

/* What is quick may have linked it elsewhere before it was held, where it could be written later. By its name no link can be made
 * once it is mounted over (link(2), EXDEV), so what is counted now is all. */
static long has_one_name(long found) {
  struct statx about = {0};
  const long result = syscall5(__NR_statx, found, (long)"", BY_EMPTY_PATH, STATX_TYPE | STATX_NLINK, (long)&about);
  if (result < 0) return result;
  const int is_folder = (about.stx_mode & KIND_OF_MODE) == MODE_FOLDER;
  return is_folder || about.stx_nlink <= 1 ? 0 : -E_MLINK;
}

/* In the sandbox's pid namespace, where it is seen but, not being dumpable, not looked into. */
static lnk_remount_reply hold_again(const lnk_remount_request* request) {
  static struct stopped_before before;
  lnk_remount_reply reply = {LNK_KEEPER_MAGIC, 0, LNK_REMOUNT_STOP};
  long found = -1;
  long result = stop_all(&before);
  if (result == 0) {
    reply.step = LNK_REMOUNT_LOOK;
    result = look(request, &found);
  }
  if (result == 0) {
    reply.step = LNK_REMOUNT_MOUNT;
    result = cover(found);
  }
  if (result == 0) {
    reply.step = LNK_REMOUNT_NAMES;
    result = has_one_name(found);
  }
  /* What was put there was replaced or removed in its turn, as quick saves do, maybe after it was looked at: then nothing can be
   * mounted over it (mount(2), ENOENT). The front looks again, and meanwhile nobody is held up. Where it failed otherwise they
   * stay stopped: the front ends the sandbox. */
  const int is_of_the_name = reply.step == LNK_REMOUNT_LOOK || reply.step == LNK_REMOUNT_MOUNT;
  if (is_of_the_name && result == -E_NOENT) result = -E_STALE;
  if (result == 0 || result == -E_STALE) let_go_on(&before);
  reply.error = (int32_t)-result;
  return reply;
}

static int wait_for(long pid) {
  int status = 0;
  long result;
  do {
    result = syscall4(__NR_wait4, pid, (long)&status, 0, 0);
  } while (result == -E_INTR);
  return result < 0 ? LNK_KEEPER_EXIT_NOT_STARTED : status;
}

_Noreturn void serve_remount(int pid, int pidfd, int keeper_pid, int socket) {
  static lnk_remount_request request;
  int unasked = -1;
  lnk_remount_reply reply = {LNK_KEEPER_MAGIC, E_INVAL, LNK_REMOUNT_ASK};
  const long size = receive_one(socket, &request, sizeof request, &unasked);
  if (size <= 0) leave(0);
  if (is_sound(&request, size) && unasked < 0) {
    reply.step = LNK_REMOUNT_JOIN;
    long result = join(pid, pidfd);
    if (result == 0) result = syscall5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (result == 0) result = syscall5(__NR_prctl, PR_SET_PDEATHSIG, SIGNAL_KILL, 0, 0, 0);
    if (result == 0 && syscall0(__NR_getppid) != keeper_pid) leave(0);
    const long inside = result < 0 ? result : syscall5(__NR_clone, SIGNAL_CHILD, 0, 0, 0, 0);
    if (inside == 0) {
      reply = hold_again(&request);
      (void)send_one(socket, &reply, sizeof reply, -1);
      leave(0);
    }
    /* What it has to say it said; where it was killed the front hears the end of the socket. */
    if (inside > 0) leave(wait_for(inside) == 0 ? 0 : 1);
    reply.error = (int32_t)-inside;
  }
  (void)send_one(socket, &reply, sizeof reply, -1);
  leave(0);
}
