/* SPDX-License-Identifier: Apache-2.0
 *
 * Every process of a pid namespace, seen from a process within it, through the /proc that is mounted there.
 */
#ifndef LNK_KEEPER_PROCESSES_H
#define LNK_KEEPER_PROCESSES_H

enum { PROCESSES_MAX = 8192 };

/* Those that somebody else had stopped, and that must stay so. */
struct stopped_before {
  int count;
  int pids[PROCESSES_MAX];
};

/* Stops all but pid 1 and the caller (kill(2), pid -1), and waits until none runs. -errno: nothing is held stopped that
 * `let_go_on` would not free. */
long stop_all(struct stopped_before* before);

void let_go_on(const struct stopped_before* before);

#endif
