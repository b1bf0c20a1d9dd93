// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/outside_call.hpp"

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

http::Refusal echoed() { return refuse_upstream("the service's reply held the secret it was asked with, and was cut"); }

http::Refusal to_refusal(const ReadEnd& end) {
  if (end.kind == ReadEnd::Kind::Refused) return end.refusal;
  if (end.kind == ReadEnd::Kind::TimedOut) return refuse_upstream_timeout("the service did not answer in time");
  return refuse_upstream("the service closed the connection without a whole reply");
}

http::Refusal to_refusal(const Error& error, std::string_view host) {
  const std::string words = std::string(host) + ": " + error.text;
  return error.code == Code::Timeout ? refuse_upstream_timeout(words) : refuse_upstream(words);
}

}  // namespace

OutsideCall::OutsideCall(const Outside& outside, Exchange& exchange, const RelayPlan& plan) noexcept
    : outside_(outside), exchange_(exchange), plan_(plan), idle_(outside.loop) {}

Task<void> OutsideCall::refuse(http::Refusal refusal) {
  exchange_.log.refused(refusal);
  co_await exchange_.reply.refuse(std::move(refusal));
}

Task<void> OutsideCall::run() {
  watch_for_echo();
  if (!co_await connect()) co_return;
  exchange_.log.opened();
  idle_.cancels(stream_.get(), &exchange_.client);
  idle_.set(kIdleMs);
  if (!co_await send_head()) co_return;
  const Status invited = co_await exchange_.reply.invite_body();
  if (invited) co_await exchange_bodies();
}

/// For every handle that the request carries.
void OutsideCall::watch_for_echo() {
  std::vector<std::string> handles = handles_of(plan_.target);
  for (const Edit& edit : plan_.edits) {
    for (auto& handle : handles_of(edit.value)) handles.push_back(std::move(handle));
  }
  for (const auto& handle : handles) {
    if (const auto* value = outside_.handles.find(handle)) echo_.add(*value);
  }
}

Task<bool> OutsideCall::connect() {
  http::Authority place;
  place.host.text = plan_.host;
  place.port = plan_.port;
  auto dialed = co_await outside_.dialer.dial(place);
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
    co_await refuse(std::move(*refusal));
    co_return false;
  }
  auto plain = std::get<0>(std::move(dialed));
  Deadline handshake(outside_.loop, plain.get());
  handshake.set(kConnectMs);
  auto secured = co_await outside_.tls.connect(std::move(plain), plan_.host);
  handshake.clear();
  if (!secured) {
    co_await refuse(to_refusal(secured.error(), plan_.host));
    co_return false;
  }
  stream_ = std::move(secured).value();
  co_return true;
}

/// Written from the bytes that are wiped, with no copy beside them.
Task<bool> OutsideCall::send_head() {
  const auto fields = http::end_to_end_fields(exchange_.head.fields);
  auto head = write_request_head(plan_, fields, framing_of(plan_, exchange_.head), outside_.handles);
  if (!head) {
    co_await refuse(refuse_upstream("the request could not be written: " + head.error().text));
    co_return false;
  }
  auto rest = to_bytes(head->reveal());
  while (!rest.empty()) {
    const Io io = stream_->try_write(rest);
    if (io.kind == Io::Kind::Moved) rest = rest.subspan(io.size);
    if (io.kind == Io::Kind::Failed || io.kind == Io::Kind::Ended) {
      // Written or not, a reply may be there: a server may answer and close before it has read the request. One that
      // still reads would wait for the rest.
      static_cast<void>(co_await stream_->shutdown_write());
      co_return true;
    }
    if (io.kind == Io::Kind::WouldBlock && co_await stream_->wait_writable() == Wake::Cancelled) co_return true;
  }
  co_return true;
}

/// The request's body goes out while the reply is read: a server may answer first.
Task<void> OutsideCall::exchange_bodies() {
  Upload upload(exchange_, *stream_, idle_);
  MessageReader reader(outside_.loop, *stream_);
  if (plan_.has_own_body) {
    exchange_.log.out += plan_.body.size();
    const Status written = co_await write_all(*stream_, to_bytes(plan_.body));
    if (!written) static_cast<void>(co_await stream_->shutdown_write());
  } else {
    upload.start();
  }
  co_await relay_reply(reader, upload);
  co_await upload.finish();
}

/// The reply behind all interim ones, which are not passed on; a switch of protocols was not asked for.
Task<ReadResult<http::ReplyHead>> OutsideCall::read_final_head(MessageReader& reader) {
  for (int count = 0; count <= http::kInterimRepliesMax; ++count) {
    auto read = co_await reader.read_reply(plan_.method);
    const auto* head = std::get_if<http::ReplyHead>(&read);
    if (head == nullptr || head->status >= 200) co_return read;
    if (head->status == 101) break;
  }
  co_return ReadEnd{ReadEnd::Kind::Refused, refuse_upstream("the service's interim replies made no sense")};
}

/// What can't be looked through is not passed on, where there is something to look for.
std::optional<http::Refusal> OutsideCall::refuse_head(const http::ReplyHead& head) const {
  if (echo_.is_empty()) return std::nullopt;
  bool echoes = echo_.is_in(head.reason);
  bool encoded = false;
  for (const auto& field : head.fields) {
    echoes = echoes || echo_.is_in(field.name) || echo_.is_in(field.value);
    encoded = encoded ||
              (http::equals_folded(field.name, "content-encoding") && !http::equals_folded(field.value, "identity"));
  }
  if (echoes) return echoed();
  if (encoded)
    return refuse_upstream("the service encoded its reply though it was asked not to, so it can't be looked through");
  return std::nullopt;
}

std::vector<http::Field> OutsideCall::kept_fields(const http::ReplyHead& head) const {
  auto fields = http::end_to_end_fields(head.fields);
  if (echo_.is_empty()) return fields;
  std::erase_if(fields, [](const http::Field& field) {
    return std::any_of(kKeptBack.begin(), kKeptBack.end(),
                       [&](auto name) { return http::equals_folded(field.name, name); });
  });
  return fields;
}

Task<void> OutsideCall::relay_reply(MessageReader& reader, Upload& upload) {
  auto read = co_await read_final_head(reader);
  if (const auto& refusal = upload.refusal()) {
    co_await refuse(*refusal);
    co_return;
  }
  if (const auto* end = std::get_if<ReadEnd>(&read)) {
    co_await refuse(to_refusal(*end));
    co_return;
  }
  const auto& head = std::get<http::ReplyHead>(read);
  if (auto refusal = refuse_head(head)) {
    co_await refuse(std::move(*refusal));
    co_return;
  }
  exchange_.log.status = head.status;
  const Status begun = co_await exchange_.reply.begin(head.status, head.reason, kept_fields(head), head.told_length);
  if (!begun) co_return;
  reader.begin_body(head.body);
  if (co_await relay_body(reader)) static_cast<void>(co_await exchange_.reply.end());
}

/// False: cut short.
Task<bool> OutsideCall::relay_body(MessageReader& reader) {
  std::string passed;
  while (!reader.is_body_whole()) {
    auto read = co_await reader.read_body();
    const auto* piece = std::get_if<BodyPiece>(&read);
    if (piece == nullptr) {
      exchange_.log.cut();
      co_return false;
    }
    idle_.set(kIdleMs);
    if (echo_.is_empty()) {
      if (!co_await pass(to_text(piece->bytes))) co_return false;
      continue;
    }
    if (!echo_.next(to_text(piece->bytes), passed)) {
      exchange_.log.cut();  // by us, for what outside sent
      co_return false;
    }
    if (!co_await pass(passed)) co_return false;
  }
  const std::string held = echo_.take_held();
  co_return co_await pass(held);
}

Task<bool> OutsideCall::pass(std::string_view bytes) {
  if (bytes.empty()) co_return true;
  exchange_.log.in += bytes.size();
  const Status written = co_await exchange_.reply.piece(to_bytes(bytes));
  co_return written.has_value();
}

}  // namespace lnk::host
