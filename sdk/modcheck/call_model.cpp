// SPDX-License-Identifier: Apache-2.0
#include "call_model.hpp"

#include <algorithm>

#include "lnk/cpp/view.hpp"

namespace lnk::modcheck {

namespace {

constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW", "get", ""};
constexpr std::string_view kFieldNames[] = {"Authorization", "Cookie", "X-Api-Key", "Content-Type",
                                            "Accept",        "Host",   "x",         ""};
constexpr lnk_status kEnds[] = {LNK_OK, LNK_E_UPSTREAM, LNK_E_TIMEOUT};

/// The event that answers an action; 0: none does.
std::uint32_t answering_event(std::uint32_t action) noexcept {
  switch (action) {
    case LNK_ACTION_NEED_BODY:
      return LNK_EVENT_BODY;
    case LNK_ACTION_ASK:
      return LNK_EVENT_ANSWERED;
    case LNK_ACTION_TOOL_START:
      return LNK_EVENT_TOOL_STARTED;
    case LNK_ACTION_OPEN_PAGE:
      return LNK_EVENT_PAGE_OPENED;
    case LNK_ACTION_LISTEN_ONCE:
      return LNK_EVENT_LISTENING;
    case LNK_ACTION_CALL_INSIDE:
      return LNK_EVENT_INSIDE_REPLY;
    case LNK_ACTION_WAKE:
      return LNK_EVENT_TIMER;
    default:
      return 0;
  }
}

bool is_of_reply(std::uint32_t event) noexcept {
  return event == LNK_EVENT_REPLY_HEAD || event == LNK_EVENT_REPLY_CHUNK || event == LNK_EVENT_REPLY_END;
}

}  // namespace

std::string CallModel::step() {
  now_ms_ += random_.below(2'000);
  bench_.set_time(now_ms_, 1'700'000'000'000 + now_ms_);
  if (!unbound_.empty() && random_.one_in(3)) return pay(0);
  if (calls_.empty() || (calls_.size() < kOpenMax && random_.one_in(3))) return begin_call();
  auto call = calls_.begin();
  std::advance(call, static_cast<std::ptrdiff_t>(random_.below(calls_.size())));
  const bool may_go_on = !call->second.is_failed && !call->second.owed.empty();
  return may_go_on && !random_.one_in(5) ? pay(call->first) : end_call(call->first);
}

std::string CallModel::finish() {
  while (!calls_.empty()) {
    if (std::string fault = end_call(calls_.begin()->first); !fault.empty()) return fault;
  }
  return {};
}

std::string CallModel::begin_call() {
  std::vector<std::pair<std::string, std::string>> fields;
  for (std::size_t left = random_.below(5); left > 0; --left) {
    fields.emplace_back(random_.pick(std::span<const std::string_view>(kFieldNames)), random_.text(4));
  }
  const std::string path = random_.text(6);
  const std::string query = random_.text(3);
  fake::Head head;
  head.route = static_cast<std::uint32_t>(random_.below(bench_.declared().routes.size()));
  head.method = random_.pick(std::span<const std::string_view>(kMethods));
  head.path = path;
  head.query = query;
  head.has_query = !query.empty() || random_.one_in(2);
  head.has_body = random_.one_in(2);
  for (const auto& [name, value] : fields) head.fields.emplace_back(name, value);
  const lnk_id call = ++last_call_;
  calls_[call] = {};
  return take(call, bench_.head(call, head));
}

std::string CallModel::end_call(lnk_id call) {
  calls_.erase(call);
  const fake::Sent sent = bench_.gone(call);
  if (sent.status != LNK_OK) return "the end of call " + std::to_string(call) + " was refused: " + sent.words;
  for (const fake::RecordedAction& action : sent.actions)
    if (action.call == call) return "it acts for call " + std::to_string(call) + ", which has ended";
  return take(0, sent);
}

std::string CallModel::pay(lnk_id call) {
  std::vector<Owed>& owed = call == 0 ? unbound_ : calls_[call].owed;
  const auto at = owed.begin() + static_cast<std::ptrdiff_t>(random_.below(owed.size()));
  const Owed next = *at;
  owed.erase(at);
  // A reply that the verb has answered for is dropped, and a stream that has ended is never full.
  const bool is_over = call != 0 && calls_[call].is_answered && !calls_[call].streams;
  if (is_over && (is_of_reply(next.kind) || next.kind == LNK_EVENT_DRAINED)) return {};
  return take(call, send_owed(call, next));
}

fake::Sent CallModel::send_owed(lnk_id call, const Owed& owed) {
  const std::string text = random_.text(8);
  switch (owed.kind) {
    case LNK_EVENT_BODY:
      return bench_.body(call, text);
    case LNK_EVENT_REPLY_HEAD: {
      auto data = sized<lnk_event_reply_head>();
      data.status = static_cast<std::uint32_t>(200 + random_.below(400));
      calls_[call].owed.push_back({LNK_EVENT_REPLY_CHUNK, 0});
      return bench_.send(owed.kind, call, 0, &data);
    }
    case LNK_EVENT_REPLY_CHUNK:
    case LNK_EVENT_TOOL_LINE: {
      // After any number of these comes the end.
      const bool is_reply = owed.kind == LNK_EVENT_REPLY_CHUNK;
      const std::uint32_t end = is_reply ? LNK_EVENT_REPLY_END : LNK_EVENT_TOOL_EXIT;
      (is_reply ? calls_[call].owed : unbound_).push_back({random_.one_in(2) ? owed.kind : end, owed.subject});
      auto data = sized<lnk_event_reply_chunk>();
      data.bytes = to_bytes(text);
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    case LNK_EVENT_REPLY_END: {
      auto data = sized<lnk_event_reply_end>();
      data.status = random_.pick(std::span<const lnk_status>(kEnds));
      return bench_.send(owed.kind, call, 0, &data);
    }
    case LNK_EVENT_ANSWERED: {
      auto data = sized<lnk_event_answered>();
      data.answer = static_cast<std::uint32_t>(LNK_ANSWER_YES + random_.below(3));
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    case LNK_EVENT_TOOL_STARTED:
    case LNK_EVENT_PAGE_OPENED:
    case LNK_EVENT_LISTENING: {
      auto data = sized<lnk_event_done>();
      data.status = random_.one_in(3) ? LNK_E_DENIED : LNK_OK;
      data.port = 8'000;
      if (data.status == LNK_OK && owed.kind == LNK_EVENT_TOOL_STARTED)
        unbound_.push_back({LNK_EVENT_TOOL_LINE, owed.subject});
      if (data.status == LNK_OK && owed.kind == LNK_EVENT_LISTENING)
        unbound_.push_back({LNK_EVENT_CALLBACK, owed.subject});
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    case LNK_EVENT_TOOL_EXIT: {
      auto data = sized<lnk_event_tool_exit>();
      data.code = static_cast<std::int32_t>(random_.below(140));
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    case LNK_EVENT_CALLBACK: {
      auto data = sized<lnk_event_callback>();
      data.method = to_str("GET");
      data.target = to_str(text);
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    case LNK_EVENT_INSIDE_REPLY: {
      auto data = sized<lnk_event_inside_reply>();
      data.http_status = 302;
      data.location = to_str(text);
      return bench_.send(owed.kind, call, owed.subject, &data);
    }
    default:
      return bench_.send(owed.kind, call, owed.subject);
  }
}

std::string CallModel::take(lnk_id call, const fake::Sent& sent) {
  if (sent.status != LNK_OK && call != 0) calls_[call].is_failed = true;
  if (sent.status != LNK_OK && sent.words.empty()) return "an event fails without a word";
  for (const fake::RecordedAction& action : sent.actions) {
    if (std::string fault = take_action(action); !fault.empty()) return fault;
  }
  return bench_.misbehaviours().empty() ? std::string() : bench_.misbehaviours().front();
}

/// The order of a call's actions, as verb.h has it.
std::string CallModel::follow(OpenCall& owner, const fake::RecordedAction& action) {
  const std::string what = std::string(fake::action_word(action.kind));
  const bool is_request = action.kind == LNK_ACTION_RELAY || action.kind == LNK_ACTION_FORWARD;
  const bool is_piece = action.kind == LNK_ACTION_STREAM || action.kind == LNK_ACTION_END;
  const bool cuts = action.kind == LNK_ACTION_DENY && owner.streams;
  if (is_piece && !owner.streams) return what + " where no answer streams";
  if (action.kind == LNK_ACTION_END || cuts) owner.streams = false;
  if (is_piece || cuts || (!is_request && action.kind != LNK_ACTION_ANSWER && action.kind != LNK_ACTION_DENY)) return {};
  if (owner.is_answered || (is_request && owner.has_request)) return "a second answer to one call: " + what;
  owner.has_request = owner.has_request || is_request;
  owner.is_answered = !is_request || !action.see_reply;
  owner.streams = action.streams;
  return {};
}

std::string CallModel::take_action(const fake::RecordedAction& action) {
  if (action.call != 0 && calls_.count(action.call) == 0)
    return std::string(fake::action_word(action.kind)) + " for a call that there is not";
  if (action.call == 0) {
    if (action.taken == LNK_E_AGAIN) unbound_.push_back({LNK_EVENT_DRAINED, action.subject});
    if (const std::uint32_t kind = answering_event(action.kind); kind != 0 && action.taken == LNK_OK) unbound_.push_back({kind, action.made});
    return {};
  }
  OpenCall& owner = calls_[action.call];
  if (action.taken != LNK_OK && action.taken != LNK_E_AGAIN) {
    owner.is_failed = true;  // the host refuses it
    return {};
  }
  if (std::string fault = follow(owner, action); !fault.empty()) return fault;
  if (action.see_reply) owner.owed.push_back({LNK_EVENT_REPLY_HEAD, 0});
  const bool is_of_tool = action.kind == LNK_ACTION_TOOL_SEND;
  if (action.taken == LNK_E_AGAIN) (is_of_tool ? unbound_ : owner.owed).push_back({LNK_EVENT_DRAINED, action.subject});
  if (const std::uint32_t kind = answering_event(action.kind); kind != 0) owner.owed.push_back({kind, action.made});
  return {};
}

}  // namespace lnk::modcheck
