// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/outside_request.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lnk/http/write.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"
#include "wire/verb/request_text.hpp"

namespace lnk::host {
namespace {

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}
std::string_view to_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

http::Body framing_of(const RelayPlan& plan, const http::RequestHead& head) {
  return plan.has_own_body ? http::Body{http::Framing::Length, plan.body.size()} : head.body;
}

/// A credential of the service's own making, and an offer to be spoken to past the wire.
constexpr std::array<std::string_view, 3> kKeptBack = {"set-cookie", "set-cookie2", "alt-svc"};

/// Failed by the outside, which a verb that sees the reply may answer in its own words.
NoReply failed(http::Refusal refusal) {
  const lnk_status status = refusal.reason != "upstream" ? LNK_OK : refusal.status == 504 ? LNK_E_TIMEOUT : LNK_E_UPSTREAM;
  return {std::move(refusal), status};
}

NoReply failed(const ReadEnd& end) {
  if (end.kind == ReadEnd::Kind::Refused) return {end.refusal, LNK_E_UPSTREAM};
  if (end.kind == ReadEnd::Kind::TimedOut) return failed(refuse_upstream_timeout("the service did not answer in time"));
  return failed(refuse_upstream("the service closed the connection without a whole reply"));
}

NoReply failed(const Error& error, std::string_view host) {
  const std::string words = std::string(host) + ": " + error.text;
  return failed(error.code == Code::Timeout ? refuse_upstream_timeout(words) : refuse_upstream(words));
}

}  // namespace

/// The echo is looked for of every handle that the request carries.
OutsideRequest::OutsideRequest(const Outside& outside, Exchange& exchange, const RelayPlan& plan)
    : outside_(outside), exchange_(exchange), plan_(plan), idle_(outside.loop) {
  std::vector<std::string> handles = handles_of(plan_.target);
  for (const Edit& edit : plan_.edits) {
    for (auto& handle : handles_of(edit.value)) handles.push_back(std::move(handle));
  }
  for (const auto& handle : handles) {
    if (const auto* value = outside_.handles.find(handle)) echo_.add(*value);
  }
}

void OutsideRequest::cancel() noexcept {
  is_cancelled_ = true;
  if (stream_) stream_->cancel();
}

Task<std::optional<NoReply>> OutsideRequest::send() {
  if (auto failed = co_await connect()) co_return failed;
  exchange_.log.opened();
  idle_.cancels(stream_.get(), &exchange_.client);
  idle_.set(kIdleMs);
  if (is_cancelled_) stream_->cancel();
  if (auto failed = co_await send_head()) co_return failed;
  if (const Status invited = co_await exchange_.reply.invite_body(); !invited) co_return NoReply{{0, "bad-request", {}}};
  upload_.emplace(exchange_, *stream_, idle_);
  reader_.emplace(outside_.loop, *stream_);
  if (plan_.has_own_body) {
    exchange_.log.out += plan_.body.size();
    const Status written = co_await write_all(*stream_, to_bytes(plan_.body));
    if (!written) static_cast<void>(co_await stream_->shutdown_write());
  } else {
    // A server may answer before it has all of it.
    if (upload_bell_ != nullptr) upload_->rings(*upload_bell_);
    upload_->start();
  }
  co_return std::nullopt;
}

Task<std::optional<NoReply>> OutsideRequest::connect() {
  http::Authority place;
  place.host.text = plan_.host;
  place.port = plan_.port;
  http::Checked<std::unique_ptr<ByteStream>> dialed;
  // A port of this machine: that the snapshot grants it was checked with the verb's other upstreams.
  if (!plan_.tls) dialed = co_await outside_.dialer.dial_own_port(plan_.port);
  if (plan_.tls) dialed = co_await outside_.dialer.dial(place);
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) co_return failed(std::move(*refusal));
  if (plan_.tls) co_return co_await secure(std::get<0>(std::move(dialed)));
  stream_ = std::get<0>(std::move(dialed));
  co_return std::nullopt;
}

Task<std::optional<NoReply>> OutsideRequest::secure(std::unique_ptr<ByteStream> plain) {
  Deadline handshake(outside_.loop, plain.get());
  handshake.set(kConnectMs);
  auto secured = co_await outside_.tls->connect(std::move(plain), plan_.host);
  handshake.clear();
  if (!secured) co_return failed(secured.error(), plan_.host);
  stream_ = std::move(secured).value();
  co_return std::nullopt;
}

/// Written from the bytes that are wiped, with no copy beside them.
Task<std::optional<NoReply>> OutsideRequest::send_head() {
  const auto fields = http::end_to_end_fields(exchange_.head.fields);
  auto head = write_request_head(plan_, fields, framing_of(plan_, exchange_.head), outside_.handles);
  if (!head) co_return NoReply{refuse_upstream("the request could not be written: " + head.error().text)};
  auto rest = to_bytes(head->reveal());
  while (!rest.empty()) {
    const Io io = stream_->try_write(rest);
    if (io.kind == Io::Kind::Moved) rest = rest.subspan(io.size);
    if (io.kind == Io::Kind::Failed || io.kind == Io::Kind::Ended) {
      // Written or not, a reply may be there: a server may answer and close before it has read the request. One that
      // still reads would wait for the rest.
      static_cast<void>(co_await stream_->shutdown_write());
      co_return std::nullopt;
    }
    if (io.kind == Io::Kind::WouldBlock && co_await stream_->wait_writable() == Wake::Cancelled) co_return std::nullopt;
  }
  co_return std::nullopt;
}

/// A switch of protocols was not asked for.
Task<ReadResult<http::ReplyHead>> OutsideRequest::read_final_head() {
  for (int count = 0; count <= http::kInterimRepliesMax; ++count) {
    auto read = co_await reader_->read_reply(plan_.method);
    const auto* head = std::get_if<http::ReplyHead>(&read);
    if (head == nullptr || head->status >= 200) co_return read;
    if (head->status == 101) break;
  }
  co_return ReadEnd{ReadEnd::Kind::Refused, refuse_upstream("the service's interim replies made no sense")};
}

/// What can't be looked through is not passed on, where there is something to look for.
std::optional<http::Refusal> OutsideRequest::refuse_head(const http::ReplyHead& head) const {
  if (echo_.is_empty()) return std::nullopt;
  bool echoes = echo_.is_in(head.reason);
  bool encoded = false;
  for (const auto& field : head.fields) {
    echoes = echoes || echo_.is_in(field.name) || echo_.is_in(field.value);
    encoded = encoded ||
              (http::equals_folded(field.name, "content-encoding") && !http::equals_folded(field.value, "identity"));
  }
  if (echoes) return refuse_echo();
  if (encoded)
    return refuse_upstream("the service encoded its reply though it was asked not to, so it can't be looked through");
  return std::nullopt;
}

std::vector<http::Field> OutsideRequest::kept_fields(const http::ReplyHead& head) const {
  auto fields = http::end_to_end_fields(head.fields);
  std::erase_if(fields, [](const http::Field& field) {
    return std::any_of(kKeptBack.begin(), kKeptBack.end(),
                       [&](auto name) { return http::equals_folded(field.name, name); });
  });
  return fields;
}

Task<std::variant<http::ReplyHead, NoReply>> OutsideRequest::read_head() {
  auto read = co_await read_final_head();
  if (const auto& refusal = upload_->refusal()) co_return NoReply{*refusal};
  if (const auto* end = std::get_if<ReadEnd>(&read)) co_return failed(*end);
  auto head = std::get<http::ReplyHead>(std::move(read));
  if (auto refusal = refuse_head(head)) co_return NoReply{std::move(*refusal)};
  reader_->begin_body(head.body);
  co_return head;
}

Task<ReplyPiece> OutsideRequest::next() {
  if (reader_->is_body_whole()) co_return ReplyPiece{ReplyPiece::Kind::Last, echo_.take_held()};
  auto read = co_await reader_->read_body();
  if (const auto* end = std::get_if<ReadEnd>(&read))
    co_return ReplyPiece{end->kind == ReadEnd::Kind::TimedOut ? ReplyPiece::Kind::Stalled : ReplyPiece::Kind::Cut, {}};
  idle_.set(kIdleMs);
  ReplyPiece piece{ReplyPiece::Kind::More, {}};
  const auto bytes = to_text(std::get<BodyPiece>(read).bytes);
  if (echo_.is_empty()) {
    piece.bytes = bytes;
  } else if (!echo_.next(bytes, piece.bytes)) {
    piece.kind = ReplyPiece::Kind::Echoed;
  }
  co_return piece;
}

Task<void> OutsideRequest::finish() {
  if (upload_) co_await upload_->finish();
}

namespace {

/// False: cut short.
Task<bool> pass_body(OutsideRequest& request, Exchange& exchange) {
  for (;;) {
    const ReplyPiece piece = co_await request.next();
    if (piece.kind != ReplyPiece::Kind::More && piece.kind != ReplyPiece::Kind::Last) {
      exchange.log.cut();  // by the outside, or by us for what it sent
      co_return false;
    }
    if (!piece.bytes.empty()) {
      exchange.log.in += piece.bytes.size();
      const Status written = co_await exchange.reply.piece(to_bytes(piece.bytes));
      if (!written) co_return false;
    }
    if (piece.kind == ReplyPiece::Kind::Last) co_return true;
  }
}

Task<void> refuse(Exchange& exchange, http::Refusal refusal) {
  exchange.log.refused(refusal);
  co_await exchange.refuse(std::move(refusal));
}

Task<void> pass_whole(OutsideRequest& request, Exchange& exchange) {
  auto read = co_await request.read_head();
  if (auto* none = std::get_if<NoReply>(&read)) {
    co_await refuse(exchange, std::move(none->refusal));
    co_return;
  }
  const auto& head = std::get<http::ReplyHead>(read);
  exchange.log.status = head.status;
  const Status begun = co_await exchange.reply.begin(head.status, head.reason, request.kept_fields(head), head.told_length);
  if (begun && co_await pass_body(request, exchange)) static_cast<void>(co_await exchange.reply.end());
}

}  // namespace

Task<void> pass_reply(const Outside& outside, Exchange& exchange, const RelayPlan& plan) {
  OutsideRequest request(outside, exchange, plan);
  if (auto none = co_await request.send()) {
    if (none->refusal.status != 0) co_await refuse(exchange, std::move(none->refusal));
    co_return;
  }
  co_await pass_whole(request, exchange);
  co_await request.finish();
}

}  // namespace lnk::host
