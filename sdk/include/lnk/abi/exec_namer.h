/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk.exec_namer/1: names the programs a run starts or is refused. Advice, never a decision: the kernel alone refuses.
 * lnk.supervisor/1: owns the kernel's listener for a run, for a namer, and for a confiner that must answer a call.
 */
#ifndef LNK_ABI_EXEC_NAMER_H
#define LNK_ABI_EXEC_NAMER_H

#include "lnk/abi/base.h"

#define LNK_EXEC_NAMER_ID "lnk.exec_namer"
#define LNK_EXEC_NAMER_MAJOR 1
#define LNK_SUPERVISOR_ID "lnk.supervisor"
#define LNK_SUPERVISOR_MAJOR 1

LNK_BEGIN_C

typedef struct lnk_program_report {
  uint32_t size;
  uint32_t allowed; /* 1: the list allows it */
  lnk_str path;     /* bytes, as the kernel was given them, resolved where that was possible; empty, where every
                     * program is watched: one could not be told */
  lnk_str parent;   /* the program that started it; empty: not known */
  int32_t pid;
  uint32_t reserved;
} lnk_program_report;

typedef struct lnk_program_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*program)(void *context, const lnk_program_report *) LNK_NOEXCEPT;
} lnk_program_sink;

typedef struct lnk_exec_namer {
  lnk_iface head;
  /* [loop] Starts on a child of lnk.confiner/1 that stands and was not let go yet. `readable` is the module's own and is polled by
   * the host until `stop`. LNK_E_UNSUPPORTED: nothing of this child is reported. */
  lnk_status (*start)(lnk_instance *, lnk_id child, int32_t *readable, lnk_id *namer, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Reports what has come, without waiting: a refused program once, an allowed one only where every program is watched, then
   * once for each that started it. LNK_E_GONE, once: nothing is reported from here on, and the words say why and what still holds;
   * the host goes on calling it when `readable` is. */
  lnk_status (*reports)(lnk_instance *, lnk_id namer, const lnk_program_sink *, lnk_error *) LNK_NOEXCEPT;
  void (*stop)(lnk_instance *, lnk_id namer) LNK_NOEXCEPT; /* [loop] */
} lnk_exec_namer;

typedef struct lnk_supervisor {
  lnk_iface head;
  /* [loop] The process that owns the listener of a child: a pidfd to watch; the host closes it. */
  lnk_status (*start)(lnk_instance *, lnk_id child, int32_t *pidfd, lnk_error *) LNK_NOEXCEPT;
} lnk_supervisor;

LNK_END_C

#endif
