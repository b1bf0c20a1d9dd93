// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/seen_reply.hpp"

#include <utility>

#include "wire/refusals.hpp"

namespace lnk::host {

SeenReply::SeenReply(const Outside& outside, Exchange& exchange, RelayPlan plan, CallOfVerb of, Bell& bell)
    : exchange_(exchange),
      plan_(std::move(plan)),
      of_(of),
      bell_(bell),
      room_(outside.loop),
      ended_(outside.loop),
      request_(outside, exchange, plan_) {
  request_.rings(bell);
}

void SeenReply::start() {
  is_running_ = true;
  spawn(run());
}

Task<void> SeenReply::run() {
  co_await show();
  is_running_ = false;
  bell_.ring();
  ended_.raise();
}

void SeenReply::show_end(lnk_status status) {
  if (!is_over_) of_.verb.reply_end(of_.id, status);
}

Task<void> SeenReply::show() {
  auto none = co_await request_.send();
  has_sent_ = true;
  bell_.ring();
  std::variant<http::ReplyHead, NoReply> read;
  if (!none) {
    read = co_await request_.read_head();
    if (auto* why = std::get_if<NoReply>(&read)) none = std::move(*why);
  }
  if (none && none->status != LNK_OK) co_return show_end(none->status);
  if (none) {
    refusal_ = std::move(none->refusal);
    co_return;
  }
  if (is_over_) co_return;
  const auto& head = std::get<http::ReplyHead>(read);
  of_.verb.reply_head(of_.id, {head.status, request_.kept_fields(head)});
  co_await show_body();
}

Task<void> SeenReply::show_body() {
  for (;;) {
    while (of_.call.is_full() && !is_over_ && of_.call.takes_reply()) co_await room_;
    if (is_over_ || !of_.call.takes_reply()) co_return;
    const ReplyPiece piece = co_await request_.next();
    if (is_over_ || !of_.call.takes_reply()) co_return;
    if (piece.kind == ReplyPiece::Kind::Echoed) {
      refusal_ = refuse_echo();
      co_return;
    }
    if (!piece.bytes.empty()) of_.verb.reply_chunk(of_.id, piece.bytes);
    if (piece.kind == ReplyPiece::Kind::More) continue;
    if (piece.kind != ReplyPiece::Kind::Last) exchange_.log.cut();
    const bool is_cut = piece.kind == ReplyPiece::Kind::Cut;
    co_return show_end(piece.kind == ReplyPiece::Kind::Last ? LNK_OK : is_cut ? LNK_E_UPSTREAM : LNK_E_TIMEOUT);
  }
}

Task<void> SeenReply::finish() {
  is_over_ = true;
  request_.cancel();
  room_.ring();
  if (is_running_) co_await ended_;
  co_await request_.finish();
}

}  // namespace lnk::host
