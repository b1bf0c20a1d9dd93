/* SPDX-License-Identifier: Apache-2.0
 *
 * What a helper outside gives up once it serves: every system call but a few.
 */
#ifndef LNK_KEEPER_CALL_FILTER_H
#define LNK_KEEPER_CALL_FILTER_H

#include <stdint.h>

enum { LNK_ANY_ARGUMENT = 6, LNK_CALLS_MAX = 32 };

/* A call that passes. `argument` is 0 to 5 where it passes only with (argument & mask) == value, the upper half being 0;
 * LNK_ANY_ARGUMENT: whatever they are. A number may stand more than once. */
struct passed_call {
  uint32_t number;
  uint32_t argument;
  uint32_t mask;
  uint32_t value;
};

/* For good; needs no new privileges. Any other call kills the process. 0 or a negative error number. */
long pass_only(const struct passed_call* calls, int count);

#endif
