// SPDX-License-Identifier: Apache-2.0
#include "replies.hpp"

#include <algorithm>

#include "limits.hpp"

namespace lnk::verb_mcp {
namespace {

constexpr Field kEvents{"Content-Type", "text/event-stream"};
constexpr Field kJson{"Content-Type", "application/json"};
constexpr Field kFresh{"Cache-Control", "no-cache, no-transform"};
constexpr Field kUnbuffered{"X-Accel-Buffering", "no"};
constexpr std::size_t kWholeBytesMax = 64 * 1024;  ///< what is longer goes in pieces, at the client's pace

/// The wire's word for it in the log and in Link-Refused.
std::string_view reason_of(std::uint32_t status) noexcept {
  if (status == 403 || status >= 500) return "tool-refused";
  return status == 415 ? "bad-body" : "bad-request";
}

}  // namespace

void Replies::note(lnk_id call, const Status& done) {
  if (!done && call == event_call_ && !fault_) fault_ = done.error();
}

void Replies::begin(Actions& actions, lnk_id call, const Reply& head) {
  const Status begun = actions.for_call(call).begin_stream(head);
  note(call, begun);
  if (begun) open_.insert_or_assign(call, Open{});
}

void Replies::begin_events(Actions& actions, lnk_id call, std::string_view session) {
  Reply head;
  head.fields = {kEvents, kFresh, kUnbuffered};
  if (!session.empty()) head.fields.push_back({"Mcp-Session-Id", session});
  begin(actions, call, head);
}

void Replies::answer(Actions& actions, lnk_id call, std::uint32_t status, std::string_view json, std::string_view session) {
  Reply reply;
  reply.status = status;
  reply.fields = {kJson, kFresh};
  if (!session.empty()) reply.fields.push_back({"Mcp-Session-Id", session});
  if (status == 405) reply.fields.push_back({"Allow", "GET, POST, DELETE"});
  if (json.size() <= kWholeBytesMax) {
    reply.body = json;
    note(call, actions.for_call(call).answer(reply));
    return;
  }
  begin(actions, call, reply);
  push(actions, call, json);
  finish(actions, call);
}

void Replies::accept(Actions& actions, lnk_id call, std::uint32_t status) {
  Reply reply;
  reply.status = status;
  note(call, actions.for_call(call).answer(reply));
}

/// What has a code of JSON-RPC's, an id or a field of its own is answered by the verb; the rest is the host's, in the route's form.
void Replies::refuse(Actions& actions, lnk_id call, const Refusal& refusal) {
  auto own = actions.for_call(call);
  if (refusal.code == kRefused && !refusal.id && refusal.status != 405) {
    note(call, own.deny(refusal.status, reason_of(refusal.status), refusal.words));
    return;
  }
  static_cast<void>(own.log(reason_of(refusal.status)));
  answer(actions, call, refusal.status, make_error(refusal.id, refusal.code, refusal.words, refusal.data));
}

void Replies::push(Actions& actions, lnk_id call, std::string_view text) {
  const auto found = open_.find(call);
  if (found == open_.end() || found->second.is_finished) return;
  found->second.waiting.append(text);
  flow(actions, call, found->second);
}

void Replies::finish(Actions& actions, lnk_id call) {
  const auto found = open_.find(call);
  if (found == open_.end()) return;
  found->second.is_finished = true;
  flow(actions, call, found->second);
}

/// Sends what the host takes. A call that takes no more is forgotten, and its GONE is still to come.
void Replies::flow(Actions& actions, lnk_id call, Open& open) {
  auto own = actions.for_call(call);
  while (!open.is_full && open.sent < open.waiting.size()) {
    const auto piece = std::string_view(open.waiting).substr(open.sent, kPieceBytes);
    const auto taken = own.stream(piece);
    if (!taken) {
      open_.erase(call);
      return;
    }
    open.sent += piece.size();
    open.is_full = *taken == Flow::Full;
  }
  if (open.sent == open.waiting.size() || open.sent > kReplyLowBytes) {
    open.waiting.erase(0, open.sent);
    open.sent = 0;
  }
  if (!open.is_finished || !open.waiting.empty()) return;
  static_cast<void>(own.end());
  open_.erase(call);
}

void Replies::note_drained(Actions& actions, lnk_id call) {
  const auto found = open_.find(call);
  if (found == open_.end()) return;
  found->second.is_full = false;
  flow(actions, call, found->second);
}

std::size_t Replies::waiting_bytes(lnk_id call) const noexcept {
  const auto found = open_.find(call);
  return found == open_.end() ? 0 : found->second.waiting.size() - found->second.sent;
}

}  // namespace lnk::verb_mcp
