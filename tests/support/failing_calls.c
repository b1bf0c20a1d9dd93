/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a wire: of the calls of one name one in each so many fails with an error instead of being made, from the
 * first connection that was accepted on. $LNK_FAILING is CALL:ERRNO:STEP; with errno 0 the call is made with one byte
 * alone. Each is told by a "!" on standard error. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

static char wanted[16];
static int wanted_errno;
static int step;
static int seen;
static int has_accepted;

static void* next_of(const char* name) { return dlsym(RTLD_NEXT, name); }

/* Before the wire confines itself. */
__attribute__((constructor)) static void read_wanted(void) {
  const char* text = getenv("LNK_FAILING");
  if (text == NULL || sscanf(text, "%15[^:]:%d:%d", wanted, &wanted_errno, &step) != 3 || step < 1) abort();
}

/* At another place of each `step` calls: an ask that makes as many of them each time would else fail at the same place for ever. */
static int falls_on(int number) {
  const unsigned at = (unsigned)number - 1;
  const unsigned block = at / (unsigned)step;
  return at % (unsigned)step == ((block * 2654435761U) >> 16) % (unsigned)step;
}

static int is_next(const char* name) {
  if (!has_accepted || strcmp(name, wanted) != 0 || !falls_on(++seen)) return 0;
  const ssize_t told = write(STDERR_FILENO, "!", 1);
  (void)told;
  errno = wanted_errno;
  return 1;
}

/* What a call's type and names are; `fails` says whether it fails now. */
#define FAILING(type, name, parameters, arguments)      \
  SHOWN type name parameters {                          \
    type(*next) parameters;                             \
    *(void**)&next = next_of(#name);                    \
    if (is_next(#name) && wanted_errno != 0) return -1; \
    return next arguments;                              \
  }

FAILING(int, connect, (int fd, __CONST_SOCKADDR_ARG to, socklen_t size), (fd, to, size))
FAILING(int, bind, (int fd, __CONST_SOCKADDR_ARG to, socklen_t size), (fd, to, size))
FAILING(int, socket, (int family, int kind, int protocol), (family, kind, protocol))
FAILING(int, shutdown, (int fd, int how), (fd, how))
FAILING(int, pipe2, (int ends[2], int flags), (ends, flags))
FAILING(int, epoll_ctl, (int fd, int what, int other, struct epoll_event* event), (fd, what, other, event))
FAILING(int, epoll_wait, (int fd, struct epoll_event* events, int most, int wait_ms), (fd, events, most, wait_ms))
FAILING(int, getsockopt, (int fd, int level, int name, void* value, socklen_t* size), (fd, level, name, value, size))
FAILING(int, setsockopt, (int fd, int level, int name, const void* value, socklen_t size),
        (fd, level, name, value, size))

SHOWN int accept4(int fd, __SOCKADDR_ARG peer, socklen_t* size, int flags) {
  int (*next)(int, __SOCKADDR_ARG, socklen_t*, int);
  *(void**)&next = next_of("accept4");
  if (is_next("accept4")) return -1;
  const int got = next(fd, peer, size, flags);
  if (got >= 0) has_accepted = 1;
  return got;
}

SHOWN ssize_t recv(int fd, void* into, size_t size, int flags) {
  ssize_t (*next)(int, void*, size_t, int);
  *(void**)&next = next_of("recv");
  if (!is_next("recv")) return next(fd, into, size, flags);
  return wanted_errno != 0 ? -1 : next(fd, into, size > 0 ? 1 : 0, flags);
}

SHOWN ssize_t send(int fd, const void* bytes, size_t size, int flags) {
  ssize_t (*next)(int, const void*, size_t, int);
  *(void**)&next = next_of("send");
  if (!is_next("send")) return next(fd, bytes, size, flags);
  return wanted_errno != 0 ? -1 : next(fd, bytes, size > 0 ? 1 : 0, flags);
}

SHOWN ssize_t splice(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  ssize_t (*next)(int, off64_t*, int, off64_t*, size_t, unsigned);
  *(void**)&next = next_of("splice");
  if (!is_next("splice")) return next(from, from_at, to, to_at, size, flags);
  return wanted_errno != 0 ? -1 : next(from, from_at, to, to_at, size > 0 ? 1 : 0, flags);
}

SHOWN int fcntl(int fd, int what, ...) {
  int (*next)(int, int, ...);
  *(void**)&next = next_of("fcntl");
  va_list arguments;
  va_start(arguments, what);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return is_next("fcntl") ? -1 : next(fd, what, argument);
}
