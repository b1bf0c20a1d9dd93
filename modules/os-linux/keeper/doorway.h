/* SPDX-License-Identifier: Apache-2.0
 *
 * The net helper: makes sockets in a sandbox's network on request. It joins the user namespace that owns that network,
 * and so needs no privilege of the machine; of the capabilities that gives it, it keeps the one to bind low ports, which a
 * DNS of the sandbox's own would need, and then makes no other system calls than the few that it needs for it.
 */
#ifndef LNK_KEEPER_DOORWAY_H
#define LNK_KEEPER_DOORWAY_H

/* `pid` and `pidfd`: the sandbox's pid 1. `socket`: where requests come from; at its end it leaves. Never returns. */
_Noreturn void serve_doorway(int pid, int pidfd, int keeper_pid, int socket);

#endif
