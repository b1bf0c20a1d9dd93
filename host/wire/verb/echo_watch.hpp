// SPDX-License-Identifier: Apache-2.0
//
// Looks for a secret in a reply to the request that carried it: as it is, percent-encoded, as JSON writes it and in
// base64, also across pieces. What could be the beginning of one is held back until more has come, so that a secret
// which is found was not sent in part.
//
// Does not find: a secret in another encoding, compressed, or spelled with escapes that no server writes by itself.
#pragma once

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
  [[nodiscard]] bool is_in(std::string_view text) const noexcept;

  /// The next piece of a stream. False: it holds a secret, and nothing more may pass.
  /// `passed`: what may go on, a part of what was held and of the piece.
  [[nodiscard]] bool next(std::string_view piece, std::string& passed);
  /// The stream's end: what is still held, which is no secret.
  [[nodiscard]] std::string take_held() noexcept;

 private:
  void add_pattern(std::string_view text);
  [[nodiscard]] std::size_t beginning_size(std::string_view text) const noexcept;

  std::vector<secret::SecretBytes> patterns_;
  std::size_t longest_ = 0;
  std::string held_;
};

}  // namespace lnk::host
