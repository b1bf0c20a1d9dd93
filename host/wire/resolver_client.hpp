// SPDX-License-Identifier: Apache-2.0
//
// The wire's side of the resolver, the small process beside it that asks the system's resolver and holds no key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lnk/posix/unique_fd.hpp"
#include "wire/lookup.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host {

class ResolverClient {
 public:
  ResolverClient(Loop& loop, UniqueFd socket);

  /// Starts the reader of replies; it ends when the resolver is gone, and every lookup then fails.
  void start();
  // Lookups of one name that are under way at once are one question: a busy build asks for the same few hosts.
  Task<Lookup> look_up(std::string_view name) { return ask(name, 0); }
  Task<Lookup> look_up_ipv6(std::string_view name) { return ask(name, kLookupIpv6); }
  /// SRV or TXT; a lookup of no others is answered.
  Task<Lookup> look_up_records(std::string_view name, std::uint16_t type) { return ask(name, type); }

 private:
  struct Waiting;
  using Subject = std::pair<std::uint32_t, std::string>;  ///< type and name
  struct Question {
    Subject subject;
    std::vector<Waiting*> waiting;
  };

  Task<Lookup> ask(std::string_view name, std::uint32_t type);
  /// The id of the question that is under way, or goes out now. None: it could not be sent.
  std::optional<std::uint32_t> begin(Subject subject);
  void leave(std::uint32_t id, const Waiting* waiting);
  Task<void> read_replies();
  void take_reply(std::string_view packet);
  void fail_all();

  Loop& loop_;
  Watch socket_;
  std::unordered_map<std::uint32_t, Question> questions_;  ///< those that are not answered yet, by their ids on the socket
  std::map<Subject, std::uint32_t> ids_;
  std::size_t waiting_ = 0;
  std::uint32_t last_id_ = 0;
  bool is_gone_ = false;
};

}  // namespace lnk::host
