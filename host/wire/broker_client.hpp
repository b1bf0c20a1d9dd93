// SPDX-License-Identifier: Apache-2.0
//
// What the wire asks of its front, which may do what the wire can't, where the snapshot grants it. launch/broker_request.hpp has the
// requests and launch/broker.hpp the answers, one packet of JSON each on the control socket.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lnk/abi/base.h"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host {

/// What was asked of a person, and came of it.
enum class PersonsAnswer : std::uint8_t { Yes, No, TimedOut };

class BrokerClient {
 public:
  /// `control` stays the caller's.
  BrokerClient(Loop& loop, int control) noexcept : loop_(loop), control_(control) {}

  /// Ids of questions, tools and ports are known before the answer, so that they can be taken back.
  [[nodiscard]] std::uint64_t next_id() noexcept { return ++last_id_; }

  // errors of all: Denied, Upstream (it failed), Timeout, Limit; Internal where the front answers in no known form

  /// A stream connected to 127.0.0.1:port inside.
  Task<Result<UniqueFd>> connect_inside(std::string_view verb, std::uint16_t port);
  Task<Result<PersonsAnswer>> ask(std::uint64_t id, std::string_view verb, std::string_view title, const std::vector<std::string>& lines);
  /// The question of that id is nobody's any more, and its answer, which comes as TimedOut, nobody's.
  void withdraw(std::uint64_t id, std::string_view verb);
  /// The tool's input and output. Its end is told to `on_tool_exit`.
  Task<Result<UniqueFd>> start_tool(std::uint64_t id, std::string_view verb, std::string_view name);
  void stop_tool(std::uint64_t id, std::string_view verb);
  Task<Status> open_page(std::string_view verb, std::string_view url);
  /// Sockets that listen at that port of this machine's loopback.
  Task<Result<std::vector<UniqueFd>>> listen_outside(std::uint64_t id, std::string_view verb, std::uint16_t port);
  void stop_listening(std::uint64_t id, std::string_view verb);

  /// Who wants to know of the end of a tool that was started; called once.
  void on_tool_exit(std::uint64_t id, std::function<void(int code)> told) { tools_[id] = std::move(told); }
  void forget_tool(std::uint64_t id) { tools_.erase(id); }

  /// False: the packet is no answer, and its descriptors are left. An answer that nobody waits for is dropped.
  bool take(std::string_view packet, std::vector<UniqueFd>& fds);

 private:
  struct Pending;
  struct Wanted {
    std::uint64_t id;
    std::string packet;
    std::int64_t patience_ms;
  };
  struct Brought {
    lnk_status status = LNK_E_INTERNAL;
    std::string answer;
    std::vector<UniqueFd> fds;
  };
  Task<Brought> request(Wanted wanted, UniqueFd attached);
  Task<Result<UniqueFd>> request_one(Wanted wanted);
  void say(std::uint64_t id, std::string_view verb, std::string_view what);
  bool take_exit(std::string_view packet);

  Loop& loop_;
  int control_;
  std::unordered_map<std::uint64_t, Pending*> pending_;
  std::unordered_map<std::uint64_t, std::function<void(int)>> tools_;
  std::uint64_t last_id_ = 0;
};

}  // namespace lnk::host
