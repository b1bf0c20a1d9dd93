// SPDX-License-Identifier: Apache-2.0
#include "wire/reply_writer.hpp"

#include <utility>

#include "lnk/http/write.hpp"
#include "wire/body_writer.hpp"
#include "wire/refusal_form.hpp"

namespace lnk::host {
namespace {

using http::Framing;

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

bool has_no_body(std::uint16_t status) noexcept { return status == 204 || status == 304; }

}  // namespace

ReplyWriter::ReplyWriter(ByteStream& client, const http::RequestHead& request) noexcept
    : client_(client),
      is_head_request_(request.method == "HEAD"),
      is_http10_(request.minor_version == 0),
      waits_for_continue_(request.expects_continue),
      closes_(is_http10_ || !request.wants_keep_alive) {}

ReplyWriter::ReplyWriter(ByteStream& client) noexcept
    : client_(client), is_head_request_(false), is_http10_(false), waits_for_continue_(false), closes_(true) {}

Task<Status> ReplyWriter::invite_body() {
  if (!waits_for_continue_ || has_begun_) co_return Status{};
  waits_for_continue_ = false;
  co_return co_await write_all(client_, to_bytes("HTTP/1.1 100 Continue\r\n\r\n"));
}

Task<Status> ReplyWriter::begin(std::uint16_t status, std::string_view reason, const std::vector<http::Field>& fields,
                                std::optional<std::uint64_t> length, bool holds_head) {
  if (has_begun_) co_return fail(Code::Internal, "a reply was begun twice");
  http::Body body{Framing::Length, length.value_or(0)};
  if (!length) body.framing = is_http10_ ? Framing::UntilClose : Framing::Chunked;
  if (waits_for_continue_ || body.framing == Framing::UntilClose) closes_ = true;
  http::HeadWriter writer;
  writer.reply(status, reason).fields(fields);
  // A 204 has no length; a reply to HEAD, and a 304, tell the length that a GET would have.
  if (status != 204 && (length || !(is_head_request_ || has_no_body(status)))) writer.framing(body);
  if (closes_) writer.field("Connection", "close");
  std::string head = writer.finish();
  if (head.empty()) co_return fail(Code::Internal, "a reply's head that can't be written");
  framing_ = is_head_request_ || has_no_body(status) ? Framing::None : body.framing;
  length_ = body.length;
  has_begun_ = true;
  if (!holds_head) co_return co_await write_all(client_, to_bytes(head));
  held_head_ = std::move(head);
  co_return Status{};
}

/// Head and body in one packet; a large body is written by itself, and its head not waited for by the network.
Task<Status> ReplyWriter::write_behind(std::string head, std::span<const std::byte> bytes) {
  constexpr std::size_t kOnePacketBytes = 16 * 1024;
  if (bytes.size() > kOnePacketBytes && framing_ != Framing::Chunked) {
    co_return co_await write_all_parts(client_, to_bytes(head), bytes, {});
  }
  append_body_piece(head, framing_, bytes);
  co_return co_await write_all(client_, to_bytes(head));
}

Task<Status> ReplyWriter::piece(std::span<const std::byte> bytes) {
  if (!has_begun_ || has_ended_) co_return fail(Code::Internal, "a piece of no reply");
  if (bytes.empty() || framing_ == Framing::None) co_return Status{};
  if (framing_ == Framing::Length && sent_ + bytes.size() > length_) {
    co_return fail(Code::Internal, "a reply longer than its length");
  }
  sent_ += bytes.size();
  if (!held_head_.empty()) {
    co_return co_await write_behind(std::exchange(held_head_, {}), bytes);
  }
  co_return co_await write_body_piece(client_, framing_, bytes);
}

Task<Status> ReplyWriter::end() {
  if (!has_begun_ || has_ended_) co_return fail(Code::Internal, "the end of no reply");
  if (framing_ == Framing::Length && sent_ != length_)
    co_return fail(Code::Internal, "a reply shorter than its length");
  has_ended_ = true;
  if (!held_head_.empty()) {
    const Status written = co_await write_all(client_, to_bytes(held_head_));
    if (!written) co_return written;
  }
  co_return co_await write_body_end(client_, framing_);
}

Task<Status> ReplyWriter::establish_tunnel() {
  has_begun_ = has_ended_ = closes_ = true;
  co_return co_await write_all(client_, to_bytes("HTTP/1.1 200 Connection established\r\n\r\n"));
}

Task<Status> ReplyWriter::switch_to_websocket(std::string_view reason, const std::vector<http::Field>& fields) {
  constexpr std::uint16_t kSwitchingProtocols = 101;
  if (has_begun_) co_return fail(Code::Internal, "a reply was begun twice");
  http::HeadWriter writer;
  const std::string head = writer.reply(kSwitchingProtocols, reason).fields(fields).websocket().finish();
  if (head.empty()) co_return fail(Code::Internal, "a reply's head that can't be written");
  has_begun_ = has_ended_ = closes_ = true;
  co_return co_await write_all(client_, to_bytes(head));
}

Task<void> ReplyWriter::refuse(http::Refusal refusal) {
  if (has_begun_ || refusal.status == 0) {
    closes_ = true;
    co_return;
  }
  // What could not be read leaves no place where a next request surely begins.
  if (refusal.reason == "bad-request" || refusal.status == 408) closes_ = true;
  // What is not there has one form, whoever would be there.
  const bool is_formed = !refusal_form_.empty() && refusal.status != 404;
  const std::string body = (is_formed ? fill_refusal_form(refusal_form_, refusal) : refusal.words) + "\n";
  const std::string_view type = is_formed ? "application/json" : "text/plain; charset=utf-8";
  std::vector<http::Field> fields = {{"Link-Refused", refusal.reason}, {"Content-Type", type}, {"Cache-Control", "no-store"}};
  const std::string after = std::to_string(refusal.retry_after_s);
  if (refusal.retry_after_s != 0) fields.push_back({"Retry-After", after});
  Status written = co_await begin(refusal.status, http::reason_phrase(refusal.status), fields, body.size());
  if (written) written = co_await piece(to_bytes(body));
  if (written) written = co_await end();
  has_ended_ = has_begun_;
}

}  // namespace lnk::host
