/* SPDX-License-Identifier: Apache-2.0
 *
 * What the front and the keeper, and the front and a doorway, say to each other: one packet of SOCK_SEQPACKET each.
 */
#ifndef LNK_KEEPER_FORMAT_H
#define LNK_KEEPER_FORMAT_H

#include <stdint.h>

#define LNK_KEEPER_MAGIC 0x6c6e6b32u

/* front -> keeper, with one end of a socket pair: start a doorway that serves it. */
enum { LNK_KEEPER_OPEN_DOORWAY = 1 };

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

enum { LNK_KEEPER_EXIT_NOT_STARTED = 125 };

#endif
