// SPDX-License-Identifier: Apache-2.0
#include "wire/listener.hpp"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "wire/connection.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

Task<void> serve_counted(WireParts& parts, ConnectionCount& count, UniqueFd client) {
  struct Leave {
    ConnectionCount& count;
    ~Leave() { count.remove(); }
  } const leave{count};
  co_await serve_connection(parts, std::move(client));
}

/// What a single connection can make accept fail with, and what is over when one of ours closes; anything else is a
/// fault of the listener.
bool is_passing(int os_errno) noexcept {
  return os_errno == ECONNABORTED || os_errno == EINTR || os_errno == EPROTO || os_errno == EPERM ||
         os_errno == ENOBUFS || os_errno == ENOMEM || os_errno == EMFILE || os_errno == ENFILE;
}

}  // namespace

void ConnectionCount::remove() {
  --open_;
  for (const auto waiter : std::exchange(waiters_, {})) loop_.post(waiter);
}

std::size_t raise_connection_limit() noexcept {
  constexpr std::size_t kMostEver = 65536;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kSpareFds;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  static_cast<void>(::getrlimit(RLIMIT_NOFILE, &limit));
  const std::size_t fds = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, kMostEver * kFdsPerConnection));
  return std::max<std::size_t>(fds, 2 * kSpareFds) / kFdsPerConnection - kSpareFds / kFdsPerConnection;
}

Task<void> accept_connections(WireParts& parts, ConnectionCount& count, UniqueFd socket) {
  Watch watch(parts.loop, std::move(socket));
  for (;;) {
    while (count.is_full()) co_await count;
    UniqueFd client(::accept4(watch.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.is_open()) {
      count.add();
      spawn(serve_counted(parts, count, std::move(client)));
      continue;
    }
    if (errno != EAGAIN && !is_passing(errno)) co_return;
    if (co_await watch.readable() == Wake::Cancelled) co_return;
  }
}

}  // namespace lnk::host
