// SPDX-License-Identifier: Apache-2.0
#include "wire/message_reader.hpp"

#include <algorithm>
#include <cstring>

namespace lnk::host {
namespace {

using http::HeadScanner;

std::string_view to_view(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

ReadEnd ended(ReadEnd::Kind kind) { return ReadEnd{kind, {}}; }
ReadEnd refused(http::Refusal refusal) { return ReadEnd{ReadEnd::Kind::Refused, std::move(refusal)}; }

}  // namespace

Task<bool> MessageReader::wait_for_more() {
  if (!kept_.empty()) co_return true;
  co_return co_await from_->wait_readable() == Wake::Ready;
}

/// Appends what there is to `kept_`. None: something came.
Task<std::optional<ReadEnd>> MessageReader::read_more(bool at_start) {
  for (;;) {
    const std::span<std::byte> buffer = loop_.buffer();
    const Io io = from_->try_read(buffer.first(std::min(buffer.size(), http::kHeadBytesMax)));
    if (io.kind == Io::Kind::Moved) {
      kept_.append(to_view(buffer.first(io.size)));
      co_return std::nullopt;
    }
    if (io.kind == Io::Kind::Ended) co_return ended(at_start ? ReadEnd::Kind::Closed : ReadEnd::Kind::Cut);
    if (io.kind == Io::Kind::Failed) co_return ended(ReadEnd::Kind::Cut);
    if (co_await from_->wait_readable() == Wake::Cancelled) co_return ended(ReadEnd::Kind::TimedOut);
  }
}

template <class Head, class Parse>
Task<ReadResult<Head>> MessageReader::read_head(http::Side side, Parse parse) {
  HeadScanner scanner(side);
  for (;;) {
    const auto outcome = scanner.scan(kept_);
    if (outcome == HeadScanner::Outcome::Refused) co_return refused(scanner.refusal());
    if (outcome == HeadScanner::Outcome::Whole) break;
    auto end = co_await read_more(kept_.empty());
    if (end) co_return std::move(*end);
  }
  http::Checked<Head> head = parse(std::string_view(kept_).substr(0, scanner.size()));
  if (kept_.size() == scanner.size()) {
    std::string().swap(kept_);  // an idle connection keeps no memory of its last head
  } else {
    kept_.erase(0, scanner.size());
  }
  if (http::is_refused(head)) co_return refused(std::get<http::Refusal>(std::move(head)));
  co_return std::get<Head>(std::move(head));
}

Task<ReadResult<http::RequestHead>> MessageReader::read_request() {
  return read_head<http::RequestHead>(http::Side::Request,
                                      [](std::string_view bytes) { return http::parse_request(bytes); });
}

Task<ReadResult<http::ReplyHead>> MessageReader::read_reply(std::string_view request_method) {
  return read_head<http::ReplyHead>(
      http::Side::Reply, [request_method](std::string_view bytes) { return http::parse_reply(bytes, request_method); });
}

void MessageReader::begin_body(const http::Body& body) {
  body_ = body;
  left_ = body.length;
  chunks_ = {};
  is_whole_ = body.framing == http::Framing::None || (body.framing == http::Framing::Length && body.length == 0);
}

void MessageReader::skip_body(std::uint64_t moved) noexcept {
  left_ -= std::min(left_, moved);
  if (body_.framing == http::Framing::Length && left_ == 0) is_whole_ = true;
}

void MessageReader::end_body() noexcept { is_whole_ = true; }

Task<ReadResult<BodyPiece>> MessageReader::read_body() {
  if (is_whole_) co_return BodyPiece{{}, true};
  if (body_.framing == http::Framing::Chunked) co_return co_await read_chunked();
  co_return co_await read_counted();
}

/// Some bytes of the body into the loop's buffer: kept ones first, never more than `most`. 0: the end came.
Task<ReadResult<std::size_t>> MessageReader::fill(std::uint64_t most) {
  const std::span<std::byte> buffer = loop_.buffer();
  const std::size_t room = static_cast<std::size_t>(std::min<std::uint64_t>(most, buffer.size()));
  if (!kept_.empty()) {
    const std::size_t size = std::min(kept_.size(), room);
    std::memcpy(buffer.data(), kept_.data(), size);
    kept_.erase(0, size);
    if (kept_.empty()) std::string().swap(kept_);
    co_return size;
  }
  for (;;) {
    const Io io = from_->try_read(buffer.first(room));
    if (io.kind == Io::Kind::Moved) co_return io.size;
    if (io.kind == Io::Kind::Ended) co_return std::size_t{0};
    if (io.kind == Io::Kind::Failed) co_return ended(ReadEnd::Kind::Cut);
    if (co_await from_->wait_readable() == Wake::Cancelled) co_return ended(ReadEnd::Kind::TimedOut);
  }
}

Task<ReadResult<BodyPiece>> MessageReader::read_counted() {
  const bool is_counted = body_.framing == http::Framing::Length;
  auto filled = co_await fill(is_counted ? left_ : loop_.buffer().size());
  if (auto* end = std::get_if<ReadEnd>(&filled)) co_return std::move(*end);
  const std::size_t size = std::get<std::size_t>(filled);
  if (size == 0 && is_counted) co_return ended(ReadEnd::Kind::Cut);
  if (is_counted) left_ -= size;
  is_whole_ = is_counted ? left_ == 0 : size == 0;
  co_return BodyPiece{loop_.buffer().first(size), is_whole_};
}

/// Takes the coding off in place: what is body moves to the buffer's front.
Task<ReadResult<BodyPiece>> MessageReader::read_chunked() {
  for (;;) {
    auto filled = co_await fill(loop_.buffer().size());
    if (auto* end = std::get_if<ReadEnd>(&filled)) co_return std::move(*end);
    const std::span<std::byte> buffer = loop_.buffer();
    std::string_view input = to_view(buffer.first(std::get<std::size_t>(filled)));
    if (input.empty()) co_return ended(ReadEnd::Kind::Cut);
    std::size_t size = 0;
    while (!input.empty() && !is_whole_) {
      const auto step = chunks_.next(input);
      if (step.kind == http::ChunkedScanner::Step::Kind::Refused) {
        co_return refused(http::Refusal{400, "bad-request", "the body has " + std::string(step.words)});
      }
      if (!step.data.empty()) std::memmove(buffer.data() + size, step.data.data(), step.data.size());
      size += step.data.size();
      input.remove_prefix(step.consumed);
      is_whole_ = step.kind == http::ChunkedScanner::Step::Kind::Done;
    }
    kept_.insert(0, input);  // what comes behind the body
    if (size > 0 || is_whole_) co_return BodyPiece{buffer.first(size), is_whole_};
  }
}

}  // namespace lnk::host
