/* SPDX-License-Identifier: Apache-2.0
 *
 * A seccomp listener's calls, where they are newer than Debian 12's headers: seccomp_unotify(2), linux/seccomp.h.
 */
#ifndef LNK_KEEPER_NOTIFICATION_H
#define LNK_KEEPER_NOTIFICATION_H

#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <stdint.h>

/* Linux 6.6: who waits for the answer is woken on the processor of who gave it. One lone notification took 80 us without, 4 with. */
#define LNK_NOTIF_SET_FLAGS SECCOMP_IOW(4, uint64_t)
#define LNK_NOTIF_SYNC_WAKE_UP 1u

/* A kernel may know a longer notification than this; what it adds is not looked at. */
enum { LNK_NOTIF_BYTES_MAX = 1024 };

/* What the exec watch and its front share: the call that the watch has taken and not answered. The kernel writes it as it is taken,
 * so that whatever becomes of the watch the front can answer for it. An id of 0: none. */
union lnk_taken {
  struct seccomp_notif call;
  char bytes[LNK_NOTIF_BYTES_MAX];
};

#endif
