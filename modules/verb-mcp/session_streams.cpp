// SPDX-License-Identifier: Apache-2.0
//
// What is said to the program: on the stream of a request, on the one of none, or as one message.
#include <utility>

#include "limits.hpp"
#include "session.hpp"

namespace lnk::verb_mcp {

void Session::say(Actions& actions, Request& request, std::string_view message) {
  request.heard_ms = now_ms_;
  if (request.stream != 0) return push_event(actions, request.stream, message);
  if (!std::exchange(request.has_begun, true)) replies_.begin_events(actions, request.call, id_);
  request.spoke_ms = now_ms_;
  replies_.push(actions, request.call, event_text(message));
}

void Session::finish(Actions& actions, Requests::iterator request, std::string_view message, std::uint32_t status) {
  release(request->second);
  const auto entry = requests_.extract(request);
  const Request& done = entry.mapped();
  used_ms_ = now_ms_;
  if (done.stream != 0) {
    push_event(actions, done.stream, message);
    finish_stream(actions, done.stream);
  } else if (done.has_begun) {
    replies_.push(actions, done.call, event_text(message));
    replies_.finish(actions, done.call);
  } else if (done.call != 0) {
    replies_.answer(actions, done.call, status, message, id_);
  }
}

void Session::fail(Actions& actions, Requests::iterator request, int code, std::string_view words) {
  finish(actions, request, make_error(request->second.id, code, words));
}

void Session::push_event(Actions& actions, std::uint64_t number, std::string_view message) {
  const auto found = streams_.try_emplace(number).first;
  Stream& stream = found->second;
  const EventId id{number, stream.next++};
  std::string text = event_text(id, message);
  if (stream.call != 0) {
    stream.sent = id.number;
    stream.spoke_ms = now_ms_;
    replies_.push(actions, stream.call, text);
  }
  store_.add(id, std::move(text));
}

/// What can be resumed is kept, so that a client whose connection broke still gets the end.
void Session::finish_stream(Actions& actions, std::uint64_t number) {
  const auto found = streams_.find(number);
  if (found == streams_.end()) return;
  found->second.is_finished = true;
  if (found->second.call != 0) replies_.finish(actions, std::exchange(found->second.call, 0));
  std::erase_if(streams_, [this](const auto& entry) { return entry.second.is_finished && !store_.has_of(entry.first); });
}

void Session::take_listener(Actions& actions, lnk_id call, const HeadFacts& head) {
  used_ms_ = now_ms_;
  calls_.insert(call);
  if (!head.last_event_id) return listen(actions, call);
  const auto last = EventId::read(*head.last_event_id);
  if (!last) return replies_.refuse(actions, call, {400, kRefused, "Last-Event-ID is none of this session's"});
  resume(actions, call, *last);
}

void Session::resume(Actions& actions, lnk_id call, EventId last) {
  const auto found = streams_.find(last.stream);
  const auto events = found == streams_.end() ? std::nullopt : store_.behind(last, found->second.next);
  if (!events)
    return replies_.refuse(actions, call, {400, kRefused, "the events behind Last-Event-ID are not kept any more; ask again"});
  Stream& stream = found->second;
  // The connection before may be dead without the host having seen it.
  if (stream.call != 0) replies_.finish(actions, stream.call);
  stream.call = call;
  stream.spoke_ms = now_ms_;
  stream.sent = stream.next - 1;
  replies_.begin_events(actions, call, {});
  for (const std::string_view event : *events) replies_.push(actions, call, event);
  if (stream.is_finished) replies_.finish(actions, std::exchange(stream.call, 0));
}

void Session::listen(Actions& actions, lnk_id call) {
  Stream& stream = streams_[0];
  if (stream.call != 0) return replies_.refuse(actions, call, {409, kRefused, "the session has a stream of its own open already"});
  stream.call = call;
  stream.spoke_ms = now_ms_;
  replies_.begin_events(actions, call, {});
  if (has_first_events()) replies_.push(actions, call, first_event_text({0, stream.sent}));
  if (const auto unsent = store_.behind({0, stream.sent}, stream.next))
    for (const std::string_view event : *unsent) replies_.push(actions, call, event);
  stream.sent = stream.next - 1;
}

void Session::keep_alive(Actions& actions) {
  for (auto& [number, stream] : streams_) {
    if (stream.call == 0 || now_ms_ < stream.spoke_ms + kTickMs) continue;
    stream.spoke_ms = now_ms_;
    replies_.push(actions, stream.call, kKeepAlive);
  }
  for (auto& [number, request] : requests_) {
    if (request.call == 0 || now_ms_ < request.spoke_ms + kTickMs) continue;
    request.spoke_ms = now_ms_;
    // One that waits for long becomes a stream, so that nothing between takes it for dead.
    if (!std::exchange(request.has_begun, true)) replies_.begin_events(actions, request.call, id_);
    replies_.push(actions, request.call, kKeepAlive);
  }
}

void Session::settle(Actions& actions) {
  if (server_ == 0) return;
  if (is_stuck_) {
    stop_server(actions);
    return fail_waiting(actions,
                        {200, kInternalError, "the tool's server doesn't read what it is sent; the next call starts it again"});
  }
  std::size_t waiting = 0;
  for (const lnk_id call : calls_) waiting += replies_.waiting_bytes(call);
  auto own = actions.for_call(0);
  if (!is_paused_ && waiting > kReplyMarkBytes) is_paused_ = own.pause_tool(server_).has_value();
  if (is_paused_ && waiting < kReplyLowBytes) is_paused_ = !own.resume_tool(server_).has_value();
}

}  // namespace lnk::verb_mcp
