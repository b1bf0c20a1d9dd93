// SPDX-License-Identifier: Apache-2.0
//
// Lookups by the C library's resolver, each on a thread that waits for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

namespace lnk::host {

struct LookupRequest {
  std::uint32_t id = 0;
  std::uint32_t type = 0;  ///< of the records that are asked for: SRV or TXT; 0: addresses
  std::string name;
};

/// Names are asked of the files and of DNS, whatever nsswitch.conf says: other services are libraries that would be
/// loaded into this process, and daemons on sockets that it can't reach, which complete names by search domains of
/// their own. Before the first lookup. False: the C library refuses.
[[nodiscard]] bool use_files_and_dns();

/// The next request from `socket`; false at its end.
[[nodiscard]] bool read_request(int socket, LookupRequest& request);

/// Threads are made as they are needed, up to a limit, and stay. Never taken apart: the process ends instead.
class Lookups {
 public:
  explicit Lookups(int socket) noexcept : socket_(socket) {}

  /// Called by one thread.
  void add(LookupRequest request);
  /// Until each that was added is answered.
  void wait_answered();

 private:
  [[noreturn]] void work();
  LookupRequest take();
  void look_up(const LookupRequest& request) const;
  void look_up_addresses(const LookupRequest& request) const;
  void look_up_records(const LookupRequest& request) const;

  int socket_;
  std::mutex mutex_;
  std::condition_variable waiting_;
  std::condition_variable answered_;
  std::deque<LookupRequest> queue_;
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
};

}  // namespace lnk::host
