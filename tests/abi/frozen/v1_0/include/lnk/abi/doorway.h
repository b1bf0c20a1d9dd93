/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk.doorway/1: sockets that live in the sandbox's network, made from outside, so that the host knows no network
 * namespace and nothing of ours runs inside.
 */
#ifndef LNK_ABI_DOORWAY_H
#define LNK_ABI_DOORWAY_H

#include "lnk/abi/base.h"

#define LNK_DOORWAY_ID "lnk.doorway"
#define LNK_DOORWAY_MAJOR 1

LNK_BEGIN_C

enum { LNK_SOCKET_STREAM = 1, LNK_SOCKET_DATAGRAM = 2 };

typedef struct lnk_inside_address {
  uint32_t size;
  uint32_t kind;    /* LNK_SOCKET_… */
  uint8_t ip[16];   /* network order; the first four bytes for IPv4 */
  uint32_t ip_size; /* 4 or 16 */
  uint32_t port;    /* 1–65535 */
} lnk_inside_address;

typedef struct lnk_doorway {
  lnk_iface head;
  /* [loop] A doorway into the network of a child of lnk.confiner/1. Waits until that network is there. */
  lnk_status (*open)(lnk_instance *, lnk_id child, lnk_id *doorway, lnk_error *) LNK_NOEXCEPT;
  /* [loop] A socket bound (and for a stream, listening) inside. The host closes it. */
  lnk_status (*listen_inside)(lnk_instance *, lnk_id doorway, const lnk_inside_address *, int32_t *fd, lnk_error *) LNK_NOEXCEPT;
  /* [loop] A stream socket connected inside. The host closes it. */
  lnk_status (*connect_inside)(lnk_instance *, lnk_id doorway, const lnk_inside_address *, int32_t *fd, lnk_error *) LNK_NOEXCEPT;
  void (*close)(lnk_instance *, lnk_id doorway) LNK_NOEXCEPT; /* [loop] */
} lnk_doorway;

LNK_END_C

#endif
