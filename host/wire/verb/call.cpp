// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/call.hpp"

#include <string>
#include <utility>

#include "wire/limits.hpp"

namespace lnk::host {

void Call::begin_event(std::uint32_t kind) noexcept {
  if (kind == LNK_EVENT_BODY && step_ == Step::Body) step_ = Step::BodyRead;
  if (kind == LNK_EVENT_REPLY_END) reply_has_ended_ = true;
}

bool Call::is_undecided() const noexcept {
  return step_ == Step::Undecided || step_ == Step::BodyRead || (step_ == Step::Seen && reply_has_ended_);
}

Result<Decided> Call::read_passage(const lnk_action& action) {
  const bool forwards = action.kind == LNK_ACTION_FORWARD;
  if (!forwards && step_ == Step::BodyRead) return fail(Code::Invalid, "RELAY after the body was read");
  if (step_ != Step::Undecided && step_ != Step::BodyRead) return fail(Code::Invalid, "a second decision on one call");
  LNK_TRY(auto plan, read_relay(action, forwards));
  LNK_CHECK(limits_->check_upstream(plan));
  step_ = plan.sees_reply ? Step::Seen : Step::Over;
  return Decided(std::move(plan));
}

Result<Decided> Call::read_body_wish(const lnk_action& action) {
  if (step_ != Step::Undecided) return fail(Code::Invalid, "NEED_BODY after the body was read, or the call decided");
  LNK_TRY(const auto plan, read_need_body(action));
  if (plan.bytes_max > limits_->body_bytes_max) return fail(Code::Limit, "NEED_BODY over what the verb declared");
  step_ = Step::Body;
  return Decided(plan);
}

Result<Decided> Call::read_reply(const lnk_action& action) {
  if (action.kind == LNK_ACTION_ANSWER && action.subject != 0) return fail(Code::Gone, "ANSWER to a callback that is not open");
  if (step_ == Step::Body) return fail(Code::Invalid, "a decision before the body that was asked for");
  const bool cuts = step_ == Step::Streams && action.kind == LNK_ACTION_DENY;
  if (step_ == Step::Over || (step_ == Step::Streams && !cuts)) return fail(Code::Invalid, "a second decision on one call");
  if (action.kind == LNK_ACTION_DENY) {
    LNK_TRY(auto refusal, read_deny(action));
    step_ = Step::Over;
    return Decided(std::move(refusal));
  }
  LNK_TRY(auto plan, read_answer(action));
  step_ = plan.streams ? Step::Streams : Step::Over;
  return Decided(std::move(plan));
}

Result<Decided> Call::read(const lnk_action& action) {
  switch (action.kind) {
    case LNK_ACTION_RELAY:
    case LNK_ACTION_FORWARD:
      return read_passage(action);
    case LNK_ACTION_NEED_BODY:
      return read_body_wish(action);
    case LNK_ACTION_ANSWER:
    case LNK_ACTION_DENY:
      return read_reply(action);
    default:
      return fail(Code::Unsupported, "action " + std::to_string(action.kind) + " is not in this version");
  }
}

lnk_status Call::fault(Error error) {
  const auto status = static_cast<lnk_status>(error.code);
  if (!fault_) fault_ = std::move(error);
  step_ = Step::Over;
  if (changed_) changed_();
  return status;
}

lnk_status Call::decide(Result<Decided> decided) {
  if (!decided) return fault(std::move(decided).error());
  decided_.push_back(std::move(decided).value());
  if (changed_) changed_();
  return LNK_OK;
}

lnk_status Call::take_piece(const lnk_action& action) {
  if (step_ != Step::Streams) return fault({Code::Invalid, "STREAM where no answer streams"});
  const auto piece = read_piece(action);
  if (!piece) return fault(piece.error());
  if (piece->size() > kStreamBytesMax - stream_.size()) return fault({Code::Limit, "STREAM goes on though it was told to wait"});
  stream_.append(*piece);
  if (stream_.size() > kStreamMarkBytes) is_full_ = true;
  if (changed_) changed_();
  return is_full_ ? LNK_E_AGAIN : LNK_OK;
}

lnk_status Call::take_end() {
  if (step_ != Step::Streams) return fault({Code::Invalid, "END where no answer streams"});
  step_ = Step::Over;
  if (changed_) changed_();
  return LNK_OK;
}

lnk_status Call::take_word(const lnk_action& action) {
  auto word = read_log(action);
  if (!word) return fault(std::move(word).error());
  log_ = std::move(*word);
  return LNK_OK;
}

lnk_status Call::take(const lnk_action& action) {
  if (is_closed_) return LNK_E_GONE;
  if (fault_) return LNK_E_INVALID;  // the first fault is the one that is told
  if (action.kind == LNK_ACTION_STREAM) return take_piece(action);
  if (action.kind == LNK_ACTION_END) return take_end();
  if (action.kind == LNK_ACTION_LOG) return take_word(action);
  return decide(read(action));
}

void Call::end_event(lnk_status returned, const Error& error) {
  if (returned != LNK_OK) {
    fault(error);
  } else {
    check_waits();
  }
}

void Call::check_waits() {
  const bool waits = pending_ != 0 || (limits_->may_wait && limits_->may_wait());
  if (is_undecided() && !waits && !fault_) fault({Code::Internal, "the event was handled and nothing decided"});
}

/// A fault stands above what was decided before it: the verb's other words are not believed then.
Decided Call::take_decided() {
  if (fault_) {
    decided_.clear();
    return std::exchange(is_fault_told_, true) ? Decided(Waits{}) : Decided(ModuleFault{*fault_});
  }
  if (decided_.empty()) return Waits{};
  Decided decided = std::move(decided_.front());
  decided_.pop_front();
  return decided;
}

std::string Call::take_log() noexcept { return std::exchange(log_, {}); }
std::string Call::take_stream() noexcept { return std::exchange(stream_, {}); }

}  // namespace lnk::host
