// SPDX-License-Identifier: Apache-2.0
//
// Heads and bodies as one side of a connection sends them. What was read beyond a head or body is kept for the next
// one, and nothing is kept while there is nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "lnk/http/head.hpp"
#include "wire/byte_stream.hpp"

namespace lnk::host {

/// Why no head or no more of a body came.
struct ReadEnd {
  enum class Kind : std::uint8_t {
    Refused,   ///< `refusal` says what
    TimedOut,  ///< a deadline cancelled the wait
    Closed,    ///< the other side closed before the first byte of a head
    Cut,       ///< it closed, or the connection failed, in the middle
  } kind = Kind::Cut;
  http::Refusal refusal;
};

template <class T>
using ReadResult = std::variant<T, ReadEnd>;

struct BodyPiece {
  std::span<const std::byte> bytes;  ///< valid until the next wait; empty only where `is_last`
  bool is_last = false;
};

class MessageReader {
 public:
  MessageReader(Loop& loop, ByteStream& from) noexcept : loop_(loop), from_(&from) {}

  /// Waits until something is there to read, or kept from before. False: cancelled.
  Task<bool> wait_for_more();
  Task<ReadResult<http::RequestHead>> read_request();
  Task<ReadResult<http::ReplyHead>> read_reply(std::string_view request_method);

  /// Sets how the body that follows the last head is framed.
  void begin_body(const http::Body& body);
  [[nodiscard]] bool is_body_whole() const noexcept { return is_whole_; }
  /// Body bytes as they come, the chunked coding taken off. After a piece with `is_last` the body is whole.
  Task<ReadResult<BodyPiece>> read_body();
  /// Where a length is known, how much is left that may be moved past this reader (splice); nothing kept here is.
  [[nodiscard]] std::uint64_t body_left() const noexcept { return left_; }
  void skip_body(std::uint64_t moved) noexcept;
  /// UntilClose: the end was met by whoever moved it past this reader.
  void end_body() noexcept;

  /// Bytes behind the last head or body.
  [[nodiscard]] const std::string& kept() const noexcept { return kept_; }
  std::string take_kept() { return std::exchange(kept_, {}); }

 private:
  template <class Head, class Parse>
  Task<ReadResult<Head>> read_head(http::Side side, Parse parse);
  Task<std::optional<ReadEnd>> read_more(bool at_start);
  Task<ReadResult<std::size_t>> fill(std::uint64_t most);
  Task<ReadResult<BodyPiece>> read_counted();
  Task<ReadResult<BodyPiece>> read_chunked();

  Loop& loop_;
  ByteStream* from_;
  std::string kept_;
  http::Body body_;
  http::ChunkedScanner chunks_;
  std::uint64_t left_ = 0;
  bool is_whole_ = true;
};

}  // namespace lnk::host
