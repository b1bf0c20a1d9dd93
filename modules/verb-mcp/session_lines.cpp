// SPDX-License-Identifier: Apache-2.0
//
// What the server says, line by line.
#include <algorithm>
#include <utility>

#include "limits.hpp"
#include "passage.hpp"
#include "session.hpp"

namespace lnk::verb_mcp {
namespace {

/// Of an error that the server of a stateless request gave. source: 2026-07-28, basic/transports/streamable-http.
std::uint32_t status_of(const Message& reply) {
  const Json* code = reply.error.is_object() ? reply.error.find("code") : nullptr;
  if (code == nullptr) return 200;
  if (code->text() == "-32601") return 404;
  return code->text() == "-32020" || code->text() == "-32021" || code->text() == "-32022" ? 400 : 200;
}

bool is_error(const Message& reply, std::string_view code) {
  const Json* found = reply.error.is_object() ? reply.error.find("code") : nullptr;
  return found != nullptr && found->text() == code;
}

}  // namespace

void Session::take_line(Actions& actions, std::string_view line) {
  auto read = read_message(line);
  auto* message = std::get_if<Message>(&read);
  if (message == nullptr) {
    ++lines_dropped_;  // words of a server that logs there; told where a request gets no answer
    return;
  }
  switch (message->kind) {
    case Message::Kind::Request: take_server_request(actions, *message); break;
    case Message::Kind::Notification: take_server_news(actions, *message); break;
    case Message::Kind::Response: take_server_reply(actions, *message); break;
  }
}

void Session::take_server_request(Actions& actions, Message& message) {
  if (family_ == Family::Sessions && message.method == "roots/list" && !tool_.roots.empty()) {
    send(actions, R"({"jsonrpc":"2.0","id":)" + message.id->json() + R"(,"result":)" + roots_json(tool_.roots) + '}');
    return;
  }
  const bool passes =
      message.method != "roots/list" && find_method(message.method, Way::ToClient, Form::Request, family_) != nullptr;
  if (!passes || wanted_.size() >= kWaitingMax) {
    send(actions,
         make_error(message.id, passes ? kRefused : kMethodNotFound,
                    passes ? "too many requests wait for the program's answer" : "the program in the sandbox isn't asked this"));
    return;
  }
  const std::uint64_t number = ++last_number_;
  const std::uint64_t stream = stream_for_news(true);
  wanted_.emplace(number, Wanted{*message.id, std::string(message.method), stream});
  push_event(actions, stream, write_request(Id::number(number), message.method, message.params));
}

/// A line doesn't say to which request it belongs. The newest that a server works on is the likeliest, and its client reads that
/// stream.
std::uint64_t Session::stream_for_news(bool is_of_request) const {
  if (!is_of_request) return 0;
  for (auto at = requests_.rbegin(); at != requests_.rend(); ++at)
    if (at->second.step == Request::Step::Sent && at->second.method->is_asked && at->second.stream != 0) return at->second.stream;
  return 0;
}

Session::Requests::iterator Session::find_progress(const Message& message) {
  const auto token = Id::read(message.params.find("progressToken"));
  const auto number = token ? token->own_number() : std::nullopt;
  const auto found = number ? requests_.find(*number) : requests_.end();
  return found != requests_.end() && found->second.token ? found : requests_.end();
}

void Session::take_server_news(Actions& actions, Message& message) {
  if (find_method(message.method, Way::ToClient, Form::Notification, family_) == nullptr) return;
  if (message.method == "notifications/tools/list_changed") {
    list_.forget();
    list_changed_ = true;
  }
  if (message.method == "notifications/subscriptions/acknowledged") note_watch(message);
  if (message.method == "notifications/cancelled") return take_server_cancelled(actions, message);
  if (message.method == "notifications/progress") {
    const auto request = find_progress(message);
    if (request == requests_.end()) return;
    set_member(message, "progressToken", *request->second.token);
    return say(actions, request->second, write_notification(message.method, message.params));
  }
  const bool is_log = message.method == "notifications/message";
  if (family_ == Family::Sessions)
    return push_event(actions, stream_for_news(is_log), write_notification(message.method, message.params));
  if (is_log) {
    for (auto at = requests_.rbegin(); at != requests_.rend(); ++at)
      if (at->second.step == Request::Step::Sent && at->second.wants_log)
        return say(actions, at->second, write_notification(message.method, message.params));
    return;
  }
  const auto subscription = subscription_of(message);
  const auto number = subscription ? subscription->own_number() : std::nullopt;
  const auto request = number ? requests_.find(*number) : requests_.end();
  if (request == requests_.end()) return;
  set_subscription(message, request->second.id);
  say(actions, request->second, write_notification(message.method, message.params));
}

/// What the server granted of the verb's own subscription. source: 2026-07-28, basic/utilities/subscriptions.
void Session::note_watch(const Message& message) {
  const auto subscription = subscription_of(message);
  if (watch_number_ == 0 || !subscription || subscription->own_number() != watch_number_) return;
  const Json* granted = message.params.find("notifications");
  const Json* tools = granted == nullptr ? nullptr : granted->find("toolsListChanged");
  tells_changes_ = tools != nullptr && tools->kind() == jsonfilter::Kind::True;
}

void Session::end_watch() noexcept {
  tells_changes_ = false;
  list_.forget();
}

/// In the sessions' family the server takes back what it asked the program; in the other it ends a subscription.
void Session::take_server_cancelled(Actions& actions, Message& message) {
  const auto id = Id::read(message.params.find("requestId"));
  if (!id) return;
  if (family_ == Family::Stateless) {
    const auto number = id->own_number();
    const auto request = number ? requests_.find(*number) : requests_.end();
    if (number && *number == watch_number_) return end_watch();
    if (request == requests_.end() || request->second.method->name != "subscriptions/listen") return;
    request->second.step = Request::Step::Waits;  // it isn't the server's any more, and is told nothing
    if (!request->second.has_begun) return fail(actions, request, kInternalError, "the tool's server ended the subscription");
    return cancel(actions, request, {});
  }
  const auto wanted = std::find_if(wanted_.begin(), wanted_.end(), [&](const auto& entry) { return entry.second.id == *id; });
  if (wanted == wanted_.end()) return;
  set_member(message, "requestId", Id::number(wanted->first));
  const auto stream_of = streams_.find(wanted->second.stream);
  const std::uint64_t stream = stream_of != streams_.end() && !stream_of->second.is_finished ? stream_of->first : 0;
  wanted_.erase(wanted);
  push_event(actions, stream, write_notification(message.method, message.params));
}

void Session::take_server_reply(Actions& actions, Message& message) {
  const auto number = message.id->own_number();
  if (!number) return;
  if (*number == handshake_ && state_ == State::Handshake) return take_handshake(actions, message);
  if (*number == list_number_) return take_page(actions, message);
  if (*number == watch_number_) return end_watch();
  const auto request = requests_.find(*number);
  if (request == requests_.end() || request->second.step != Request::Step::Sent) return;
  if (message.error.is_object()) {
    finish(actions, request, write_error(request->second.id, message.error),
           family_ == Family::Stateless ? status_of(message) : 200);
    return;
  }
  if (request->second.method->name == "tools/list") list_.note(message.result);
  if (family_ == Family::Stateless) {
    if (try_with_roots(actions, request, message)) return;
    keep_known_versions(message);
    set_subscription(message, request->second.id);
  }
  finish(actions, request, write_result(request->second.id, message.result));
}

/// The program has no roots to answer with: the same request goes again, with those of the tool. It is one call, and was asked as
/// one.
bool Session::try_with_roots(Actions& actions, Requests::iterator place, Message& message) {
  Request& request = place->second;
  const auto wanted = take_roots_wanted(message, request.params, tool_.roots);
  if (!wanted || !wanted->is_all) return false;
  const bool has_roots = !tool_.roots.empty();
  if (!has_roots || ++request.root_rounds > kRootRoundsMax || wanted->params.empty()) {
    fail(actions, place, kInternalError,
         has_roots ? "the tool's server asks for its roots again and again"
                   : "the tool's server asks for roots, and `tool add --root` named none");
    return true;
  }
  // A new number: the old one was answered.
  const std::uint64_t number = ++last_number_;
  auto entry = requests_.extract(place);
  entry.key() = number;
  entry.mapped().params = wanted->params;
  const auto again = requests_.insert(std::move(entry)).position;
  auto params = jsonfilter::parse(again->second.params);
  if (params && again->second.token) {
    Message own{Message::Kind::Request, std::move(*params), {}, {}, {}, {}, {}};
    own.params = own.document.root();
    static_cast<void>(swap_progress_token(own, std::to_string(number)));
    again->second.params = jsonfilter::write(own.params);
  }
  forward(actions, again);
  return true;
}

void Session::take_page(Actions& actions, const Message& message) {
  if (!message.result.is_object()) {
    list_.give_up();
  } else if (list_.add_page(message.result)) {
    return ask_for_page(actions);
  }
  finish_list(actions);
}

void Session::take_handshake(Actions& actions, Message& message) {
  if (family_ == Family::Stateless) return take_probed(actions, message);
  take_initialized(actions, message);
}

void Session::take_initialized(Actions& actions, Message& message) {
  const Json* version = message.result.find("protocolVersion");
  const bool is_spoken = version != nullptr && is_session_version(version->text());
  const bool is_same = is_spoken && (!was_ready_ || version->text() == version_);
  const auto own = requests_.find(handshake_);
  if (!message.error.is_object() && !is_same) {
    stop_server(actions);
    fail_waiting(actions, {200, kUnsupportedVersion, "the tool's server negotiates a revision of MCP that is not spoken here", {},
                           R"({"supported":)" + std::string(kSessionVersionsJson) + '}'});
    is_over_ = true;
    return;
  }
  if (message.error.is_object()) {
    stop_server(actions);
    if (own != requests_.end()) {
      finish(actions, own, write_error(own->second.id, message.error));
      is_over_ = true;
    }
    return fail_waiting(actions,
                        {200, kInternalError, "the tool's server was started again and didn't take the session's initialize"});
  }
  version_ = version->text();
  state_ = State::Ready;
  const Json* capabilities = message.result.find("capabilities");
  const Json* tools = capabilities == nullptr ? nullptr : capabilities->find("tools");
  const Json* tells = tools == nullptr ? nullptr : tools->find("listChanged");
  tells_changes_ = tells != nullptr && tells->kind() == jsonfilter::Kind::True;
  const bool is_again = std::exchange(was_ready_, true);
  if (own != requests_.end()) finish(actions, own, write_result(own->second.id, message.result));
  if (is_again && was_initialized_) send(actions, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  advance_all(actions);
}

/// Whether the server is of the stateless family. source: 2026-07-28, basic/transports/stdio, "Backward Compatibility".
void Session::take_probed(Actions& actions, Message& message) {
  bool is_stateless = is_error(message, "-32020") || is_error(message, "-32021");
  const Json* versions = message.result.find("supportedVersions");
  if (is_error(message, "-32022")) {
    const Json* data = message.error.find("data");
    versions = data == nullptr ? nullptr : data->find("supported");
  }
  if (versions != nullptr && versions->is_array()) {
    is_stateless = std::any_of(versions->items().begin(), versions->items().end(),
                               [](const auto& item) { return item.value.text() == kStatelessVersion; });
  }
  is_known_old_ = !is_stateless;
  if (is_known_old_) {
    stop_server(actions);
  } else {
    state_ = State::Ready;
  }
  was_ready_ = true;
  advance_all(actions);
}

}  // namespace lnk::verb_mcp
