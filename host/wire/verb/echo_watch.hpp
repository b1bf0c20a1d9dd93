// SPDX-License-Identifier: Apache-2.0
//
// Looks for a secret in a reply to the request that carried it: as it is and in base64, each also with any of its
// characters escaped as spelled.hpp has it, and across pieces. The printable ASCII at a piece's end, up to 64 KiB, is held back until
// more has come, so that a secret which is found was not sent in part, and what is sent when depends on no secret: a
// line's end lets all before it go on.
//
// Does not find: a secret in another encoding or character set, compressed, in parts, or in base64 over several lines.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/secret/secret_bytes.hpp"

namespace lnk::host {

class EchoWatch {
 public:
  EchoWatch() = default;
  void add(const secret::SecretBytes& secret);
  [[nodiscard]] bool is_empty() const noexcept { return patterns_.empty(); }

  /// Whether a whole text holds one.
  [[nodiscard]] bool is_in(std::string_view text) const;

  /// The next piece of a stream. False: it holds a secret, or the beginning of a spelling too long to be held, and nothing
  /// more may pass.
  /// `passed`: what may go on, a part of what was held and of the piece.
  [[nodiscard]] bool next(std::string_view piece, std::string& passed);
  /// The stream's end: what is still held, which is no secret.
  [[nodiscard]] std::string take_held() noexcept;

 private:
  struct Seen {
    bool is_whole;
    std::size_t begins;  ///< where one may begin that goes beyond the text; its size: nowhere
  };

  void add_pattern(std::string_view text);
  [[nodiscard]] Seen look(std::string_view text, std::size_t from) const;

  std::vector<secret::SecretBytes> patterns_;
  std::array<bool, 256> begins_{};  ///< whether a pattern's spelling may begin with this byte
  std::string held_;
  std::size_t begins_at_ = 0;  ///< in what is held: no secret begins before it
};

}  // namespace lnk::host
