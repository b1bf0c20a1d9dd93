// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/bridge.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "mcp_remote/limits.hpp"
#include "mcp_remote/reply_words.hpp"
#include "spec/shown.hpp"

namespace lnk::host::remote {
namespace {

constexpr std::string_view kTooLong = "a line of standard input has more than 16777216 bytes; it was not sent";
static_assert(kMessageBytesMax == 16777216);

/// Whose name Mcp-Name repeats.
bool is_named(std::string_view method) { return method == "tools/call" || method == "resources/read" || method == "prompts/get"; }

}  // namespace

Task<void> Sleeper::sleep(std::int64_t ms) {
  deadline_.set(ms);
  co_await woken_;
  deadline_.clear();
}

Bridge::OpenCall::OpenCall(Bridge& of, Message what)
    : bridge(of), message(std::move(what)), http(of.loop_, of.outside_), held(of.held_), unanswered(message.request_ids.size()) {
  for (const auto& id : message.request_ids) bridge.open_[id] = this;
  ++bridge.calls_;
  static_cast<void>(held.hold(message.line.size()));  // its room was looked for before
}

Bridge::OpenCall::~OpenCall() {
  // An id that was answered may be another call's by now.
  for (const auto& id : message.request_ids)
    if (const auto found = bridge.open_.find(id); found != bridge.open_.end() && found->second == this) bridge.open_.erase(found);
  --bridge.calls_;
  bridge.note_end();
}

void Bridge::OpenCall::drop() noexcept {
  is_dropped = true;
  end();
}

void Bridge::OpenCall::end() noexcept {
  http.cancel();
  if (sleeper != nullptr) sleeper->cancel();
}

Bridge::Bridge(Loop& loop, Outside& outside, Headers headers, StandardStream input, StandardStream output)
    : loop_(loop),
      outside_(outside),
      headers_(std::move(headers)),
      input_(loop, std::move(input)),
      output_(loop, std::move(output)),
      small_come_(loop),
      small_gone_(loop),
      renewed_(loop) {}

void Bridge::say(std::string_view words) const {
  const std::string line = "lnk-sandbox mcp-remote: " + std::string(words) + "\n";
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

Task<void> Bridge::run() {
  spawn(send_small_ones());
  for (;;) {
    auto line = co_await input_.next();
    if (line.kind == LineReader::Line::Kind::Ended) break;
    if (line.kind == LineReader::Line::Kind::TooLong) {
      say(kTooLong);
      co_await put(error_line("null", kTooLong));
      continue;
    }
    co_await take_line(std::move(line.text));
  }
  co_await leave();
}

Task<void> Bridge::take_line(std::string line) {
  const bool is_blank = line.find_first_not_of(" \t") == std::string::npos;
  if (is_blank) co_return;
  auto message = read_message(std::move(line));
  if (!message) {
    const std::string words = "a line of standard input " + message.error().text + "; it was not sent";
    say(words);
    co_await put(error_line("null", words));
    co_return;
  }
  while (is_renewing_) co_await renewed_;
  co_await take_message(std::move(*message));
}

Task<void> Bridge::take_message(Message message) {
  if (!message.version.empty()) stateless_version_ = message.is_stateless() ? message.version : std::string();
  if (message.method == "initialize") {
    stateless_version_.clear();
    initialize_ = message.line;
  }
  if (!message.request_ids.empty()) {
    spawn(carry(std::move(message)));
    co_return;
  }
  // In the stateless family the end of the reply's connection is what tells the server.
  if (!message.cancelled.empty() && is_stateless(message)) {
    cancel_open(message.cancelled);
    co_return;
  }
  if (message.method == "notifications/initialized") {
    // Before all that follows: a server takes no request of a session before it.
    co_await post_small(std::move(message));
    begin_listening();
    co_return;
  }
  co_await take_small(std::move(message));
}

/// What has no answer says nothing of its family, and is of the last that was spoken.
bool Bridge::is_stateless(const Message& message) const {
  return message.is_stateless() || (message.request_ids.empty() && !stateless_version_.empty());
}

/// Empty: none.
std::string Bridge::refusal_of(const Message& message) const {
  if (calls_ >= kRequestsMax)
    return "more than " + std::to_string(kRequestsMax) + " requests are open; wait for an answer and ask again";
  if (held_ + message.line.size() > kHeldBytesMax) return too_much_words() + "; wait for an answer and ask again";
  const bool is_open =
      std::any_of(message.request_ids.begin(), message.request_ids.end(), [this](const auto& id) { return open_.contains(id); });
  return is_open ? "a request with this id is open" : std::string();
}

Task<void> Bridge::refuse(const Message& message, std::string words) {
  say(words);
  for (const auto& id : message.request_ids) co_await put(error_line(id, words));
}

/// A line to the client; where nobody reads, all is over.
Task<void> Bridge::put(std::string line) {
  const bool is_written = co_await output_.write(std::move(line));
  if (!is_written) leave_now();
}

Task<void> Bridge::carry(Message message) {
  const std::string refusal = refusal_of(message);
  if (!refusal.empty()) {
    co_await refuse(message, refusal);
    co_return;
  }
  OpenCall call(*this, std::move(message));
  const Status done = co_await exchange(call);
  call.http.close();
  if (call.is_dropped || call.unanswered == 0) co_return;
  const std::string words = done ? outside_.url().origin() + " ended its reply before an answer came" : done.error().text;
  // What was answered of a batch is told no second time.
  Message left;
  for (const auto& id : call.message.request_ids)
    if (const auto found = open_.find(id); found != open_.end() && found->second == &call) left.request_ids.push_back(id);
  co_await refuse(left, words);
}

void Bridge::cancel_open(const std::string& id) {
  const auto found = open_.find(id);
  if (found != open_.end()) found->second->drop();
}

/// Notifications and answers go out one behind another, so that the server sees them in their order.
Task<void> Bridge::take_small(Message message) {
  while (small_.size() >= kWaitingMax || held_ + small_bytes_ + message.line.size() > kHeldBytesMax) {
    if (is_leaving_) co_return;
    if (small_.empty()) break;  // what is held is others', and one more is bounded
    co_await small_gone_;
  }
  small_bytes_ += message.line.size();
  small_.push_back(std::move(message));
  small_come_.ring();
}

Task<void> Bridge::send_small_ones() {
  for (;;) {
    while (small_.empty()) co_await small_come_;
    Message message = std::move(small_.front());
    small_.pop_front();
    const std::size_t bytes = message.line.size();
    is_sending_small_ = true;
    co_await post_small(std::move(message));
    is_sending_small_ = false;
    small_bytes_ -= bytes;
    small_gone_.ring();
    note_end();
  }
}

/// One that has no answer. What becomes of it is told to people alone.
Task<void> Bridge::post_small(Message message) {
  if (!message.response_ids.empty() && is_stateless(message)) {
    say("an answer of the client was dropped: in revision " + std::string(kStatelessVersion) + " a server asks nothing");
    co_return;
  }
  const std::uint64_t session = session_.number;
  HttpCall call(loop_, outside_);
  std::string head = head_for(message);
  const Status sent = co_await call.open(std::move(head), &message.line, kTakenMs);
  const std::string what = message.method.empty() ? "an answer of the client" : shown(message.method);
  if (!message.cancelled.empty()) cancel_open(message.cancelled);
  if (!sent) {
    say(what + " was not taken: " + sent.error().text);
  } else if (call.reply().status == 404 && !session_.id.empty()) {
    call.close();
    say(what + " was lost with the session that the server had ended");
    Status renewed = co_await renew(session);
    if (!renewed) say(renewed.error().text);
  } else if (call.reply().status >= 300) {
    say(what + " was not taken: " + reply_words(call.reply(), outside_.url(), headers_));
  }
}

std::string Bridge::head_for(const Message& message) const {
  RequestParts parts;
  parts.body_bytes = message.line.size();
  const std::string method = field_text(message.method);
  if (is_stateless(message)) {
    parts.version = message.version.empty() ? stateless_version_ : message.version;
    parts.mcp_method = method;
    if (is_named(message.method)) parts.mcp_name = message.name;
    if (message.method == "tools/call") parts.mirrored = tool_headers_.of(message.name, message.line);
  } else if (message.method != "initialize") {
    parts.session = session_.id;
    parts.version = session_.version;
  }
  return request_head(outside_.url(), headers_, parts);
}

}  // namespace lnk::host::remote
