/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host offers to a module. Verbs need nothing from it: time and random bytes come to them as values.
 */
#ifndef LNK_ABI_HOST_H
#define LNK_ABI_HOST_H

#include "lnk/abi/base.h"

LNK_BEGIN_C

enum { LNK_LOG_ERROR = 1, LNK_LOG_WARNING = 2, LNK_LOG_INFO = 3, LNK_LOG_DEBUG = 4 };

typedef struct lnk_host_api {
  lnk_iface head;
  /* [any] A table of the host by id and major; NULL: not known, or not declared in the module's note. */
  const lnk_iface *(*query)(lnk_host *, lnk_str id, uint32_t major)LNK_NOEXCEPT;
  /* [any] One finished line. The host adds the module's id, escapes and bounds it. Never a secret. */
  void (*log)(lnk_host *, uint32_t level, lnk_str text) LNK_NOEXCEPT;
  /* [any] 1 on the thread that made the instance. */
  int32_t (*on_loop_thread)(lnk_host *) LNK_NOEXCEPT;
} lnk_host_api;

LNK_END_C

#endif
