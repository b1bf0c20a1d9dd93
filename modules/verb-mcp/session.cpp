// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <algorithm>
#include <utility>

#include "limits.hpp"
#include "passage.hpp"

namespace lnk::verb_mcp {

void Session::take_message(Actions& actions, lnk_id call, const HeadFacts& head, Message& message) {
  used_ms_ = now_ms_;
  calls_.insert(call);
  switch (message.kind) {
    case Message::Kind::Request:
      return take_request(actions, call, head, message);
    case Message::Kind::Notification:
      return take_notification(actions, call, message);
    case Message::Kind::Response:
      return take_response(actions, call, message);
  }
}

std::optional<Refusal> Session::request_fault(const Message& message, const Method* method) const {
  const bool is_stateless = family_ == Family::Stateless;
  if (method == nullptr)
    return Refusal{is_stateless ? 404U : 200U, kMethodNotFound, "this method isn't let through to a tool of the sandbox",
                   message.id};
  if (method->name == "initialize" && !kept_initialize_.empty())
    return Refusal{400, kInvalidRequest, "the session is initialized already", message.id};
  if (requests_.size() >= kWaitingMax)
    return Refusal{200, kRefused, "64 requests wait for this tool already; let some be answered first", message.id};
  const bool is_used = !is_stateless && std::any_of(requests_.begin(), requests_.end(),
                                                    [&](const auto& entry) { return entry.second.id == *message.id; });
  if (is_used) return Refusal{400, kInvalidRequest, "another request of this id waits for its answer", message.id};
  if (method->name != "tools/call") return std::nullopt;
  const Json* name = message.params.find("name");
  const bool is_named = name != nullptr && name->is_string() && !name->text().empty() && name->text().size() <= kNameBytesMax;
  if (!is_named) return Refusal{200, kInvalidParams, "params.name is no tool's name", message.id};
  return std::nullopt;
}

Session::Request& Session::add_request(Actions& actions, lnk_id call, Message& message, const Method& method) {
  const std::uint64_t number = ++last_number_;
  Request& request = requests_[number];
  request.id = *message.id;
  request.method = &method;
  request.token = swap_progress_token(message, std::to_string(number));
  request.params = message.params.is_object() ? jsonfilter::write(message.params) : std::string();
  if (method.name == "tools/call") request.name = message.params.find("name")->text();
  if (const Json* meta = message.params.find("_meta")) request.wants_log = meta->find(kLogLevelKey) != nullptr;
  request.heard_ms = request.spoke_ms = now_ms_;
  if (family_ == Family::Stateless || method.name == "initialize") {
    request.call = call;
    return request;
  }
  request.stream = number;
  Stream& stream = streams_[number];
  stream.call = call;
  stream.spoke_ms = now_ms_;
  replies_.begin_events(actions, call, {});
  if (has_first_events()) replies_.push(actions, call, first_event_text({number, 0}));
  return request;
}

void Session::take_request(Actions& actions, lnk_id call, const HeadFacts& head, Message& message) {
  const Method* method = find_method(message.method, Way::ToServer, Form::Request, family_);
  if (const auto fault = request_fault(message, method)) return replies_.refuse(actions, call, *fault);
  keep_allowed(message, *method, !tool_.roots.empty());
  if (shared_.held_bytes > kHeldBytesMax)
    return replies_.refuse(actions, call,
                           {200, kRefused, "64 MiB of requests wait already; let some be answered first", message.id});
  std::optional<Question> question;
  if (method->is_asked && tool_.asks) {
    question = make_question(tool_, *method, message.params);
    if (!question)
      return replies_.refuse(actions, call, {200, kRefused, "it has more than 4 MiB, which nobody can look over", message.id});
  }
  Request& request = add_request(actions, call, message, *method);
  request.question = std::move(question);
  request.held_bytes = request.params.size() * (request.question ? 2 : 1);
  shared_.held_bytes += request.held_bytes;
  if (family_ == Family::Stateless && method->name == "tools/call") request.sent_params = head.params;
  if (method->name == "initialize") {
    kept_initialize_ = request.params;
    handshake_ = last_number_;
  }
  advance(actions, last_number_);
}

void Session::take_notification(Actions& actions, lnk_id call, Message& message) {
  // The program has no roots: what it says of them goes nowhere.
  if (message.method == "notifications/roots/list_changed") return replies_.accept(actions, call);
  const Method* method = find_method(message.method, Way::ToServer, Form::Notification, family_);
  if (method == nullptr)
    return replies_.refuse(actions, call, {400, kMethodNotFound, "this notification isn't let through to a tool of the sandbox"});
  keep_allowed(message, *method, false);
  if (method->name == "notifications/initialized") was_initialized_ = true;
  if (method->name == "notifications/cancelled") {
    // In the stateless family the end of the connection says it.
    if (family_ == Family::Sessions) take_cancelled(actions, message);
  } else if (state_ == State::Ready) {
    send(actions, write_notification(method->name, message.params));
  }
  replies_.accept(actions, call);
}

void Session::take_response(Actions& actions, lnk_id call, Message& message) {
  const auto number = message.id->own_number();
  const auto wanted = number ? wanted_.find(*number) : wanted_.end();
  if (wanted == wanted_.end())
    return replies_.refuse(actions, call, {400, kInvalidRequest, "this answers nothing that the tool's server asked"});
  const bool is_error = message.error.is_object();
  if (!is_error) keep_answer(message, wanted->second.method);
  send(actions, is_error ? write_error(wanted->second.id, message.error) : write_result(wanted->second.id, message.result));
  wanted_.erase(wanted);
  replies_.accept(actions, call);
}

void Session::close_question(Request& request) noexcept {
  if (std::exchange(request.asked, 0) != 0) --shared_.questions;
}

void Session::release(Request& request) {
  close_question(request);
  shared_.held_bytes -= std::exchange(request.held_bytes, 0);
  request.question.reset();
  request.params = std::string();
}

/// Ends the request without a reply; the server is told where it has the request.
void Session::cancel(Actions& actions, Requests::iterator request, std::string_view why) {
  const std::uint64_t number = request->first;
  if (request->second.step == Request::Step::Sent) {
    std::string line = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(number);
    line += R"(,"reason":)";
    jsonfilter::append_string(line, why);
    send(actions, line + "}}");
  }
  const std::uint64_t stream = request->second.stream;
  const lnk_id call = request->second.call;
  const bool has_begun = request->second.has_begun;
  release(request->second);
  requests_.erase(request);
  if (stream != 0) finish_stream(actions, stream);
  if (has_begun) replies_.finish(actions, call);
}

void Session::take_cancelled(Actions& actions, const Message& message) {
  const auto id = Id::read(message.params.find("requestId"));
  const auto found =
      std::find_if(requests_.begin(), requests_.end(), [&](const auto& entry) { return id && entry.second.id == *id; });
  if (found == requests_.end() || found->second.method->name == "initialize") return;  // it may have been answered meanwhile
  const Json* reason = message.params.find("reason");
  cancel(actions, found, reason != nullptr ? reason->text() : std::string_view());
}

void Session::take_gone(Actions& actions, lnk_id call) {
  replies_.note_gone(call);
  calls_.erase(call);
  for (auto& [number, stream] : streams_)
    if (stream.call == call) stream.call = 0;
  for (auto at = requests_.begin(); at != requests_.end();) {
    const auto request = at++;
    if (request->second.step == Request::Step::Asked && request->second.asked_call == call && request->second.stream != 0) {
      finish(actions, request,
             refusal_reply(request->second.id, *request->second.method, family_,
                           "the connection closed while a person was asked; this was not done"));
    } else if (request->second.stream == 0 && request->second.call == call) {
      request->second.call = 0;
      request->second.has_begun = false;
      // Whoever began the session has no id of it.
      if (request->second.method->name == "initialize") is_over_ = true;
      cancel(actions, request, "the connection closed");
    }
  }
}

bool Session::has_question(lnk_id question) const noexcept {
  return question != 0 && std::any_of(requests_.begin(), requests_.end(),
                                      [question](const auto& entry) { return entry.second.asked == question; });
}

std::optional<std::uint64_t> Session::idle_since() const noexcept {
  const bool is_used = !requests_.empty() || std::any_of(streams_.begin(), streams_.end(),
                                                         [](const auto& entry) { return entry.second.call != 0; });
  if (is_used) return std::nullopt;
  return used_ms_;
}

void Session::end(Actions& actions, std::string_view words) {
  is_over_ = true;
  while (!requests_.empty()) fail(actions, requests_.begin(), kRefused, words);
  for (auto& [number, stream] : streams_)
    if (stream.call != 0) replies_.finish(actions, std::exchange(stream.call, 0));
  stop_server(actions);
}

}  // namespace lnk::verb_mcp
