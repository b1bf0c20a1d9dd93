/* SPDX-License-Identifier: Apache-2.0
 *
 * The exec watch: owns the listener of a sandbox's second filter. It names what the list refuses, and makes the memory files of a
 * listed sandbox sealed. It decides on no program: each call goes on, and Landlock alone refuses.
 */
#ifndef LNK_KEEPER_EXEC_WATCH_H
#define LNK_KEEPER_EXEC_WATCH_H

/* Serves one socket of the front's: keeper/format.h. */
_Noreturn void serve_exec_watch(int pid, int pidfd, int keeper_pid, int socket);

#endif
