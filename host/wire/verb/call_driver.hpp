// SPDX-License-Identifier: Apache-2.0
//
// Carries out what a verb decides on one call, from its head to GONE: one coroutine that writes to the program, beside it one
// that shows a reply to the verb, and one that looks whether the program is still there.
//
// Guarantees: GONE is told once, whatever happened; a piece of a stream is written as soon as the program takes it; what waits
// for it is bounded; nothing that a handle of this verb stands for passes to the program.
#pragma once

#include <memory>
#include <optional>

#include "wire/verb/client_watch.hpp"
#include "wire/verb/held_bodies.hpp"
#include "wire/verb/seen_reply.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {

class CallDriver {
 public:
  /// `outside`: null where no verb has an upstream.
  /// `bodies` outlives it.
  CallDriver(const Outside* outside, Exchange& exchange, LoadedVerb& verb, HeldBodies& bodies, const Warn& warn);
  ~CallDriver();
  CallDriver(const CallDriver&) = delete;
  CallDriver& operator=(const CallDriver&) = delete;

  Task<void> run(const HeadFacts& head);

 private:
  /// The call may wait this long with nothing said by anyone.
  struct Alarm final : Cancellable {
    explicit Alarm(Bell& rung) noexcept : bell(rung) {}
    void cancel() noexcept override {
      is_over = true;
      bell.ring();
    }
    Bell& bell;
    bool is_over = false;
  };

  Task<void> carry_out(Decided decided);
  Task<bool> carry_out_next();
  Task<void> stream(const AnswerPlan& plan);
  Task<void> move_stream();
  Task<bool> write_stream(std::string bytes);
  Task<void> answer(const AnswerPlan& plan);
  Task<void> begin_outside(RelayPlan plan);
  Task<void> give_body(const NeedBodyPlan& wish);
  Task<void> refuse(http::Refusal refusal);
  Task<void> refuse_fault(const ModuleFault& fault);
  Task<bool> wait();
  Task<void> finish();
  [[nodiscard]] bool echoes(const AnswerPlan& plan);
  void cut(std::string_view reason);
  void watch_client();

  const Outside* outside_;
  HeldBodies::Share held_;
  Exchange& exchange_;
  LoadedVerb& verb_;
  const Warn& warn_;
  Bell bell_;
  Alarm alarm_;
  Deadline idle_;
  Call call_;
  lnk_id id_;
  EchoWatch echo_;  ///< of every handle of the verb, which may answer one call by what another's request brought
  std::optional<SeenReply> seen_;
  ClientWatch watch_;
  bool is_done_ = false;
};

}  // namespace lnk::host
