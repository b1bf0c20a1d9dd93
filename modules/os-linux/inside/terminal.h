/* SPDX-License-Identifier: Apache-2.0
 *
 * A terminal of the sandbox's own, and the leader of its session.
 *
 * Job control needs a parent of the target in the target's own session and in another group: without one the group is
 * orphaned, and the kernel discards the stop signals of a terminal (setpgid(2), "orphaned process group"). So the inner
 * stage stays as that parent where there is a terminal. It does what a shell does for its one job: tells when it
 * stopped, and lets it go on, in front or behind. It is in the target's Landlock domain and under its filter, can't be
 * opened by it (it isn't dumpable), and holds the terminal and a socket on which its front believes nothing it says.
 */
#ifndef LNK_INSIDE_TERMINAL_H
#define LNK_INSIDE_TERMINAL_H

#include <stdint.h>

/* Begins a session, makes a terminal from the sandbox's own devpts, takes it as the session's, puts it in place of each
 * stream named in `streams` (LNK_INSIDE_TERMINAL << number), and sends its other end over `control`, of which nothing
 * stays here. 0, or a negative error number. */
long make_terminal(int control, uint32_t streams);

/* Goes on as a child in a group of its own; this process stays its leader, and never returns. The leader talks with the front on a
 * socket that is sent over `control`, and holds `control` no more once this returns: so its end says, as without a terminal, that
 * the target runs, whatever the target does to its leader. 0, or a negative error number. Every signal is blocked. */
long become_target(int control, int in_front);

#endif
