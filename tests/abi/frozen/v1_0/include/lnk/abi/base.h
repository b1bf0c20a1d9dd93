/* SPDX-License-Identifier: Apache-2.0
 *
 * The words every interface of lnk-sandbox shares.
 *
 * Trust: a module is code that runs in the host's process with the host's rights. This boundary keeps versions and
 * compilers apart; it does not confine a module.
 *
 * Memory: every pointer is borrowed until the call that carries it returns; who wants it longer copies it. Nothing is
 * freed by the other side. The only things owned across the boundary are instances (`destroy`) and ids.
 *
 * Ids: 64 bits, never a pointer, never reused within a process; 0 is no id. A stale id is answered LNK_E_GONE.
 *
 * Threads: a function marked [loop] is called on the one thread that made the instance; [any] on any thread. The host
 * never calls a module from inside a call that this module made.
 *
 * Exceptions: none crosses. A call that fails denies.
 *
 * Growth: a released member never changes its place or meaning. A minor adds members at a table's end, or a new id.
 * Enumerations that flow host -> module are closed within a major. A removed member keeps its slot.
 */
#ifndef LNK_ABI_BASE_H
#define LNK_ABI_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define LNK_EXTERN_C extern "C"
#define LNK_BEGIN_C extern "C" {
#define LNK_END_C }
#else
#define LNK_EXTERN_C extern
#define LNK_BEGIN_C
#define LNK_END_C
#endif

/* A C++17 function type carries noexcept, so that a module that could throw does not compile. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define LNK_NOEXCEPT noexcept
#else
#define LNK_NOEXCEPT
#endif

#define LNK_EXPORT __attribute__((visibility("default")))

/* The SDK's version, which is the boundary's, not the product's. */
#define LNK_SDK_MAJOR 1
#define LNK_SDK_MINOR 0

LNK_BEGIN_C

/* Text: UTF-8 unless a member says bytes; not NUL-terminated. */
typedef struct lnk_str {
  const char *data;
  size_t size;
} lnk_str;

typedef struct lnk_bytes {
  const uint8_t *data;
  size_t size;
} lnk_bytes;

typedef uint64_t lnk_id;

typedef int32_t lnk_status;
enum {
  LNK_OK = 0,
  LNK_E_INVALID = -1,     /* an argument is not of the form the interface names */
  LNK_E_UNSUPPORTED = -2, /* not known to this side, or this machine can't */
  LNK_E_DENIED = -3,      /* the snapshot does not grant it */
  LNK_E_GONE = -4,        /* the id names nothing that still lives */
  LNK_E_LIMIT = -5,       /* a named limit is reached */
  LNK_E_TIMEOUT = -6,
  LNK_E_UPSTREAM = -7, /* the other end of a connection failed */
  LNK_E_INTERNAL = -8, /* the callee is broken, or threw */
  LNK_E_AGAIN = -9     /* back-pressure: wait for the event that says so */
};

/* Filled by a callee that fails. The memory is the caller's, who sets `size`. */
typedef struct lnk_error {
  uint32_t size;
  lnk_status status;
  int32_t os_errno;   /* 0: none */
  uint32_t step;      /* the number of a plan's step; 0: none */
  uint32_t text_size; /* bytes of `text` in use */
  char text[492];     /* one line for a person: what, where, how to mend it */
} lnk_error;

/* The first member of every table. `size` is the table's, so that a longer table is read by a shorter reader. */
typedef struct lnk_iface {
  uint32_t size;
  uint16_t major;
  uint16_t minor;
} lnk_iface;

typedef struct lnk_host lnk_host;         /* the host's; outlives every instance */
typedef struct lnk_instance lnk_instance; /* the module's; the host destroys it exactly once */

/* Takes pieces of one text in order. */
typedef struct lnk_text_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*write)(void *context, lnk_str piece) LNK_NOEXCEPT;
} lnk_text_sink;

LNK_END_C

#endif
