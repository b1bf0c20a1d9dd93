/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at the mounts that stand inside granted folders once more, from inside and before anything runs. bubblewrap
 * finds the place of a mount by name: a program that may write the same folder could put a link there for that moment,
 * and the mount would miss while what it was to cover stays open.
 */
#ifndef LNK_INSIDE_CHECK_MOUNTS_H
#define LNK_INSIDE_CHECK_MOUNTS_H

#include "inside/config.h"

/* An O_PATH descriptor, or a negative error number; a link anywhere in the path is refused where the kernel can. */
long open_without_links(const char* path);

/* 0 where an O_PATH or open descriptor stands for the root of the mount that is described; else a negative error number. */
long check_mount(long fd, const struct lnk_inside_check* what);

/* 0, or a negative error number with the plan's number of the mount that isn't as planned. */
long check_mounts(const struct config* config, uint32_t* failed);

#endif
