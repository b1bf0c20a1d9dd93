/* SPDX-License-Identifier: Apache-2.0
 *
 * A capability of the machine, told by doing and never by a version string.
 */
#ifndef LNK_ABI_PROBE_H
#define LNK_ABI_PROBE_H

#include "lnk/abi/base.h"

LNK_BEGIN_C

enum {
  LNK_SUPPORTED = 1,
  LNK_DEGRADED = 2, /* there, but weaker than the best this module knows */
  LNK_UNSUPPORTED = 3,
  LNK_UNKNOWN = 4 /* could not be tried */
};

typedef struct lnk_capability {
  uint32_t size;
  uint32_t state;
  lnk_str name;      /* "linux.landlock" */
  uint32_t level;    /* a level the kernel counts (Landlock's ABI); 0: it has none */
  int32_t os_errno;  /* what the attempt failed with; 0: it did not */
  lnk_str evidence;  /* what was done and what came back */
  lnk_str mend;      /* what the person can do; empty: nothing */
} lnk_capability;

typedef struct lnk_capability_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*report)(void *context, const lnk_capability *) LNK_NOEXCEPT;
} lnk_capability_sink;

LNK_END_C

#endif
