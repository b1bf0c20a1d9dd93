// SPDX-License-Identifier: Apache-2.0
//
// What a request waits for, in this order: the server, its list of tools, a person.
#include <algorithm>
#include <utility>

#include "limits.hpp"
#include "passage.hpp"
#include "session.hpp"

namespace lnk::verb_mcp {
namespace {

/// By which the verb itself speaks in the stateless family.
constexpr std::string_view kOwnMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"lnk-sandbox","version":"1"},)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

std::string request_line(std::uint64_t number, std::string_view method, std::string_view params) {
  std::string line = R"({"jsonrpc":"2.0","id":)" + std::to_string(number) + R"(,"method":")";
  line.append(method).append("\"");
  if (!params.empty()) line.append(R"(,"params":)").append(params);
  return line + '}';
}

/// A client that knows both families goes on with one of these.
Refusal old_server() {
  return {400, kUnsupportedVersion, "this tool's server speaks only revisions with sessions", {},
          R"({"supported":)" + std::string(kSessionVersionsJson) + R"(,"requested":"2026-07-28"})"};
}

}  // namespace

void Session::start(Actions& actions) {
  if (shared_.running.size() >= kServersMax)
    return fail_waiting(actions, {200, kRefused, "16 servers of tools run already; end a session with DELETE, and try again"});
  const auto made = actions.for_call(0).start_tool(tool_.name);
  if (!made) return fail_waiting(actions, {200, kInternalError, "the tool's server can't be started: " + made.error().text});
  server_ = *made;
  shared_.running.insert(server_);
  state_ = State::Starting;
  state_since_ms_ = now_ms_;
}

void Session::take_started(Actions& actions, lnk_status status) {
  if (state_ != State::Starting) return;
  if (status != LNK_OK) {
    server_ = 0;
    state_ = State::Down;
    fail_waiting(actions, {200, kInternalError,
                           "the tool's server could not be started outside; `lnk-sandbox tool list` shows its command"});
    if (!was_ready_ && family_ == Family::Sessions) is_over_ = true;
    return;
  }
  begin_handshake(actions);
}

void Session::begin_handshake(Actions& actions) {
  state_ = State::Handshake;
  state_since_ms_ = now_ms_;
  if (family_ == Family::Stateless) {
    handshake_ = ++last_number_;
    return send(actions, request_line(handshake_, "server/discover", '{' + std::string(kOwnMeta) + '}'));
  }
  const auto own = requests_.find(handshake_);
  if (own == requests_.end()) handshake_ = ++last_number_;  // it was answered once: this is a server that takes its place
  if (own != requests_.end()) own->second.step = Request::Step::Sent;
  send(actions, request_line(handshake_, "initialize", kept_initialize_));
}

bool Session::needs_list(const Request& request) const {
  const bool is_looked_up = tool_.asks ? request.question.has_value() : family_ == Family::Stateless;
  return is_looked_up && request.method->name == "tools/call" && !is_list_fresh();
}

/// Where a call may go unasked the list is believed for a time alone.
bool Session::is_list_fresh() const noexcept {
  const bool is_old = !tool_.allowed.empty() && now_ms_ >= list_read_ms_ + kListFreshMs;
  return list_.is_fresh() && !is_old;
}

std::string Session::field_fault(const Request& request) const {
  const ListedTool* listed = family_ == Family::Stateless ? list_.find(request.name) : nullptr;
  return listed == nullptr ? std::string() : param_fault(listed->params, request.sent_params, request.params);
}

void Session::advance(Actions& actions, std::uint64_t number) {
  const auto request = requests_.find(number);
  if (request == requests_.end() || request->second.step != Request::Step::Waits) return;
  if (is_known_old_) {
    const Refusal refusal = old_server();
    return finish(actions, request, make_error(request->second.id, refusal.code, refusal.words, refusal.data), refusal.status);
  }
  if (state_ == State::Down) return start(actions);
  if (state_ != State::Ready) return;
  if (needs_list(request->second)) {
    if (list_number_ == 0) begin_list(actions);
    return;
  }
  if (const auto fault = field_fault(request->second); !fault.empty())
    return finish(actions, request, make_error(request->second.id, kHeaderMismatch, fault), 400);
  if (request->second.question) return ask(actions, request);
  forward(actions, request);
}

void Session::advance_all(Actions& actions) {
  std::vector<std::uint64_t> waiting;
  for (const auto& [number, request] : requests_)
    if (request.step == Request::Step::Waits) waiting.push_back(number);
  for (const std::uint64_t number : waiting) advance(actions, number);
}

void Session::ask(Actions& actions, Requests::iterator place) {
  Request& request = place->second;
  const bool is_call = request.method->name == "tools/call";
  if (is_call && standing_of(tool_, list_, request.name) == Standing::Allowed) return forward(actions, place);
  if (is_call) add_standing(*request.question, tool_, list_, request.name);
  const lnk_id call = request.stream == 0 ? request.call : streams_[request.stream].call;
  if (shared_.questions >= kQuestionsMax) {
    finish(actions, place,
           refusal_reply(request.id, *request.method, family_,
                         "60 questions wait for a person already; this was not done, and may be asked again"));
    return;
  }
  std::vector<std::string_view> lines(request.question->lines.begin(), request.question->lines.end());
  const auto made = call == 0 ? Result<lnk_id>(lnk::fail(Code::Gone, "the connection closed"))
                              : actions.for_call(call).ask(request.question->title, lines);
  if (!made) {
    finish(actions, place, refusal_reply(request.id, *request.method, family_,
                                         "nobody could be asked, so this was not done: " + made.error().text));
    return;
  }
  request.step = Request::Step::Asked;
  request.asked = *made;
  ++shared_.questions;
  request.asked_call = call;
}

void Session::take_answer(Actions& actions, lnk_id question, Answer answer) {
  const auto found = std::find_if(requests_.begin(), requests_.end(),
                                  [question](const auto& entry) { return entry.second.asked == question; });
  if (found == requests_.end()) return;
  Request& request = found->second;
  close_question(request);
  request.heard_ms = now_ms_;
  if (answer != Answer::Yes) {
    if (request.asked_call != 0) static_cast<void>(actions.for_call(request.asked_call).log("tool-refused"));
    finish(actions, found, refusal_reply(request.id, *request.method, family_, words_of(answer)));
    return;
  }
  // The one yes is used here. A server that ended meanwhile is started first.
  request.question.reset();
  request.step = Request::Step::Waits;
  advance(actions, found->first);
}

void Session::forward(Actions& actions, Requests::iterator place) {
  place->second.step = Request::Step::Sent;
  place->second.heard_ms = now_ms_;
  send(actions, request_line(place->first, place->second.method->name, place->second.params));
  // Sent once more where its server asks for the tool's roots.
  if (family_ == Family::Sessions || tool_.roots.empty()) release(place->second);
}

void Session::send(Actions& actions, std::string line) {
  if (server_ == 0) return;
  if (is_full_) {
    is_stuck_ = is_stuck_ || queue_bytes_ + line.size() > kToolQueueBytesMax;
    if (is_stuck_) return;
    queue_bytes_ += line.size();
    queue_.push_back(std::move(line));
    return;
  }
  const auto taken = actions.for_call(0).send_line(server_, line);
  is_full_ = taken && *taken == Flow::Full;
}

void Session::take_tool_drained(Actions& actions) {
  is_full_ = false;
  queue_bytes_ = 0;
  for (auto& line : std::exchange(queue_, {})) send(actions, std::move(line));
}

std::string Session::own_params(std::string_view members) const {
  std::string params = "{" + std::string(members);
  if (family_ == Family::Stateless) params.append(members.empty() ? "" : ",").append(kOwnMeta);
  return params + '}';
}

void Session::begin_list(Actions& actions) {
  list_.begin();
  list_changed_ = false;
  list_since_ms_ = now_ms_;
  if (family_ == Family::Stateless && watch_number_ == 0) {
    watch_number_ = ++last_number_;
    send(actions, request_line(watch_number_, "subscriptions/listen", own_params(R"("notifications":{"toolsListChanged":true})")));
  }
  ask_for_page(actions);
}

void Session::ask_for_page(Actions& actions) {
  list_number_ = ++last_number_;
  std::string members;
  if (!list_.cursor().empty()) {
    members = R"("cursor":)";
    jsonfilter::append_string(members, list_.cursor());
  }
  send(actions, request_line(list_number_, "tools/list", own_params(members)));
}

/// One that changes each time it is read is never fresh by itself; it is taken for unknown then, so that every call asks.
void Session::finish_list(Actions& actions) {
  constexpr int kRoundsMax = 3;
  list_number_ = 0;
  if (list_changed_ && ++list_rounds_ < kRoundsMax) return begin_list(actions);
  if (list_changed_) list_.give_up();
  list_rounds_ = 0;
  list_read_ms_ = now_ms_;
  advance_all(actions);
  // It served the calls that waited for it. Of a server that tells of no change the next call that may go unasked reads it again.
  if (!tells_changes_ && !tool_.allowed.empty() && list_number_ == 0) list_.forget();
}

/// All that the server has, or would get; what a person is being asked stays asked.
void Session::fail_waiting(Actions& actions, const Refusal& refusal) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, request] : requests_)
    if (request.step != Request::Step::Asked) numbers.push_back(number);
  for (const std::uint64_t number : numbers) {
    const auto request = requests_.find(number);
    if (request == requests_.end()) continue;
    finish(actions, request, make_error(request->second.id, refusal.code, refusal.words, refusal.data), refusal.status);
  }
}

void Session::stop_server(Actions& actions) {
  if (server_ != 0) static_cast<void>(actions.for_call(0).stop_tool(server_));
  server_ = 0;
  state_ = State::Down;
  queue_.clear();
  queue_bytes_ = 0;
  is_full_ = is_paused_ = is_stuck_ = false;
  wanted_.clear();
  list_.forget();
  list_number_ = watch_number_ = 0;
  tells_changes_ = false;
}

void Session::take_exit(Actions& actions, std::int32_t code) {
  server_ = 0;
  stop_server(actions);
  fail_waiting(actions, {200, kInternalError,
                         "the tool's server ended with exit code " + std::to_string(code) + "; the next call starts it again"});
  if (!was_ready_ && family_ == Family::Sessions) is_over_ = true;
}

void Session::tick(Actions& actions) {
  keep_alive(actions);
  const bool is_slow = state_ == State::Starting || state_ == State::Handshake;
  if (is_slow && now_ms_ >= state_since_ms_ + kHandshakeMs) {
    stop_server(actions);
    // Silence is what some servers of the older family answer with.
    fail_waiting(actions, family_ == Family::Sessions
                              ? Refusal{200, kInternalError, "the tool's server didn't answer its first message in a minute"}
                              : old_server());
    if (!was_ready_ && family_ == Family::Sessions) is_over_ = true;
  }
  if (list_number_ != 0 && now_ms_ >= list_since_ms_ + kHandshakeMs) {
    list_.give_up();
    finish_list(actions);
  }
  std::vector<std::uint64_t> quiet;
  for (const auto& [number, request] : requests_) {
    const bool may_be_quiet = request.step != Request::Step::Sent || request.method->name == "subscriptions/listen";
    if (!may_be_quiet && now_ms_ >= request.heard_ms + kCallQuietMs) quiet.push_back(number);
  }
  for (const std::uint64_t number : quiet) {
    const auto request = requests_.find(number);
    const std::string dropped =
        lines_dropped_ == 0 ? "" : "; " + std::to_string(lines_dropped_) + " of its lines could not be read";
    send(actions, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(number) + "}}");
    fail(actions, request, kInternalError, "the tool's server said nothing of this for ten minutes" + dropped);
  }
}

}  // namespace lnk::verb_mcp
