// SPDX-License-Identifier: Apache-2.0
//
// What a host may send next: the order of verb.h, kept for several calls at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lnk/fake/verb_bench.hpp"
#include "random.hpp"

namespace lnk::modcheck {

/// An event that the verb has asked for by an action, and that comes once.
struct Owed {
  std::uint32_t kind = 0;  ///< LNK_EVENT_…
  lnk_id subject = 0;
};

struct OpenCall {
  std::vector<Owed> owed = {};
  bool has_request = false;  ///< relay or forward: once a call
  bool is_answered = false;  ///< by answer or deny, or a request whose reply passes by itself: once a call
  bool streams = false;      ///< pieces of its answer may follow
  bool is_failed = false;    ///< an event failed: only GONE may follow
};

class CallModel {
 public:
  CallModel(fake::VerbBench& bench, Random& random) : bench_(bench), random_(random) {}

  /// Sends one event that is in order; the words of a fault, or empty.
  [[nodiscard]] std::string step();
  /// Ends every call.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t kOpenMax = 6;

  std::string begin_call();
  std::string end_call(lnk_id call);
  std::string pay(lnk_id call);
  fake::Sent send_owed(lnk_id call, const Owed& owed);
  std::string take(lnk_id call, const fake::Sent& sent);
  static std::string follow(OpenCall& owner, const fake::RecordedAction& action);
  std::string take_action(const fake::RecordedAction& action);

  fake::VerbBench& bench_;
  Random& random_;
  std::map<lnk_id, OpenCall> calls_ = {};
  std::vector<Owed> unbound_ = {};  ///< of no call: what a tool says, what comes to a port
  lnk_id last_call_ = 0;
  std::uint64_t now_ms_ = 1'000;
};

}  // namespace lnk::modcheck
