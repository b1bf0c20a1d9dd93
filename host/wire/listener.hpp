// SPDX-License-Identifier: Apache-2.0
//
// Takes connections on a socket that listens inside.
#pragma once

#include <cstddef>
#include <functional>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

/// How many connections may be open: what the process's descriptors allow. Above it none is taken, and who connects
/// waits in the kernel's queue.
class ConnectionCount {
 public:
  ConnectionCount(Loop& loop, std::size_t most) noexcept : loop_(loop), most_(most) {}

  [[nodiscard]] bool is_full() const noexcept { return open_ >= most_; }
  void add() noexcept { ++open_; }
  void remove();

  /// co_await count: until one more may be open. Several listeners may wait.
  bool await_ready() const noexcept { return !is_full(); }
  void await_suspend(std::coroutine_handle<> waiter) { waiters_.push_back(waiter); }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  std::size_t most_;
  std::size_t open_ = 0;
  std::vector<std::coroutine_handle<>> waiters_;
};

/// How the descriptors that a process may have are shared out.
struct DescriptorShares {
  std::size_t connections = 0;
  std::size_t endpoint_sockets = 0;
};
/// errors: Limit, where `descriptors` are too few for a wire
[[nodiscard]] Result<DescriptorShares> share_descriptors(std::size_t descriptors, std::size_t listeners, bool has_endpoints);
/// Raises the limit of descriptors as far as it goes; how many there may be then.
[[nodiscard]] std::size_t raise_descriptor_limit() noexcept;

/// What becomes of one connection, to its end.
using ServeClient = std::function<Task<void>(UniqueFd client)>;

Task<void> accept_connections(Loop& loop, ConnectionCount& count, UniqueFd socket, ServeClient serve);

}  // namespace lnk::host
