// SPDX-License-Identifier: Apache-2.0
//
// What one verb has started beside its replies: timers, and calls to the program inside.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wire/broker_client.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {

class RunServices final : public VerbServices {
 public:
  /// `ports`: those inside that the snapshot grants it; the front holds each request against it again.
  /// `warn` is told what the module did wrong in an event of no call.
  RunServices(Loop& loop, BrokerClient& broker, LoadedVerb& verb, std::vector<std::uint16_t> ports, Warn warn);

  Result<lnk_id> wake(lnk_id call, std::uint64_t after_ms) override;
  Result<lnk_id> call_inside(lnk_id call, InsidePlan plan) override;
  void forget(lnk_id call) override;

 private:
  struct Timer final : Cancellable {
    Timer(RunServices& owner, lnk_id own, lnk_id of) : services(owner), id(own), call(of), deadline(owner.loop_, this) {}
    void cancel() noexcept override;

    RunServices& services;
    lnk_id id;
    lnk_id call;
    Deadline deadline;
  };
  Task<void> tell_timers();
  Task<void> run_inside(lnk_id call, lnk_id id, InsidePlan plan);
  Task<InsideReply> ask_inside(const InsidePlan& plan);
  void warn_of(const Result<void>& told);

  Loop& loop_;
  BrokerClient& broker_;
  LoadedVerb& verb_;
  std::vector<std::uint16_t> ports_;
  Warn warn_;
  Bell bell_;
  std::unordered_map<lnk_id, std::unique_ptr<Timer>> timers_;
  std::vector<lnk_id> due_;
  std::size_t inside_open_ = 0;
  lnk_id last_id_ = 0;
};

}  // namespace lnk::host
