// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/http_call.hpp"

#include <utility>

namespace lnk::host::remote {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

bool HeldBytes::hold(std::size_t bytes) noexcept {
  if (all_ - own_ + bytes > kHeldBytesMax) return false;
  all_ = all_ - own_ + bytes;
  own_ = bytes;
  return true;
}

std::string too_much_words() { return "more than " + std::to_string(kHeldBytesMax) + " bytes of messages are on their way"; }

void HttpCall::cancel() noexcept {
  is_cancelled_ = true;
  if (stream_) stream_->cancel();
}

void HttpCall::close() noexcept {
  deadline_.clear();
  deadline_.cancels(nullptr);
  reader_.reset();
  stream_.reset();
}

Failure HttpCall::failed(const ReadEnd& end) const {
  const std::string origin = outside_.url().origin();
  if (is_cancelled_) return fail(Code::Timeout, "the request was given up");
  if (end.kind == ReadEnd::Kind::TimedOut) return fail(Code::Timeout, origin + " did not answer in time");
  if (end.kind == ReadEnd::Kind::Refused)
    return fail(Code::Upstream, origin + " sent a reply that can't be read: " + end.refusal.words);
  return fail(Code::Upstream, origin + " closed the connection in the middle of a reply");
}

/// Interim replies are passed over.
Task<Status> HttpCall::read_final_reply() {
  for (int interim = 0; interim <= http::kInterimRepliesMax; ++interim) {
    auto read = co_await reader_->read_reply("POST");
    if (auto* end = std::get_if<ReadEnd>(&read)) co_return failed(*end);
    reply_ = std::get<http::ReplyHead>(std::move(read));
    if (reply_.status >= 200) co_return Status{};
    if (reply_.status == 101) break;
  }
  co_return fail(Code::Upstream, outside_.url().origin() + " answered with interim replies alone");
}

Task<Status> HttpCall::open(std::string head, const std::string* body, std::int64_t idle_ms) {
  close();
  if (head.empty()) co_return fail(Code::Invalid, "the request can't be written as HTTP");
  auto connected = co_await outside_.connect();
  if (!connected) co_return fail(std::move(connected).error());
  if (is_cancelled_) co_return fail(Code::Timeout, "the request was given up");
  stream_ = std::move(*connected);
  reader_.emplace(loop_, *stream_);
  idle_ms_ = idle_ms;
  deadline_.cancels(stream_.get());
  deadline_.set(idle_ms_);
  const std::span<const std::byte> content = body == nullptr ? std::span<const std::byte>() : bytes_of(*body);
  const std::span<const std::byte> nothing;
  // A server may refuse a body before it has read it, and close: what it says is read all the same.
  const Status sent = co_await write_all_parts(*stream_, bytes_of(head), content, nothing);
  Status answered = co_await read_final_reply();
  if (!answered && !sent && answered.error().code != Code::Timeout)
    co_return fail(Code::Upstream, outside_.url().origin() + " closed the connection before it had read the request");
  if (!answered) co_return fail(std::move(answered).error());
  const auto coding = http::find_field(reply_.fields, "content-encoding");
  if (coding && !http::equals_folded(*coding, "identity"))
    co_return fail(Code::Upstream, outside_.url().origin() + " sent an encoded reply, which it wasn't asked for");
  reader_->begin_body(reply_.body);
  co_return Status{};
}

Task<Result<std::optional<std::string>>> HttpCall::read_piece() {
  deadline_.set(idle_ms_);
  if (!reader_ || reader_->is_body_whole()) co_return std::optional<std::string>();
  auto read = co_await reader_->read_body();
  if (auto* end = std::get_if<ReadEnd>(&read)) co_return failed(*end);
  const BodyPiece piece = std::get<BodyPiece>(read);
  // Copied, since the buffer is another's at the next wait.
  co_return std::optional<std::string>(std::in_place, reinterpret_cast<const char*>(piece.bytes.data()), piece.bytes.size());
}

Task<Result<std::string>> HttpCall::read_whole(std::size_t bytes_max, HeldBytes& held) {
  std::string text;
  for (;;) {
    auto piece = co_await read_piece();
    if (!piece) co_return fail(std::move(piece).error());
    if (!piece->has_value()) co_return std::move(text);
    if (text.size() + (*piece)->size() > bytes_max)
      co_return fail(Code::Limit, outside_.url().origin() + " sent more than " + std::to_string(bytes_max) + " bytes in one reply");
    text += **piece;
    if (!held.hold(text.size())) co_return fail(Code::Limit, too_much_words());
  }
}

}  // namespace lnk::host::remote
