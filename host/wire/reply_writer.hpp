// SPDX-License-Identifier: Apache-2.0
//
// One reply to the program, framed for the client that asked: a known length as it is, an unknown one chunked, or up to
// the connection's end for HTTP/1.0. A reply to HEAD and one that has no body by its status is written without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/http/head.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/byte_stream.hpp"

namespace lnk::host {

class ReplyWriter {
 public:
  ReplyWriter(ByteStream& client, const http::RequestHead& request) noexcept;
  /// For a request whose head could not be read: the connection closes behind the reply.
  explicit ReplyWriter(ByteStream& client) noexcept;

  /// 100 Continue, once, where the client waits for it and nothing was answered yet. Call it after the decision, before
  /// the body is read.
  Task<Status> invite_body();
  /// `fields`: end-to-end ones; framing and Connection are set here. `length`: none where it isn't known. With
  /// `holds_head` the head goes out in one packet with what is written next, which is there already.
  Task<Status> begin(std::uint16_t status, std::string_view reason, const std::vector<http::Field>& fields,
                     std::optional<std::uint64_t> length, bool holds_head = false);
  /// One piece of the body, sent at once. Bytes beyond the length that was told are an error.
  Task<Status> piece(std::span<const std::byte> bytes);
  Task<Status> end();
  /// 200 to a CONNECT; what follows is no reply any more.
  Task<Status> establish_tunnel();
  /// 101 to a request for a WebSocket; what follows is no reply any more.
  Task<Status> switch_to_websocket(std::string_view reason, const std::vector<http::Field>& fields);
  /// Status, Link-Refused and one line; nothing where a reply has begun, and the connection closes then.
  Task<void> refuse(http::Refusal refusal);
  /// What is refused from here on has a body of this form (refusal_form.hpp), which must outlive the reply; empty: text.
  void refuse_by(std::string_view form) noexcept { refusal_form_ = form; }

  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
  /// The connection can't be used again: the client asked so, a body is cut short or was not read to its end.
  void close_after() noexcept { closes_ = true; }
  [[nodiscard]] bool closes() const noexcept { return closes_ || (has_begun_ && !has_ended_); }
  /// Body bytes sent so far.
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  /// For body bytes moved past this writer (splice), where framing is by length or to the end.
  [[nodiscard]] bool takes_raw() const noexcept {
    return framing_ != http::Framing::Chunked && framing_ != http::Framing::None;
  }
  void count_raw(std::uint64_t bytes) noexcept { sent_ += bytes; }

 private:
  Task<Status> write_behind(std::string head, std::span<const std::byte> bytes);

  ByteStream& client_;
  std::string_view refusal_form_;
  std::string held_head_;
  http::Framing framing_ = http::Framing::None;
  std::uint64_t length_ = 0;
  std::uint64_t sent_ = 0;
  bool is_head_request_;
  bool is_http10_;
  bool waits_for_continue_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  bool closes_;
};

}  // namespace lnk::host
