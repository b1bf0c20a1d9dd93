/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LNK_KEEPER_DEVICE_NUMBER_H
#define LNK_KEEPER_DEVICE_NUMBER_H

#include <stdint.h>

/* As glibc's makedev, which is how the front's stat gave it. */
static inline uint64_t device_number(uint64_t major, uint64_t minor) {
  return (minor & 0xffu) | ((major & 0xfffu) << 8) | ((minor & ~0xffull) << 12) | ((major & ~0xfffull) << 32);
}

#endif
