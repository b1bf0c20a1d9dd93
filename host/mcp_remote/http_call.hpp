// SPDX-License-Identifier: Apache-2.0
//
// One request to the server and its reply, on a connection of its own: a request that isn't answered is never sent again behind
// the client's back, as one on a kept connection would have to be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lnk/cpp/result.hpp"
#include "mcp_remote/limits.hpp"
#include "mcp_remote/outside.hpp"
#include "wire/message_reader.hpp"

namespace lnk::host::remote {

/// Bytes of messages that are held at once, by all that hold any.
class HeldBytes {
 public:
  explicit HeldBytes(std::size_t& all) noexcept : all_(all) {}
  ~HeldBytes() { all_ -= own_; }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  /// False: all would be too much; nothing has changed.
  [[nodiscard]] bool hold(std::size_t bytes) noexcept;

 private:
  std::size_t& all_;
  std::size_t own_ = 0;
};

[[nodiscard]] std::string too_much_words();

class HttpCall final : public Cancellable {
 public:
  HttpCall(Loop& loop, Outside& outside) noexcept : loop_(loop), outside_(outside), deadline_(loop) {}

  /// Sends, and waits for the head of the final reply. What was open before is closed. `idle_ms`: for this, and each piece.
  /// errors: words
  Task<Status> open(std::string head, const std::string* body, std::int64_t idle_ms);
  [[nodiscard]] const http::ReplyHead& reply() const noexcept { return reply_; }
  /// None: the end. errors: words; the reply was cut off
  Task<Result<std::optional<std::string>>> read_piece();
  /// errors: as read_piece; Limit
  Task<Result<std::string>> read_whole(std::size_t bytes_max, HeldBytes& held);
  void close() noexcept;

  /// Ends whatever it waits for, now and later.
  void cancel() noexcept override;
  [[nodiscard]] bool is_cancelled() const noexcept { return is_cancelled_; }

 private:
  Task<Status> read_final_reply();
  [[nodiscard]] Failure failed(const ReadEnd& end) const;

  Loop& loop_;
  Outside& outside_;
  std::unique_ptr<ByteStream> stream_;
  std::optional<MessageReader> reader_;
  Deadline deadline_;
  std::int64_t idle_ms_ = 0;
  http::ReplyHead reply_;
  bool is_cancelled_ = false;
};

}  // namespace lnk::host::remote
