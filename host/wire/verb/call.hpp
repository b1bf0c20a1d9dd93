// SPDX-License-Identifier: Apache-2.0
//
// One call as its verb sees it: events go in one at a time, and what the verb does in each is held to the order of
// verb.h. Pure: no I/O, no clock.
//
// Fails closed: an action that is malformed, out of order, not granted or not in this version refuses the call,
// whatever the verb does after it; so does an event that decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "lnk/abi/verb.h"
#include "lnk/http/refusal.hpp"
#include "wire/verb/decided.hpp"

namespace lnk::host {

/// What the module did wrong, for the log. It is refused inside with words that tell nothing of it.
struct ModuleFault {
  Error error;
};

using Decided = std::variant<ModuleFault, NeedBodyPlan, RelayPlan, AnswerPlan, http::Refusal>;

/// What a verb may do, by its own declaration and by the snapshot.
struct VerbLimits {
  std::uint64_t body_bytes_max = 0;
  /// Whether a request may go to that host, and carry those handles there.
  std::function<Result<void>(const RelayPlan&)> check_upstream;
};

class Call {
 public:
  explicit Call(const VerbLimits& limits) noexcept : limits_(&limits) {}

  /// HEAD or BODY is about to be given to the verb.
  void begin_event(std::uint32_t kind) noexcept;
  /// One action of the event that is being handled.
  lnk_status take(const lnk_action& action);
  /// Refuses the call whatever the verb does from here; the first fault is the one that is told.
  lnk_status fault(Error error);
  /// The event's call returned. What the host does now.
  Decided end_event(lnk_status returned, const Error& error);

 private:
  lnk_status decide(Result<Decided> decided);
  Result<Decided> read(const lnk_action& action);
  Result<Decided> read_passage(const lnk_action& action);
  Result<Decided> read_body_wish(const lnk_action& action);

  const VerbLimits* limits_;
  std::uint32_t event_ = 0;  ///< the kind being handled; 0: none
  bool has_decided_ = false;
  bool has_fault_ = false;
  Decided decided_;
};

}  // namespace lnk::host
