/* SPDX-License-Identifier: Apache-2.0
 *
 * What a caller of execve(2) asked for, read from outside while it waits. Another thread of it, or a process that shares its memory,
 * may change what was read: all of this is advice, and the kernel's own reading decides.
 */
#ifndef LNK_KEEPER_EXEC_CALLER_H
#define LNK_KEEPER_EXEC_CALLER_H

#include <stddef.h>
#include <stdint.h>

#include "keeper/exec_list.h"

/* How a path inside is opened, and a folder. They lie in memory that is never written, so that a filter may hold the call to them. */
struct open_how;
extern const struct open_how kLookInside;
extern const struct open_how kLookAtLinkInside;
extern const struct open_how kLookAtFolderInside;

struct caller {
  int pid;     /* the thread's number out here */
  long root;   /* the root of every program in the sandbox; -1: not opened yet */
  long folder; /* what a relative path begins at: a descriptor number of the caller's; -100 (AT_FDCWD): its current folder */
  int follows; /* a link at the path's end: not where AT_SYMLINK_NOFOLLOW was said */
};

struct program {
  long fd; /* O_PATH */
  uint64_t device;
  uint64_t inode;
  int64_t changed_s; /* ctime */
  uint32_t changed_ns;
  char path[LNK_EXEC_PATH_MAX]; /* as the sandbox sees it, links followed; empty until name_program */
};

/* A text of the caller's memory, with its NUL; its size without, or -errno: -EFAULT, -ENAMETOOLONG, or the kernel's refusal to
 * read. */
long read_text_of(int pid, uint64_t address, char* out, size_t out_size);

/* Opens what `path` names to the caller, as a file that may be executed. 0; -errno where it is none. The caller closes fd. */
long open_program(struct caller* caller, const char* path, struct program* out);

/* Fills in the path, which costs as much as opening did. 0 or -errno. */
long name_program(struct program* program);

/* What the descriptor `folder` names itself: execveat(2) with AT_EMPTY_PATH. */
long open_program_by_descriptor(const struct caller* caller, struct program* out);

/* The program that the caller runs now; the size of its path, or -errno. */
long program_of(int pid, char* out, size_t out_size);

#endif
