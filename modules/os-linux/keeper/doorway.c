/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/doorway.h"

#include <linux/capability.h>
#include <linux/fcntl.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/prctl.h>
#include <linux/time_types.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "keeper/call_filter.h"
#include "keeper/format.h"
#include "keeper/namespaces.h"

enum {
  FAMILY_IPV4 = 2,
  FAMILY_IPV6 = 10,
  KIND_STREAM = 1,
  KIND_DATAGRAM = 2,
  KIND_CLOEXEC = 02000000,
  SOCKET_LEVEL = 1,
  REUSE_ADDRESS = 2,
  IPV6_LEVEL = 41,
  IPV6_ONLY = 26,
  SEND_TIME = 21, /* SO_SNDTIMEO with a struct of two words: asm-generic/socket.h */
  /* Of loopback a connection is made or refused at once. One that is neither is to a program that takes none, and the
   * front waits for the answer. */
  CONNECT_US = 200000,
  BACKLOG = 4096, /* the kernel cuts it to net.core.somaxconn */
  /* bubblewrap tells its child's pid before the child has brought `lo` up: seen in 1 of 100 starts. A start is over in
   * some ms; after 2 s nothing will come. */
  WAIT_US = 200,
  TRIES_MAX = 10000
};

union address {
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

static uint16_t big_endian(uint32_t port) { return (uint16_t)((port >> 8) | (port << 8)); }

static long fill_address(const lnk_doorway_request* request, union address* out) {
  *out = (union address){0};
  if (request->ip_size == 4) {
    out->v4.sin_family = FAMILY_IPV4;
    out->v4.sin_port = big_endian(request->port);
    copy_bytes(&out->v4.sin_addr, request->ip, 4);
    return sizeof out->v4;
  }
  out->v6.sin6_family = FAMILY_IPV6;
  out->v6.sin6_port = big_endian(request->port);
  copy_bytes(&out->v6.sin6_addr, request->ip, 16);
  return sizeof out->v6;
}

static int is_sound(const lnk_doorway_request* request, long size) {
  return size == (long)sizeof *request && request->magic == LNK_KEEPER_MAGIC && request->port >= 1 &&
         request->port <= 65535 && (request->ip_size == 4 || request->ip_size == 16) &&
         (request->kind == LNK_DOORWAY_LISTEN || request->kind == LNK_DOORWAY_CONNECT);
}

static long set_option(long socket, long level, long option) {
  const int on = 1;
  return syscall5(__NR_setsockopt, socket, level, option, (long)&on, sizeof on);
}

/* bind or connect, again while the loopback device is not up yet. */
static long once_up(long number, long socket, const union address* address, long size) {
  for (int tries = 0;; ++tries) {
    const long result = syscall3(number, socket, (long)address, size);
    if (result == -E_INTR) continue;
    /* Of connect the first says that no port is left to call from, which waiting doesn't mend. */
    const int is_down = (result == -E_ADDRNOTAVAIL && number == __NR_bind) || result == -E_NETUNREACH;
    if (!is_down || tries == TRIES_MAX) return result;
    const struct __kernel_timespec pause = {0, WAIT_US * 1000L};
    (void)syscall2(__NR_nanosleep, (long)&pause, 0);
  }
}

/* 0: none. It holds connect too: socket(7). */
static long set_send_time(long socket, long microseconds) {
  const struct __kernel_old_timeval time = {0, microseconds};
  return syscall5(__NR_setsockopt, socket, SOCKET_LEVEL, SEND_TIME, (long)&time, sizeof time);
}

static long connect_soon(long socket, const union address* address, long size) {
  long result = set_send_time(socket, CONNECT_US);
  if (result == 0) result = once_up(__NR_connect, socket, address, size);
  return result == 0 ? set_send_time(socket, 0) : result;
}

static long place(long socket, const lnk_doorway_request* request) {
  union address address;
  const long size = fill_address(request, &address);
  if (request->kind == LNK_DOORWAY_CONNECT) return connect_soon(socket, &address, size);
  long result = set_option(socket, SOCKET_LEVEL, REUSE_ADDRESS);
  if (result == 0 && request->ip_size == 16) result = set_option(socket, IPV6_LEVEL, IPV6_ONLY);
  if (result == 0) result = once_up(__NR_bind, socket, &address, size);
  if (result == 0 && !request->is_datagram) result = syscall2(__NR_listen, socket, BACKLOG);
  return result;
}

static long make_socket(const lnk_doorway_request* request) {
  const long family = request->ip_size == 4 ? FAMILY_IPV4 : FAMILY_IPV6;
  const long kind = (request->is_datagram ? KIND_DATAGRAM : KIND_STREAM) | KIND_CLOEXEC;
  const long socket = syscall3(__NR_socket, family, kind, 0);
  if (socket < 0) return socket;
  const long result = place(socket, request);
  if (result == 0) return socket;
  (void)syscall1(__NR_close, socket);
  return result;
}

static long join_network(int pid, int pidfd) {
  const long network = open_namespace(pid, pidfd, "net");
  if (network < 0) return network;
  long result = join_owner_of(network);
  if (result == 0) result = syscall2(__NR_setns, network, NEW_NET);
  (void)syscall1(__NR_close, network);
  return result;
}

static long keep_one_capability(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  data[0].effective = 1u << CAP_NET_BIND_SERVICE;
  data[0].permitted = 1u << CAP_NET_BIND_SERVICE;
  return syscall2(__NR_capset, (long)&head, (long)data);
}

/* From when it has joined: it waits for packets and makes sockets, and does nothing else. */
static long give_up_other_calls(void) {
  static const struct passed_call kCalls[] = {
      {__NR_recvmsg, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_sendmsg, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_close, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_socket, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_setsockopt, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_bind, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_listen, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_connect, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_nanosleep, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_restart_syscall, LNK_ANY_ARGUMENT, 0, 0}, /* a pause that a stop interrupts: restart_syscall(2) */
      {__NR_exit_group, LNK_ANY_ARGUMENT, 0, 0},
  };
  return pass_only(kCalls, sizeof kCalls / sizeof kCalls[0]);
}

static long settle(int pid, int pidfd, int keeper_pid) {
  long result = join_network(pid, pidfd);
  if (result == 0) result = keep_one_capability();
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  /* Joining a user namespace clears this signal (credentials(7)), so it is asked for after. */
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_PDEATHSIG, 9, 0, 0, 0);
  if (result == 0 && syscall0(__NR_getppid) != keeper_pid) leave(0);
  if (result == 0) result = give_up_other_calls();
  return result;
}

_Noreturn void serve_doorway(int pid, int pidfd, int keeper_pid, int socket) {
  const long settled = settle(pid, pidfd, keeper_pid);
  for (;;) {
    lnk_doorway_request request;
    int unasked = -1;
    const long size = receive_one(socket, &request, sizeof request, &unasked);
    if (size <= 0) leave(0);
    if (unasked >= 0) (void)syscall1(__NR_close, unasked);
    const long made = settled < 0 ? settled : is_sound(&request, size) ? make_socket(&request) : -E_INVAL;
    const lnk_doorway_reply reply = {LNK_KEEPER_MAGIC, made < 0 ? (int32_t)-made : 0};
    long sent = send_one(socket, &reply, sizeof reply, (int)made);
    if (sent < 0 && made >= 0) {
      /* A user may have so many descriptors on their way in sockets, and another program of the user's may have taken all:
       * unix(7), ETOOMANYREFS. */
      const lnk_doorway_reply none = {LNK_KEEPER_MAGIC, (int32_t)-sent};
      sent = send_one(socket, &none, sizeof none, -1);
    }
    if (sent < 0) leave(0);
    if (made >= 0) (void)syscall1(__NR_close, made);
  }
}
