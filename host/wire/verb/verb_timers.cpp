// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/verb_timers.hpp"

#include <utility>

#include "wire/limits.hpp"

namespace lnk::host {

VerbTimers::VerbTimers(Loop& loop, LoadedVerb& verb, Warn warn)
    : loop_(loop), verb_(verb), warn_(std::move(warn)), bell_(loop) {
  due_.reserve(kTimersMax);  // so that a timer that is over allocates nothing
  verb_.use(*this);
  spawn(tell());
}

void VerbTimers::Timer::cancel() noexcept {
  timers.due_.push_back(id);
  timers.bell_.ring();
}

Result<lnk_id> VerbTimers::wake(lnk_id call, std::uint64_t after_ms) {
  if (waiting_.size() == kTimersMax) return fail(Code::Limit, "more than 256 timers wait");
  const lnk_id id = ++last_id_;
  auto timer = std::make_unique<Timer>(*this, id, call);
  timer->deadline.set(static_cast<std::int64_t>(after_ms));
  waiting_.emplace(id, std::move(timer));
  return id;
}

void VerbTimers::forget(lnk_id call) {
  std::erase_if(waiting_, [call](const auto& each) { return each.second->call == call; });
}

/// Outside of the sweep that found them due, which may run no module.
Task<void> VerbTimers::tell() {
  for (;;) {
    co_await bell_;
    for (const lnk_id id : std::exchange(due_, {})) {
      const auto timer = waiting_.find(id);
      if (timer == waiting_.end()) continue;  // its call went meanwhile
      const lnk_id call = timer->second->call;
      waiting_.erase(timer);
      if (const auto told = verb_.timer(call, id); !told)
        warn_("verb " + verb_.id() + ": a timer failed: " + told.error().text);
    }
    due_.reserve(kTimersMax);
  }
}

}  // namespace lnk::host
