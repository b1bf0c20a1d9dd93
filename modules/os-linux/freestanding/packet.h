/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets with at most one descriptor, by system call alone.
 */
#ifndef LNK_FREESTANDING_PACKET_H
#define LNK_FREESTANDING_PACKET_H

#include <stddef.h>

/* Bytes received; 0 at end of file; a negative error number. *fd is -1 where none came. */
long receive_one(int socket, void* bytes, size_t size, int* fd);

/* 0 or a negative error number. No descriptor is sent where fd is negative. */
long send_one(int socket, const void* bytes, size_t size, int fd);

#endif
