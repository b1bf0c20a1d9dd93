/* SPDX-License-Identifier: Apache-2.0
 *
 * What the front and the keeper, and the front and a doorway, say to each other: one packet of SOCK_SEQPACKET each.
 */
#ifndef LNK_KEEPER_FORMAT_H
#define LNK_KEEPER_FORMAT_H

#include <stdint.h>

#define LNK_KEEPER_MAGIC 0x6c6e6b32u

/* front -> keeper, with one end of a socket pair: start a process that serves it. */
enum { LNK_KEEPER_OPEN_DOORWAY = 1, LNK_KEEPER_REMOUNT = 2, LNK_KEEPER_EXEC_WATCH = 3 };

typedef struct lnk_keeper_request {
  uint32_t magic;
  uint32_t kind;
} lnk_keeper_request;

/* front -> doorway */
enum { LNK_DOORWAY_LISTEN = 1, LNK_DOORWAY_CONNECT = 2 };

typedef struct lnk_doorway_request {
  uint32_t magic;
  uint32_t kind;
  uint32_t is_datagram;
  uint32_t ip_size; /* 4 or 16 */
  uint32_t port;
  uint8_t ip[16];
} lnk_doorway_request;

/* doorway -> front, with the socket where error is 0 */
typedef struct lnk_doorway_reply {
  uint32_t magic;
  int32_t error;
} lnk_doorway_reply;

enum { LNK_REMOUNT_PATH_MAX = 4096 };

/* front -> remounter, one for its life */
typedef struct lnk_remount_request {
  uint32_t magic;
  uint32_t path_size; /* without its NUL */
  uint64_t device;    /* what stands there now: st_dev as stat(2) gives it, and st_ino */
  uint64_t inode;
  char path[LNK_REMOUNT_PATH_MAX];
} lnk_remount_request;

/* How far a remounter came; in the order carried out. */
enum {
  LNK_REMOUNT_ASK = 1,  /* take a request of a known form */
  LNK_REMOUNT_JOIN = 2, /* enter the sandbox's namespaces */
  LNK_REMOUNT_STOP = 3, /* stop every process inside */
  LNK_REMOUNT_LOOK = 4, /* find what was asked for at its path */
  LNK_REMOUNT_MOUNT = 5,
  LNK_REMOUNT_NAMES = 6 /* see that it has no other name */
};

/* remounter -> front */
typedef struct lnk_remount_reply {
  uint32_t magic;
  int32_t error; /* 0: mounted */
  uint32_t step; /* LNK_REMOUNT_…: where it failed */
} lnk_remount_reply;

/* front -> exec watch, each a lnk_keeper_request with a descriptor: the list (keeper/exec_list.h) and a page that both share
 * (keeper/notification.h), in any order, then the listener of the sandbox's filter. */
enum { LNK_EXEC_WATCH_LIST = 1, LNK_EXEC_WATCH_SHARED = 2, LNK_EXEC_WATCH_LISTENER = 3 };

enum { LNK_EXEC_REPORT_TEXTS_MAX = 2 * 4096 };

/* exec watch -> front: a program that was started, or is about to be refused. As long as its texts need. Without a path, once, and
 * only where every start is reported: one was missed. */
typedef struct lnk_exec_report {
  uint32_t magic;
  uint32_t is_allowed;
  int32_t pid;
  uint32_t path_size;
  uint32_t parent_size;
  char texts[LNK_EXEC_REPORT_TEXTS_MAX]; /* the path, then the program that the caller ran; no NUL */
} lnk_exec_report;

enum { LNK_KEEPER_EXIT_NOT_STARTED = 125 };

#endif
