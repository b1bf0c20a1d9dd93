// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/call_driver.hpp"

#include <utility>

#include "lnk/http/write.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

http::Refusal module_failed(std::string_view id) {
  return {403, "verb-off", "the verb " + std::string(id) + " failed, so the call was refused; trying again won't help"};
}

http::Refusal body_too_large() { return {413, "too-large", "the body is larger than this verb reads"}; }

/// The request's whole body, or why there is none.
Task<http::Checked<std::string>> read_whole_body(Exchange& exchange, std::uint64_t bytes_max, HeldBodies::Share& held) {
  const auto& framing = exchange.head.body;
  if (framing.framing == http::Framing::Length && framing.length > bytes_max) co_return body_too_large();
  if (auto invited = co_await exchange.reply.invite_body(); !invited) co_return http::Refusal{0, "bad-request", {}};
  Deadline stall(exchange.loop, &exchange.client);
  std::string body;
  while (!exchange.request.is_body_whole()) {
    stall.set(kBodyStallMs);
    auto read = co_await exchange.request.read_body();
    if (const auto* end = std::get_if<ReadEnd>(&read)) {
      if (end->kind == ReadEnd::Kind::Refused) co_return end->refusal;
      if (end->kind == ReadEnd::Kind::TimedOut) co_return refuse_slow_body();
      co_return http::Refusal{0, "bad-request", {}};  // nobody is there to be told
    }
    const auto bytes = std::get<BodyPiece>(read).bytes;
    if (bytes.size() > bytes_max - body.size()) co_return body_too_large();
    if (!held.grow(bytes.size())) co_return refuse_too_much_held();
    body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  co_return body;
}

}  // namespace

CallDriver::CallDriver(const Outside* outside, Exchange& exchange, LoadedVerb& verb, HeldBodies& bodies, const Warn& warn)
    : outside_(outside),
      held_(bodies),
      exchange_(exchange),
      verb_(verb),
      warn_(warn),
      bell_(exchange.loop),
      alarm_(bell_),
      idle_(exchange.loop, &alarm_),
      call_(verb.limits(), [this] { bell_.ring(); }),
      id_(verb.open(call_)),
      watch_(exchange.loop, exchange.client, bell_) {
  if (outside_ == nullptr) return;
  for (const VerbUpstream& upstream : verb.upstreams())
    for (const std::string& handle : upstream.handles)
      if (const auto* value = outside_->handles.find(handle)) echo_.add(*value);
}

/// Tells the module that the call is over, however it ended.
CallDriver::~CallDriver() { verb_.gone(id_); }

Task<void> CallDriver::run(const HeadFacts& head) {
  co_await carry_out(verb_.head(id_, head));
  // Not in one condition: gcc 12 awaits what stands behind && in a while whatever stands before it.
  for (bool goes_on = true; goes_on && !is_done_;) goes_on = co_await carry_out_next();
  call_.close();
  if (const auto word = call_.take_log(); !word.empty()) exchange_.log.cut(word);
  co_await finish();
}

Task<void> CallDriver::finish() {
  co_await watch_.stop();
  if (seen_) co_await seen_->finish();
}

/// False: nobody is there to be answered.
Task<bool> CallDriver::carry_out_next() {
  auto decided = call_.take_decided();
  if (!std::holds_alternative<Waits>(decided)) {
    co_await carry_out(std::move(decided));
    co_return true;
  }
  if (seen_ && seen_->refusal()) {
    co_await refuse(*seen_->refusal());
    co_return false;
  }
  co_return co_await wait();
}

/// Nothing of the program is read from then on but whether it is there.
void CallDriver::watch_client() {
  if (exchange_.request.is_body_whole() || !seen_ || !seen_->reads_client()) watch_.start();
}

Task<bool> CallDriver::wait() {
  // A body that goes out and ends too early: the program left in the middle of it.
  watch_client();
  if (watch_.is_gone()) co_return false;
  idle_.set(kIdleMs);
  co_await bell_;
  idle_.clear();
  if (alarm_.is_over) cut("too-slow");
  co_return !alarm_.is_over && !watch_.is_gone();
}

Task<void> CallDriver::carry_out(Decided decided) {
  if (const auto* wish = std::get_if<NeedBodyPlan>(&decided)) {
    co_await give_body(*wish);
  } else if (auto* plan = std::get_if<RelayPlan>(&decided)) {
    co_await begin_outside(std::move(*plan));
  } else if (const auto* reply = std::get_if<AnswerPlan>(&decided)) {
    if (echoes(*reply)) {
      co_await refuse(refuse_echo());
    } else if (reply->streams) {
      co_await stream(*reply);
    } else {
      co_await answer(*reply);
    }
  } else if (auto* refusal = std::get_if<http::Refusal>(&decided)) {
    // One form for what is not there, whoever says so.
    if (refusal->reason == refuse_no_such_verb().reason) *refusal = refuse_no_such_verb();
    co_await refuse(std::move(*refusal));
  } else if (const auto* fault = std::get_if<ModuleFault>(&decided)) {
    co_await refuse_fault(*fault);
  }
}

Task<void> CallDriver::give_body(const NeedBodyPlan& wish) {
  auto body = co_await read_whole_body(exchange_, wish.bytes_max, held_);
  if (auto* refusal = std::get_if<http::Refusal>(&body)) {
    co_await refuse(std::move(*refusal));
    co_return;
  }
  auto decided = verb_.body(id_, std::get<std::string>(body));
  // What goes out is the module's own text; this one is kept no longer.
  std::get<std::string>(body) = std::string();
  held_.release();
  co_await carry_out(std::move(decided));
}

Task<void> CallDriver::begin_outside(RelayPlan plan) {
  if (!held_.grow(plan.body.size())) {
    co_await refuse(refuse_too_much_held());
    co_return;
  }
  exchange_.log.set_target({verb_.id(), plan.host, plan.port});
  // A verb that declared an upstream has had TLS loaded for it, and goes to no other.
  if (plan.sees_reply) {
    seen_.emplace(*outside_, exchange_, std::move(plan), CallOfVerb{verb_, call_, id_}, bell_);
    seen_->start();
    co_return;
  }
  is_done_ = true;
  co_await pass_reply(*outside_, exchange_, plan);
}

/// Of the outside's that a module passes on, or of what it pieced together.
bool CallDriver::echoes(const AnswerPlan& plan) {
  if (echo_.is_empty()) return false;
  bool found = echo_.is_in(plan.body);
  for (const auto& field : plan.fields) found = found || echo_.is_in(field.name) || echo_.is_in(field.value);
  return found;
}

Task<void> CallDriver::answer(const AnswerPlan& plan) {
  is_done_ = true;
  std::vector<http::Field> fields;
  for (const auto& field : plan.fields) fields.push_back({field.name, field.value});
  exchange_.log.opened();
  exchange_.log.status = plan.status;
  exchange_.log.in += plan.body.size();
  watch_client();
  Status sent = co_await exchange_.reply.begin(plan.status, http::reason_phrase(plan.status), fields, plan.body.size());
  if (sent) sent = co_await exchange_.reply.piece(to_bytes(plan.body));
  if (sent) static_cast<void>(co_await exchange_.reply.end());
  if (!exchange_.request.is_body_whole() && !(seen_ && seen_->reads_client())) exchange_.reply.close_after();
}

Task<void> CallDriver::stream(const AnswerPlan& plan) {
  std::vector<http::Field> fields;
  for (const auto& field : plan.fields) fields.push_back({field.name, field.value});
  exchange_.log.opened();
  exchange_.log.status = plan.status;
  watch_client();
  const Status sent = co_await exchange_.reply.begin(plan.status, http::reason_phrase(plan.status), fields, std::nullopt);
  bool goes_on = sent.has_value();
  if (goes_on && !plan.body.empty()) goes_on = co_await write_stream(plan.body);
  if (goes_on) co_await move_stream();
  is_done_ = true;
  if (!exchange_.request.is_body_whole() && !(seen_ && seen_->reads_client())) exchange_.reply.close_after();
}

Task<void> CallDriver::move_stream() {
  for (;;) {
    if (call_.has_fault()) co_return co_await carry_out(call_.take_decided());
    if (seen_ && seen_->refusal()) co_return co_await refuse(*seen_->refusal());
    if (call_.has_stream()) {
      if (!co_await write_stream(call_.take_stream())) co_return;
      continue;
    }
    // DENY, which ends it too, behind what was said before.
    if (auto cut = call_.take_decided(); !std::holds_alternative<Waits>(cut)) co_return co_await carry_out(std::move(cut));
    if (call_.has_ended()) break;
    if (call_.is_full()) {
      call_.note_drained();
      verb_.drained(id_);
      if (seen_) seen_->go_on();
      continue;
    }
    if (!co_await wait()) co_return;
  }
  if (const auto held = echo_.take_held(); !held.empty()) {
    exchange_.log.in += held.size();
    if (!co_await exchange_.reply.piece(to_bytes(held))) co_return;
  }
  static_cast<void>(co_await exchange_.reply.end());
}

/// False: the program is gone, or what was to be written holds a secret.
Task<bool> CallDriver::write_stream(std::string bytes) {
  std::string passed;
  if (!echo_.is_empty()) {
    if (!echo_.next(bytes, passed)) {
      co_await refuse(refuse_echo());
      co_return false;
    }
    std::swap(bytes, passed);
  }
  exchange_.log.in += bytes.size();
  idle_.set(kIdleMs);
  idle_.cancels(&exchange_.client);
  const Status written = co_await exchange_.reply.piece(to_bytes(bytes));
  idle_.clear();
  idle_.cancels(&alarm_);
  co_return written.has_value();
}

void CallDriver::cut(std::string_view reason) {
  exchange_.log.cut(reason);
  exchange_.reply.close_after();
}

/// Behind a reply's head that went out there is nothing to say it in: the reply is cut.
Task<void> CallDriver::refuse(http::Refusal refusal) {
  is_done_ = true;
  if (exchange_.reply.has_begun()) co_return cut(refusal.reason);
  exchange_.log.refused(refusal);
  co_await exchange_.refuse(std::move(refusal));
}

Task<void> CallDriver::refuse_fault(const ModuleFault& fault) {
  warn_("verb " + verb_.id() + " refused a call by a fault of its own: " + fault.error.text);
  co_await refuse(module_failed(verb_.id()));
}

}  // namespace lnk::host
