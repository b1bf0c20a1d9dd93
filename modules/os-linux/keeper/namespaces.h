/* SPDX-License-Identifier: Apache-2.0
 *
 * A sandbox's namespaces, entered by way of the user namespace that owns them: no privilege of the machine is needed.
 */
#ifndef LNK_KEEPER_NAMESPACES_H
#define LNK_KEEPER_NAMESPACES_H

/* CLONE_NEW…, for setns(2) */
enum { NEW_MOUNTS = 0x20000, NEW_USER = 0x10000000, NEW_PIDS = 0x20000000, NEW_NET = 0x40000000 };

/* A descriptor of the namespace of that kind ("net", "mnt", …) of the process that pidfd names; -errno. */
long open_namespace(int pid, int pidfd, const char* kind);

/* Joins the user namespace that owns it: ioctl_ns(2), NS_GET_USERNS. */
long join_owner_of(long a_namespace);

#endif
