/* SPDX-License-Identifier: Apache-2.0
 *
 * The system calls of a net helper once it has joined: it waits for packets and makes sockets, and does nothing else.
 */
#ifndef LNK_KEEPER_DOORWAY_FILTER_H
#define LNK_KEEPER_DOORWAY_FILTER_H

/* For good; needs no new privileges. 0 or a negative error number. */
long install_doorway_filter(void);

#endif
