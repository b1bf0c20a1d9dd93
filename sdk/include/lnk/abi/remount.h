/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk.remount/1: holds a name again that was replaced from outside while a child runs. A mount falls away with the file
 * that it covers, so the name leads to what was put there, writable. The host sees such a replacement only after it
 * happened: this narrows a gap and closes none, and both sides' documents say so.
 */
#ifndef LNK_ABI_REMOUNT_H
#define LNK_ABI_REMOUNT_H

#include "lnk/abi/base.h"

#define LNK_REMOUNT_ID "lnk.remount"
#define LNK_REMOUNT_MAJOR 1

LNK_BEGIN_C

typedef struct lnk_replaced {
  uint32_t size;
  uint32_t reserved;
  lnk_str path;    /* absolute, with no link in it; the same inside and outside */
  uint64_t device; /* what stands there now, as stat(2) tells it outside */
  uint64_t inode;
} lnk_replaced;

typedef struct lnk_remount {
  lnk_iface head;
  /* [loop] Stops every process of the child, mounts what stands at the path read only, and lets them go on. What they had
   * opened before stays open to them. LNK_E_GONE with os_errno ESTALE: something else, or nothing, stands there by
   * then; they go on, and the host looks again. LNK_E_DENIED: what stands there can't be held. After any error but the first they may
   * stay stopped: the host ends the child. */
  lnk_status (*cover)(lnk_instance *, lnk_id child, const lnk_replaced *, lnk_error *) LNK_NOEXCEPT;
} lnk_remount;

LNK_END_C

#endif
