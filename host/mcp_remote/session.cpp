// SPDX-License-Identifier: Apache-2.0
//
// The session of the family that has them: the stream of the server's own messages, a new session where the server has lost the
// old one, and its end.
#include <algorithm>
#include <utility>

#include "mcp_remote/bridge.hpp"
#include "mcp_remote/reply_words.hpp"

namespace lnk::host::remote {
namespace {

/// A stream that stayed open so long worked; one that ends at once each time does not.
constexpr std::int64_t kWorkedMs = 10'000;

}  // namespace

void Bridge::begin_listening() {
  if (stateless_version_.empty() && !session_.version.empty() && !is_leaving_) spawn(listen(session_.number));
}

/// To the session's end, or until it is clear that the server has no such stream.
Task<void> Bridge::listen(std::uint64_t session) {
  HttpCall http(loop_, outside_);
  EventStream events(kMessageBytesMax);
  int failures = 0;
  listening_ = &http;
  while (failures < kResumesMax && session == session_.number && !is_leaving_) {
    const std::int64_t began_ms = Loop::now_ms();
    const std::string last = events.last_id();
    bool is_refused = false;
    Status ended = co_await listen_once(http, events, is_refused);
    if (is_refused || is_leaving_) break;
    if (!ended && ended.error().code != Code::Upstream && ended.error().code != Code::Timeout) {
      say("the stream of the server's own messages was ended: " + ended.error().text);
      break;
    }
    const bool has_worked = events.last_id() != last || Loop::now_ms() - began_ms > kWorkedMs;
    failures = has_worked ? 0 : failures + 1;
    Sleeper sleeper(loop_);
    listening_sleeper_ = &sleeper;
    co_await sleeper.sleep(std::max(events.retry_ms().value_or(kRetryMs << failures), kRetryMs));
    listening_sleeper_ = nullptr;
  }
  if (failures >= kResumesMax) say("the stream of the server's own messages could not be kept open");
  if (listening_ == &http) listening_ = nullptr;
}

/// 405 says that there is none; 404 comes from servers that don't know the method either.
Task<Status> Bridge::listen_once(HttpCall& http, EventStream& events, bool& is_refused) {
  Status opened = co_await reopen(http, events);
  is_refused = !opened && opened.error().code == Code::Denied;
  if (is_refused && http.reply().status != 405 && http.reply().status != 404)
    say("the server's own messages can't be listened for: " + opened.error().text);
  if (!opened) co_return opened;
  events.begin_again();
  co_return co_await pump(http, events, nullptr);
}

/// `lost`: the session that the server doesn't know. Of several that are told so the first begins a new one.
Task<Status> Bridge::renew(std::uint64_t lost) {
  if (lost != session_.number || is_renewing_ || is_leaving_) co_return Status{};
  is_renewing_ = true;
  if (listening_ != nullptr) listening_->cancel();
  if (listening_sleeper_ != nullptr) listening_sleeper_->cancel();
  Status begun = co_await begin_again();
  // Before a line of the client goes to the new session.
  if (begun) co_await put(std::string(kToolsMayDiffer));
  is_renewing_ = false;
  renewed_.ring();
  if (!begun)
    co_return fail(Code::Gone,
                   outside_.url().origin() + " has ended the session, and a new one could not be begun: " + begun.error().text);
  say("the server had ended the session; a new one was begun");
  begin_listening();
  co_return Status{};
}

Task<Status> Bridge::begin_again() {
  const std::string version = session_.version;
  const std::uint64_t number = session_.number;
  auto initialize = read_message(initialize_again(initialize_, number));
  if (!initialize) co_return fail(Code::Gone, "the client has begun none");
  std::string answer;
  {
    OpenCall call(*this, std::move(*initialize));
    call.is_own = true;
    Status done = co_await exchange(call);
    if (!done) co_return done;
    if (call.unanswered != 0 || number == session_.number) co_return fail(Code::Upstream, "initialize was not answered");
  }
  if (session_.version != version)
    co_return fail(Code::Upstream, "the server now speaks another revision than the one the client began with");
  auto initialized = read_message(std::string(kInitialized));
  HttpCall call(loop_, outside_);
  std::string head = head_for(*initialized);
  Status sent = co_await call.open(std::move(head), &initialized->line, kTakenMs);
  if (sent && call.reply().status >= 300) sent = fail(Code::Upstream, reply_words(call.reply(), outside_.url(), headers_));
  co_return sent;
}

/// What is open may end for a moment; then the server is told that the session is over.
Task<void> Bridge::leave() {
  if (std::exchange(is_leaving_, true)) co_return;
  Sleeper sleeper(loop_);
  leaving_sleeper_ = &sleeper;
  if (is_busy()) co_await sleeper.sleep(kLeaveMs);
  leaving_sleeper_ = nullptr;
  for (auto& [id, call] : open_) call->drop();
  if (listening_ != nullptr) listening_->cancel();
  if (listening_sleeper_ != nullptr) listening_sleeper_->cancel();
  co_await end_session();
  loop_.stop();
}

void Bridge::note_end() {
  if (leaving_sleeper_ != nullptr && !is_busy()) leaving_sleeper_->cancel();
}

/// Whatever the reader waits for.
void Bridge::leave_now() {
  input_.cancel();
  if (!is_leaving_) spawn(leave());
  if (leaving_sleeper_ != nullptr) leaving_sleeper_->cancel();
}

Task<void> Bridge::end_session() {
  if (session_.id.empty()) co_return;
  RequestParts parts;
  parts.method = "DELETE";
  parts.session = session_.id;
  parts.version = session_.version;
  std::string head = request_head(outside_.url(), headers_, parts);
  HttpCall call(loop_, outside_);
  // Whatever is answered: a server that keeps its sessions says 405.
  Deadline patience(loop_, &call);
  patience.set(kDeleteMs);
  static_cast<void>(co_await call.open(std::move(head), nullptr, kDeleteMs));
}

}  // namespace lnk::host::remote
