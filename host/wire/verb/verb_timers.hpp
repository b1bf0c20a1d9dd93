// SPDX-License-Identifier: Apache-2.0
//
// The timers of one verb.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "wire/loop.hpp"
#include "wire/task.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {

class VerbTimers final : public VerbServices {
 public:
  /// `warn` is told what the module did wrong in a timer of no call.
  VerbTimers(Loop& loop, LoadedVerb& verb, Warn warn);

  Result<lnk_id> wake(lnk_id call, std::uint64_t after_ms) override;
  void forget(lnk_id call) override;

 private:
  struct Timer final : Cancellable {
    Timer(VerbTimers& owner, lnk_id own, lnk_id of) : timers(owner), id(own), call(of), deadline(owner.loop_, this) {}
    void cancel() noexcept override;

    VerbTimers& timers;
    lnk_id id;
    lnk_id call;
    Deadline deadline;
  };
  Task<void> tell();

  Loop& loop_;
  LoadedVerb& verb_;
  Warn warn_;
  Bell bell_;
  std::unordered_map<lnk_id, std::unique_ptr<Timer>> waiting_;
  std::vector<lnk_id> due_;
  lnk_id last_id_ = 0;
};

}  // namespace lnk::host
