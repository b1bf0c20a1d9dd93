// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/call.hpp"

#include <string>
#include <utility>

namespace lnk::host {

void Call::begin_event(std::uint32_t kind) noexcept {
  event_ = kind;
  has_decided_ = false;
}

Result<Decided> Call::read_passage(const lnk_action& action) {
  const bool forwards = action.kind == LNK_ACTION_FORWARD;
  if (!forwards && event_ != LNK_EVENT_HEAD) return fail(Code::Invalid, "RELAY after the body was read");
  LNK_TRY(auto plan, read_relay(action, forwards));
  LNK_CHECK(limits_->check_upstream(plan));
  return Decided(std::move(plan));
}

Result<Decided> Call::read_body_wish(const lnk_action& action) {
  if (event_ != LNK_EVENT_HEAD) return fail(Code::Invalid, "NEED_BODY after the body was read");
  LNK_TRY(const auto plan, read_need_body(action));
  if (plan.bytes_max > limits_->body_bytes_max) return fail(Code::Limit, "NEED_BODY over what the verb declared");
  return Decided(plan);
}

Result<Decided> Call::read(const lnk_action& action) {
  switch (action.kind) {
    case LNK_ACTION_RELAY:
    case LNK_ACTION_FORWARD:
      return read_passage(action);
    case LNK_ACTION_NEED_BODY:
      return read_body_wish(action);
    case LNK_ACTION_ANSWER: {
      if (action.subject != 0) return fail(Code::Gone, "ANSWER to a callback that is not open");
      LNK_TRY(auto plan, read_answer(action));
      return Decided(std::move(plan));
    }
    case LNK_ACTION_DENY: {
      LNK_TRY(auto refusal, read_deny(action));
      return Decided(std::move(refusal));
    }
    default:
      return fail(Code::Unsupported, "action " + std::to_string(action.kind) + " is not in this version");
  }
}

lnk_status Call::decide(Result<Decided> decided) {
  if (has_fault_) return LNK_E_INVALID;  // the first fault is the one that is told
  if (decided && has_decided_) decided = fail(Code::Invalid, "a second decision on one event");
  has_fault_ = !decided;
  has_decided_ = true;
  if (!decided) {
    const auto status = static_cast<lnk_status>(decided.error().code);
    decided_ = ModuleFault{std::move(decided).error()};
    return status;
  }
  decided_ = std::move(decided).value();
  return LNK_OK;
}

lnk_status Call::take(const lnk_action& action) {
  if (event_ == 0) return LNK_E_GONE;
  return decide(read(action));
}

lnk_status Call::fault(Error error) { return decide(fail(std::move(error))); }

Decided Call::end_event(lnk_status returned, const Error& error) {
  event_ = 0;
  if (has_fault_) return std::move(decided_);
  if (returned != LNK_OK) return ModuleFault{error};
  if (!has_decided_) return ModuleFault{Error{Code::Internal, "the event was handled and nothing decided"}};
  return std::move(decided_);
}

}  // namespace lnk::host
