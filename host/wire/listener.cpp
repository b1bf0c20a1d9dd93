// SPDX-License-Identifier: Apache-2.0
#include "wire/listener.hpp"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

Task<void> serve_counted(ConnectionCount& count, Task<void> served) {
  struct Leave {
    ConnectionCount& count;
    ~Leave() { count.remove(); }
  } const leave{count};
  co_await std::move(served);
}

/// The one connection that was to be taken failed; the next may not. Errors of the network that it had come by are
/// passed on as accept's own (accept(2), "Error handling").
bool is_of_one_connection(int os_errno) noexcept {
  constexpr std::array kOfOne = {ECONNABORTED, EINTR,  EPROTO,       EPERM,     ENETDOWN,
                                 ENOPROTOOPT,  ENONET, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH};
  return std::find(kOfOne.begin(), kOfOne.end(), os_errno) != kOfOne.end();
}

/// The machine has no more to give; some of it comes back when something closes, here or elsewhere.
bool is_shortage(int os_errno) noexcept {
  return os_errno == EMFILE || os_errno == ENFILE || os_errno == ENOBUFS || os_errno == ENOMEM;
}

/// Cancels nothing but its own wait.
class Pause final : public Cancellable {
 public:
  explicit Pause(Loop& loop) noexcept : over(loop) {}
  void cancel() noexcept override { over.raise(); }
  Signal over;
};

Task<void> pause_for(Loop& loop, std::int64_t wait_ms) {
  Pause pause(loop);
  Deadline deadline(loop, &pause);
  deadline.set(wait_ms);
  co_await pause.over;
}

}  // namespace

void ConnectionCount::remove() {
  --open_;
  for (const auto waiter : std::exchange(waiters_, {})) loop_.post(waiter);
}

Result<DescriptorShares> share_descriptors(std::size_t descriptors, std::size_t listeners, bool has_endpoints) {
  const std::size_t needed = kSpareFds + listeners + kConnectionsMin * kFdsPerConnection;
  if (descriptors < needed)
    return fail(Code::Limit, "it may have " + std::to_string(descriptors) + " open files and needs " + std::to_string(needed) +
                                 "; raise the hard limit (ulimit -Hn)");
  const std::size_t free = descriptors - kSpareFds - listeners;
  // A fourth: each socket of an endpoint is there for connections, which take three descriptors each.
  const std::size_t sockets = has_endpoints ? std::min(kEndpointListenersMax, free / 4) : 0;
  return DescriptorShares{(free - sockets) / kFdsPerConnection, sockets};
}

std::size_t raise_descriptor_limit() noexcept {
  constexpr std::size_t kMostEver = 65536 * kFdsPerConnection;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  static_cast<void>(::getrlimit(RLIMIT_NOFILE, &limit));
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, kMostEver));
}

Task<void> accept_connections(Loop& loop, ConnectionCount& count, UniqueFd socket, ServeClient serve) {
  Watch watch(loop, std::move(socket));
  for (;;) {
    while (count.is_full()) co_await count;
    UniqueFd client(::accept4(watch.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.is_open()) {
      count.add();
      spawn(serve_counted(count, serve(std::move(client))));
      continue;
    }
    const int os_errno = errno;
    if (is_of_one_connection(os_errno)) continue;
    if (is_shortage(os_errno)) {
      co_await pause_for(loop, kShortageMs);
    } else if (os_errno != EAGAIN || co_await watch.readable() == Wake::Cancelled) {
      co_return;
    }
  }
}

}  // namespace lnk::host
