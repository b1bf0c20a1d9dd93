/* SPDX-License-Identifier: Apache-2.0 */
#include "freestanding/packet.h"

#include "freestanding/start.h"

/* As the kernel takes them (include/linux/socket.h); the C library's headers are not for programs without it. */
struct message {
  void* name;
  int name_size;
  struct {
    void* base;
    size_t size;
  } * pieces;
  size_t piece_count;
  void* control;
  size_t control_size;
  unsigned flags;
};
struct control_head {
  size_t size;
  int level;
  int type;
};
struct one_descriptor {
  struct control_head head;
  int fd;
  int padding;
};

enum { LEVEL_SOCKET = 1, TYPE_RIGHTS = 1, FLAG_CLOEXEC = 0x40000000, FLAG_NOSIGNAL = 0x4000, FLAGS_CUT = 0x28 };

static long call_again(long number, int socket, struct message* message, long flags) {
  long result;
  do {
    result = syscall3(number, socket, (long)message, flags);
  } while (result == -E_INTR);
  return result;
}

long receive_one(int socket, void* bytes, size_t size, int* fd) {
  struct one_descriptor control = {{0, 0, 0}, -1, 0};
  struct message message = {0};
  struct {
    void* base;
    size_t size;
  } piece = {bytes, size};
  message.pieces = (void*)&piece;
  message.piece_count = 1;
  message.control = &control;
  message.control_size = sizeof control;
  *fd = -1;
  const long got = call_again(__NR_recvmsg, socket, &message, FLAG_CLOEXEC);
  if (got < 0) return got;
  const int has_one = message.control_size >= sizeof control.head + sizeof control.fd &&
                      control.head.level == LEVEL_SOCKET && control.head.type == TYPE_RIGHTS &&
                      control.head.size == sizeof control.head + sizeof control.fd;
  if (has_one) *fd = control.fd;
  if ((message.flags & FLAGS_CUT) != 0) return -E_PROTO;
  return got;
}

long send_one(int socket, const void* bytes, size_t size, int fd) {
  struct one_descriptor control = {{sizeof control.head + sizeof control.fd, LEVEL_SOCKET, TYPE_RIGHTS}, fd, 0};
  struct message message = {0};
  struct {
    const void* base;
    size_t size;
  } piece = {bytes, size};
  message.pieces = (void*)&piece;
  message.piece_count = 1;
  if (fd >= 0) {
    message.control = &control;
    message.control_size = sizeof control;
  }
  const long sent = call_again(__NR_sendmsg, socket, &message, FLAG_NOSIGNAL);
  return sent < 0 ? sent : 0;
}
