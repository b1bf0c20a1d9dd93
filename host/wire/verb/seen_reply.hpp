// SPDX-License-Identifier: Apache-2.0
//
// A RELAY or FORWARD whose reply the verb sees: its head, pieces and end are given to it as they come, and it answers by itself.
// Runs beside what writes the answer. While that is full nothing more is read outside.
#pragma once

#include <optional>

#include "wire/verb/call.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/outside_request.hpp"

namespace lnk::host {

/// The call as its verb knows it.
struct CallOfVerb {
  LoadedVerb& verb;
  Call& call;
  lnk_id id;
};

class SeenReply {
 public:
  /// `bell`: rung at the end, and when nothing waits for the program any more.
  SeenReply(const Outside& outside, Exchange& exchange, RelayPlan plan, CallOfVerb of, Bell& bell);
  SeenReply(const SeenReply&) = delete;
  SeenReply& operator=(const SeenReply&) = delete;

  void start();
  /// DRAINED was told.
  void go_on() { room_.ring(); }
  /// Once the program has its answer, or is gone. Returns when nothing of this runs any more.
  Task<void> finish();
  /// The host's own reason to refuse the call, which the verb isn't asked about.
  [[nodiscard]] const std::optional<http::Refusal>& refusal() const noexcept { return refusal_; }
  [[nodiscard]] bool reads_client() const noexcept { return is_running_ && (!has_sent_ || request_.reads_client()); }

 private:
  Task<void> run();
  Task<void> show();
  Task<void> show_body();
  void show_end(lnk_status status);

  Exchange& exchange_;
  RelayPlan plan_;
  CallOfVerb of_;
  Bell& bell_;
  Bell room_;
  Signal ended_;
  OutsideRequest request_;
  std::optional<http::Refusal> refusal_;
  bool is_running_ = false;
  bool has_sent_ = false;
  bool is_over_ = false;  ///< nobody wants more of it
};

}  // namespace lnk::host
