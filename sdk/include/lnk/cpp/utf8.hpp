// SPDX-License-Identifier: Apache-2.0
//
// What is UTF-8. This is the one reading of it: what one place takes for text, no other may refuse.
// source: RFC 3629, 4: no overlong form, no surrogate, nothing over U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace lnk {

/// The bytes of the character at the head of `text`, 1 to 4; 0 where none stands there.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  // What may follow the lead; all further bytes are 80 to BF.
  const unsigned char first = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;  // not longer than needed
  const unsigned char last = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;   // no surrogate, not past U+10FFFF
  if (byte(1) < first || byte(1) > last) return 0;
  for (std::size_t at = 2; at < length; ++at)
    if ((byte(at) & 0xC0U) != 0x80U) return 0;
  return length;
}

/// complexity: linear.
[[nodiscard]] constexpr bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace lnk
