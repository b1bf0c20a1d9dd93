/* SPDX-License-Identifier: Apache-2.0
 *
 * What the inner stage is told, and what it reports. Written by launch (C++), read by the inner stage (C); both are of
 * one build, so the layout has a version only to refuse a mixed installation.
 *
 * The configuration is a sealed memory file: the head below, then
 *   cwd          a text
 *   argv         argc texts
 *   env          envc texts, "NAME=value"
 *   checks       checkc times: lnk_inside_check, then a text (the path as seen inside)
 *   rules        rulec times: u64 access, then a text (the same)
 *   filter       at the next multiple of 8, filterc instructions of 8 bytes
 *   list filters right behind it, watchedc and then unwatchedc instructions
 * A text is u32 size, that many bytes without NUL, one NUL. Nothing is aligned but the head and the filter.
 */
#ifndef LNK_INSIDE_FORMAT_H
#define LNK_INSIDE_FORMAT_H

#include <stdint.h>

#define LNK_INSIDE_MAGIC 0x6c6e6b31u
#define LNK_INSIDE_VERSION 5u
#define LNK_INSIDE_BYTES_MAX \
  (16u << 20) /* above the kernel's own limit for arguments and environment, 6 MiB by default */
#define LNK_INSIDE_TEXTS_MAX 65536u
#define LNK_INSIDE_PATH "/run/.lnk/inner-stage"
#define LNK_INSIDE_STREAM_PATH "/run/.lnk/stream-" /* and the stream's number: a file that is given read only */

/* flags */
enum {
  LNK_INSIDE_FILTER_IS_ON = 1u, /* bubblewrap installed the filter before it executed the inner stage */
  LNK_INSIDE_REOPEN = 2u,       /* shifted by a stream's number: the stream is opened again at its path inside */
  LNK_INSIDE_WAIT_KILLABLE = 0x10u /* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV works here */
};
/* flags, of the terminal that the inner stage makes */
enum {
  LNK_INSIDE_TERMINAL = 0x100u, /* shifted by a stream's number: the terminal becomes that stream */
  LNK_INSIDE_TERMINALS = 0x700u,
  LNK_INSIDE_IN_FRONT = 0x800u /* the target is the terminal's foreground from its start */
};

typedef struct lnk_inside_head {
  uint32_t magic;
  uint32_t version;
  uint32_t total_bytes;
  uint32_t flags;
  uint64_t landlock_fs; /* the access rights held; 0 together with landlock_scoped: no Landlock */
  uint64_t landlock_scoped;
  uint32_t argc;
  uint32_t envc;
  uint32_t rulec;
  uint32_t filterc;
  int32_t stdio[3];
  uint32_t checkc;
  /* The second filter: with a listener; and the one for where no listener can be had. Both 0: there is none. */
  uint32_t watchedc;
  uint32_t unwatchedc;
} lnk_inside_head;

/* A mount that stands inside a granted folder, where another program could have put a link while it was made. */
enum {
  LNK_INSIDE_CHECK_READ_ONLY = 1u,
  LNK_INSIDE_CHECK_IDENTITY = 2u /* device and inode are those of the pinned source */
};

typedef struct lnk_inside_check {
  uint32_t flags;
  uint32_t device_major;
  uint32_t device_minor;
  uint32_t step; /* of the plan */
  uint64_t inode;
} lnk_inside_check;

/* One packet on the control socket. */
typedef struct lnk_inside_report {
  uint32_t magic;
  uint32_t step;
  int32_t error;  /* an error number; 0: none */
  uint32_t mount; /* the plan's number of the mount that a check of step MOUNT failed at */
} lnk_inside_report;

/* `step` of a report: STANDING says that all before it is done and waits; the others name what failed. */
enum {
  LNK_INSIDE_STANDING = 1,
  LNK_INSIDE_CONFIG = 2,
  LNK_INSIDE_DESCRIPTORS = 3,
  LNK_INSIDE_PRIVILEGES = 4,
  LNK_INSIDE_FOLDER = 5,
  LNK_INSIDE_LANDLOCK = 6,
  LNK_INSIDE_FILTER = 7,
  LNK_INSIDE_EXECUTE = 8,
  LNK_INSIDE_MOUNT = 9,
  LNK_INSIDE_STREAM = 10,
  LNK_INSIDE_TERMINAL_MADE = 20, /* error 0: comes before STANDING, with the descriptor of the terminal's other end */
  /* Comes as soon as the second filter is on: error 0 and the listener, or why there is none. */
  LNK_INSIDE_LISTENER = 23,
  LNK_INSIDE_LEADER = 21,        /* error 0: comes next, with the front's end of a socket to the leader of its session */
  /* Said by that leader on its socket, which the target can stop or kill: believed no further than it goes. */
  LNK_INSIDE_STOPPED = 22 /* error is the signal that stopped the target */
};

/* One byte from the front. On the control socket: the target may start. On the leader's: it goes on, in front of its terminal or
 * behind. The control socket's end, with no report of what failed, says that the target was executed. */
enum { LNK_INSIDE_GO = 'g', LNK_INSIDE_GO_ON_IN_FRONT = 'f', LNK_INSIDE_GO_ON_BEHIND = 'b' };

/* Exit codes of the inner stage itself (cli: 125 nothing ran, 126 can't be run, 127 not found). */
enum { LNK_INSIDE_EXIT_NOT_STARTED = 125, LNK_INSIDE_EXIT_CANT_RUN = 126, LNK_INSIDE_EXIT_NOT_FOUND = 127 };

#endif
