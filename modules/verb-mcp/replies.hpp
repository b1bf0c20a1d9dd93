// SPDX-License-Identifier: Apache-2.0
//
// The replies to HTTP requests: what is said is written as the host takes it, in pieces, and what waits is counted. A call that
// went meanwhile takes nothing more, which is no fault.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "head.hpp"
#include "lnk/cpp/verb_actions.hpp"

namespace lnk::verb_mcp {

class Replies {
 public:
  /// An event of that call begins; 0: of none.
  void begin_event(lnk_id call) noexcept {
    event_call_ = call;
    fault_.reset();
  }
  /// What the host refused of the event's own call, which fails the event. Of another call it is no fault of this one.
  [[nodiscard]] Status take_fault() {
    if (fault_) return fail(*std::move(fault_));
    return {};
  }
  /// The head of a stream of events. `session`: shown in it where it isn't empty.
  void begin_events(Actions& actions, lnk_id call, std::string_view session);
  /// A message as the whole reply.
  void answer(Actions& actions, lnk_id call, std::uint32_t status, std::string_view json, std::string_view session = {});
  /// 202, for what has no answer; 200 for the end of a session.
  void accept(Actions& actions, lnk_id call, std::uint32_t status = 202);
  void refuse(Actions& actions, lnk_id call, const Refusal& refusal);

  /// More of a stream.
  void push(Actions& actions, lnk_id call, std::string_view text);
  void finish(Actions& actions, lnk_id call);

  void note_drained(Actions& actions, lnk_id call);
  void note_gone(lnk_id call) { open_.erase(call); }
  [[nodiscard]] std::size_t waiting_bytes(lnk_id call) const noexcept;

 private:
  struct Open {
    std::string waiting;
    std::size_t sent = 0;  ///< of `waiting`
    bool is_full = false;
    bool is_finished = false;
  };
  void begin(Actions& actions, lnk_id call, const Reply& head);
  void note(lnk_id call, const Status& done);
  void flow(Actions& actions, lnk_id call, Open& open);

  std::map<lnk_id, Open> open_;
  lnk_id event_call_ = 0;
  std::optional<Error> fault_;
};

}  // namespace lnk::verb_mcp
