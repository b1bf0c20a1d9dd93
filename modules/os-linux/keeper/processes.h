/* SPDX-License-Identifier: Apache-2.0
 *
 * Every process of a pid namespace, seen from a process within it, through the /proc that is mounted there.
 */
#ifndef LNK_KEEPER_PROCESSES_H
#define LNK_KEEPER_PROCESSES_H

enum { PROCESSES_MAX = 8192 };

struct processes {
  int count;
  int pids[PROCESSES_MAX];
};

/* Stops all but pid 1 and the caller (kill(2), pid -1), and waits until none runs. `held`: those that somebody else had stopped,
 * and that must stay so. -errno: nothing is held stopped that `let_go_on` would not free. */
long stop_all(struct processes* held);

void let_go_on(const struct processes* held);

#endif
