/* SPDX-License-Identifier: Apache-2.0
 *
 * The remounter: a mount falls away when the file under it is replaced from outside (rename(2) over a mount point of
 * another mount namespace detaches the mount). It stops every process of the sandbox, mounts what stands at the name now
 * read only, and lets the processes go on. It works in the sandbox's own mounts and by descriptor, so that no path of
 * the machine is opened for it.
 */
#ifndef LNK_KEEPER_REMOUNT_H
#define LNK_KEEPER_REMOUNT_H

/* `pid` and `pidfd`: the sandbox's pid 1. `socket`: where the one request comes from and the reply goes. Never returns. */
_Noreturn void serve_remount(int pid, int pidfd, int keeper_pid, int socket);

#endif
