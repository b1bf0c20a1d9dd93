/* SPDX-License-Identifier: Apache-2.0
 *
 * tls.so: a TLS client over memory, loaded by the wire only where a verb speaks to the outside. It is apart from the
 * wire so that a sandbox without such a verb maps no TLS library.
 *
 * A connection is a state machine: ciphertext is fed in and taken out, plaintext read and written; it opens no socket and
 * never waits. TLS 1.2 and later. The server's name and chain are verified against the machine's trust store, which
 * `load_trust` reads into memory, so that a process that confines itself afterwards needs no file.
 *
 * thread: all of it belongs to one thread. errors: as base.h says; no exception crosses.
 */
#ifndef LNK_HOST_TLS_H
#define LNK_HOST_TLS_H

#include "lnk/abi/base.h"

LNK_BEGIN_C

typedef struct lnk_tls_trust lnk_tls_trust; /* the trust store and the settings of every connection */
typedef struct lnk_tls lnk_tls;             /* one connection */

typedef struct lnk_tls_v1 {
  uint32_t size;
  uint32_t reserved;
  /* Reads the machine's trust store. LNK_E_GONE: there is none, or it holds no certificate. */
  lnk_status (*load_trust)(lnk_tls_trust **, lnk_error *) LNK_NOEXCEPT;
  /* After every connection that was opened with it. */
  void (*drop_trust)(lnk_tls_trust *) LNK_NOEXCEPT;
  /* A connection to `host`, a DNS name. The trust outlives it. */
  lnk_status (*open)(lnk_tls_trust *, lnk_str host, lnk_tls **, lnk_error *) LNK_NOEXCEPT;
  void (*drop)(lnk_tls *) LNK_NOEXCEPT;

  /* Ciphertext that came. All of it is taken; whoever feeds no more than it reads out keeps it small. */
  lnk_status (*feed)(lnk_tls *, lnk_bytes) LNK_NOEXCEPT;
  /* The connection's end came: what was fed is all there is. */
  void (*feed_end)(lnk_tls *) LNK_NOEXCEPT;
  /* Ciphertext to send, borrowed until the next call on this connection; `sent` drops its first bytes. */
  lnk_bytes (*outgoing)(lnk_tls *) LNK_NOEXCEPT;
  void (*sent)(lnk_tls *, size_t bytes) LNK_NOEXCEPT;

  /* LNK_E_AGAIN: feed more. LNK_E_DENIED: the server is not who it must be. LNK_E_UPSTREAM: it failed otherwise. */
  lnk_status (*handshake)(lnk_tls *, lnk_error *) LNK_NOEXCEPT;
  /* At least one byte. LNK_E_AGAIN: feed more. LNK_E_GONE: the server has closed its side as TLS says it must.
   * LNK_E_UPSTREAM: the connection was cut or broken, so that what was read may be less than was sent. */
  lnk_status (*read)(lnk_tls *, uint8_t *into, size_t room, size_t *got, lnk_error *) LNK_NOEXCEPT;
  /* Encrypts all of `bytes` into `outgoing`. Only after the handshake. */
  lnk_status (*write)(lnk_tls *, lnk_bytes bytes, lnk_error *) LNK_NOEXCEPT;
  /* Puts close_notify into `outgoing`; nothing is written after it. */
  lnk_status (*finish)(lnk_tls *) LNK_NOEXCEPT;
} lnk_tls_v1;

#define LNK_TLS_SYMBOL "lnk_tls_table_v1"
LNK_EXTERN_C LNK_EXPORT const lnk_tls_v1 lnk_tls_table_v1;

LNK_END_C

#endif
