// SPDX-License-Identifier: Apache-2.0
//
//   sockets               every family with every type, and a few protocols: "FAMILY:TYPE:PROTOCOL"
//   connect NAME…         a path, or @NAME for an abstract one, as stream, datagram and seqpacket; a FIFO is opened
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "attacks.h"

enum { kLastFamily = 45 };

struct socket_of {
  long family, type, protocol;
};

static int make_socket(void* data) {
  const struct socket_of* s = data;
  return opened((int)syscall(SYS_socket, s->family, s->type, s->protocol));
}

static void try_socket(long family, long type, long protocol) {
  struct socket_of wanted = {family, type, protocol};
  char name[64];
  snprintf(name, sizeof name, "%ld:%ld:%ld", family, type, protocol);
  attempt_here(name, make_socket, &wanted);
}

void attack_sockets(char** words) {
  (void)words;
  const long types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET};
  const long protocols[] = {0, 1, 2, 6, 9, 15, 17, 33, 58, 115, 132, 136, 255, 256, 262};
  for (long family = 0; family <= kLastFamily; ++family) {
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t) {
      const int has_protocols = family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
      for (size_t p = 0; p < (has_protocols ? sizeof protocols / sizeof protocols[0] : 1); ++p)
        try_socket(family, types[t], protocols[p]);
    }
  }
}

struct address {
  const char* name;
  int type;
};

static socklen_t address_of(const char* name, struct sockaddr_un* out) {
  memset(out, 0, sizeof *out);
  out->sun_family = AF_UNIX;
  snprintf(out->sun_path, sizeof out->sun_path, "%s", name);
  if (name[0] != '@') return sizeof *out;
  out->sun_path[0] = '\0';
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
}

static int connect_to(void* data) {
  const struct address* a = data;
  struct sockaddr_un address;
  const socklen_t size = address_of(a->name, &address);
  return connect(socket(AF_UNIX, a->type, 0), (struct sockaddr*)&address, size);
}
static int send_to(void* data) {
  const struct address* a = data;
  struct sockaddr_un address;
  const socklen_t size = address_of(a->name, &address);
  return sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr*)&address, size) < 0 ? -1 : 0;
}
static int open_fifo(void* data) { return opened(open(((const struct address*)data)->name, O_RDWR | O_NONBLOCK)); }
static int open_fifo_reading(void* data) {
  return opened(open(((const struct address*)data)->name, O_RDONLY | O_NONBLOCK));
}

void attack_connect(char** words) {
  for (; *words != NULL; ++words) {
    struct address a = {*words, SOCK_STREAM};
    attempt("stream", connect_to, &a);
    a.type = SOCK_SEQPACKET;
    attempt("seqpacket", connect_to, &a);
    a.type = SOCK_DGRAM;
    attempt("datagram", connect_to, &a);
    attempt("send", send_to, &a);
    if (**words == '@') continue;
    attempt("fifo", open_fifo, &a);
    attempt("fifo-read", open_fifo_reading, &a);
  }
}
