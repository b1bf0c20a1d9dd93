// SPDX-License-Identifier: Apache-2.0
//
// What the wire asks of its front, which may do what the wire can't, where the snapshot grants it. A request and its answer are
// one packet of JSON each, on the control socket:
//   {"ask":{"id":7,"verb":"verb-x","what":"connect-inside","port":8080}}
//   {"answer":{"id":7,"status":"ok"}}                  and a descriptor with it
// A status is "ok" or a word of status_word: "denied", "upstream", "timeout", …
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host {

class BrokerClient {
 public:
  /// `control` stays the caller's.
  BrokerClient(Loop& loop, int control) noexcept : loop_(loop), control_(control) {}

  /// A stream connected to 127.0.0.1:port inside.
  /// errors: Denied, Upstream (nobody listens), Timeout; Internal where the front answers in no known form
  Task<Result<UniqueFd>> connect_inside(std::string_view verb, std::uint16_t port);
  /// False: the packet is no answer, and its descriptor is left. An answer that nobody waits for is dropped.
  bool take(std::string_view packet, UniqueFd& fd);

 private:
  struct Pending;
  Loop& loop_;
  int control_;
  std::unordered_map<std::uint64_t, Pending*> pending_;
  std::uint64_t last_id_ = 0;
};

}  // namespace lnk::host
