// SPDX-License-Identifier: Apache-2.0
//
// What comes back: one message as JSON, or messages as events, and streams that are gone on with where they broke off.
#include <algorithm>
#include <utility>

#include "mcp_remote/bridge.hpp"
#include "mcp_remote/reply_words.hpp"
#include "wire/limits.hpp"

namespace lnk::host::remote {
namespace {

/// The type without its parameters.
bool is_type(const http::ReplyHead& reply, std::string_view type) {
  const auto value = http::find_field(reply.fields, "content-type").value_or("");
  auto named = value.substr(0, value.find(';'));
  while (named.ends_with(' ') || named.ends_with('\t')) named.remove_suffix(1);
  return http::equals_folded(named, type);
}

bool is_field_id(std::string_view id) {
  return id.size() <= kIdBytesMax && std::all_of(id.begin(), id.end(), [](char byte) { return byte >= 0x21 && byte < 0x7f; });
}

}  // namespace

Task<Status> Bridge::exchange(OpenCall& call) {
  call.session = session_.number;
  std::string head = head_for(call.message);
  Status opened = co_await call.http.open(std::move(head), &call.message.line, kReplyIdleMs);
  if (!opened) co_return opened;
  if (call.http.reply().status >= 300) co_return co_await take_refusal(call);
  co_return co_await take_reply(call);
}

Task<Status> Bridge::take_reply(OpenCall& call) {
  const auto& reply = call.http.reply();
  const bool is_stream = is_type(reply, "text/event-stream");
  const bool has_message = reply.status == 200 && (is_stream || is_type(reply, "application/json"));
  if (!has_message) co_return fail(Code::Upstream, reply_words(reply, outside_.url(), headers_));
  if (call.message.method == "initialize") {
    const auto id = http::find_field(reply.fields, "mcp-session-id").value_or("");
    if (!is_field_id(id)) co_return fail(Code::Upstream, outside_.url().origin() + " gave a session's id that can't be sent back");
    call.session_id = id;
  }
  if (is_stream) co_return co_await follow(call);
  HeldBytes held(held_);
  auto text = co_await call.http.read_whole(kMessageBytesMax, held);
  if (!text) co_return fail(std::move(text).error());
  static_cast<void>(held.hold(0));  // it is counted where it waits for the client
  co_return co_await deliver(std::move(*text), &call);
}

/// A status that is an error. A JSON-RPC error that comes with it is the server's own word.
Task<Status> Bridge::take_refusal(OpenCall& call) {
  const auto& reply = call.http.reply();
  const std::string words = reply_words(reply, outside_.url(), headers_);
  const bool has_session = !session_.id.empty() && call.message.method != "initialize" && !is_stateless(call.message);
  if (reply.status == 404 && has_session) {
    call.http.close();
    Status renewed = co_await renew(call.session);
    if (!renewed) co_return renewed;
    co_return fail(Code::Gone, outside_.url().origin() +
                                   " had ended the session, and with it what it remembered; a new one was begun, so ask again");
  }
  const bool may_hold_error =
      reply.status >= 400 && reply.status != 401 && reply.status != 403 && is_type(reply, "application/json");
  if (!may_hold_error || call.message.request_ids.size() != 1) co_return fail(Code::Upstream, words);
  HeldBytes held(held_);
  auto text = co_await call.http.read_whole(kErrorBytesMax, held);
  std::string error = text ? error_line_of(*text, call.message.request_ids.front()) : std::string();
  if (error.empty()) co_return fail(Code::Upstream, words);
  co_return co_await deliver(std::move(error), &call);
}

/// The events of a reply, to the last answer that it owes.
Task<Status> Bridge::follow(OpenCall& call) {
  EventStream events(kMessageBytesMax);
  Status ended = co_await pump(call.http, events, &call);
  std::int64_t heard_ms = Loop::now_ms();
  int failures = 0;
  while (call.unanswered != 0 && !call.is_dropped) {
    if (!ended && ended.error().code != Code::Upstream) co_return ended;
    const bool goes_on = !is_stateless(call.message) && !events.last_id().empty() && is_field_id(events.last_id());
    if (!goes_on) co_return ended;
    if (call.session != session_.number && call.message.method != "initialize")
      co_return fail(Code::Gone, outside_.url().origin() + " ended the session before an answer came");
    if (failures >= kResumesMax || Loop::now_ms() - heard_ms > kReplyIdleMs)
      co_return fail(Code::Upstream, outside_.url().origin() + " broke its reply off, and it could not be gone on with");
    Sleeper sleeper(loop_);
    call.sleeper = &sleeper;
    co_await sleeper.sleep(std::max(events.retry_ms().value_or(kRetryMs), kRetryMs));
    call.sleeper = nullptr;
    if (call.is_dropped || call.unanswered == 0) break;
    const std::string last = events.last_id();
    Status opened = co_await reopen(call.http, events);
    failures = opened ? 0 : failures + 1;
    if (!opened && opened.error().code == Code::Denied) co_return opened;
    if (!opened) continue;
    events.begin_again();
    ended = co_await pump(call.http, events, &call);
    if (events.last_id() != last) heard_ms = Loop::now_ms();
  }
  co_return Status{};
}

/// errors: Denied where the server says that it won't go on; else as HttpCall
Task<Status> Bridge::reopen(HttpCall& http, const EventStream& events) {
  RequestParts parts;
  parts.method = "GET";
  parts.session = session_.id;
  parts.version = session_.version;
  if (is_field_id(events.last_id())) parts.last_event_id = events.last_id();
  std::string head = request_head(outside_.url(), headers_, parts);
  Status opened = co_await http.open(std::move(head), nullptr, kReplyIdleMs);
  if (!opened) co_return fail(Code::Upstream, std::move(opened).error().text);
  const auto& reply = http.reply();
  if (reply.status == 200 && is_type(reply, "text/event-stream")) co_return Status{};
  co_return fail(reply.status < 500 ? Code::Denied : Code::Upstream, reply_words(reply, outside_.url(), headers_));
}

Task<Status> Bridge::pump(HttpCall& http, EventStream& events, OpenCall* call) {
  HeldBytes held(held_);
  for (;;) {
    auto piece = co_await http.read_piece();
    if (!piece) co_return fail(std::move(piece).error());
    if (!piece->has_value()) co_return Status{};
    std::string_view input = **piece;
    for (auto step = events.next(input); step != EventStream::Step::NeedMore; step = events.next(input)) {
      if (step == EventStream::Step::TooLong)
        co_return fail(Code::Limit,
                       outside_.url().origin() + " sent a message of more than " + std::to_string(kMessageBytesMax) + " bytes");
      Event event = events.take_event();
      const bool is_message = (event.kind.empty() || event.kind == "message") && !event.data.empty();
      if (!is_message) continue;
      Status delivered = co_await deliver(std::move(event.data), call);
      if (!delivered) co_return delivered;
      if (call != nullptr && (call->unanswered == 0 || call->is_dropped)) co_return Status{};
    }
    if (!held.hold(events.held())) co_return fail(Code::Limit, too_much_words());
  }
}

Task<Status> Bridge::deliver(std::string text, OpenCall* call) {
  HeldBytes held(held_);
  if (!held.hold(text.size())) co_return fail(Code::Limit, too_much_words());
  auto read = read_message(std::move(text));
  // Limit: no stream is gone on with for it.
  if (!read) co_return fail(Code::Invalid, outside_.url().origin() + " sent a message that " + read.error().text);
  if (call != nullptr && call->message.method == "initialize" && read->response_ids == call->message.request_ids && !read->is_error)
    adopt(*call, *read);
  if (call != nullptr && call->message.method == "tools/list" && is_stateless(call->message)) tool_headers_.learn(read->line);
  if (call != nullptr && call->is_own) {
    // Of a renewal of ours the client is to see nothing.
    if (read->response_ids == call->message.request_ids) call->unanswered = 0;
    co_return Status{};
  }
  co_return co_await hand_over(std::move(*read));
}

void Bridge::adopt(const OpenCall& call, const Message& answer) {
  session_.id = call.session_id;
  session_.version = negotiated_version(answer.line);
  ++session_.number;
  if (listening_ != nullptr) listening_->cancel();  // for what the session before had
}

/// To the client, where it waits for it: an answer that comes a second time, or to what was cancelled, is dropped.
Task<Status> Bridge::hand_over(Message message) {
  bool is_awaited = message.response_ids.empty();
  for (const auto& id : message.response_ids) {
    const auto found = open_.find(id);
    if (found == open_.end()) continue;
    is_awaited = true;
    OpenCall& call = *found->second;
    open_.erase(found);
    if (--call.unanswered == 0) call.end();
  }
  if (!is_awaited) co_return Status{};
  co_await put(std::move(message.line));
  co_return Status{};
}

}  // namespace lnk::host::remote
