// SPDX-License-Identifier: Apache-2.0
//
// ASCII text as protocols compare it: letters in any case, blanks at the ends left out. Of no locale; other bytes stay as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lnk {

[[nodiscard]] constexpr char to_lower(char byte) noexcept {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}
[[nodiscard]] inline std::string folded(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_lower);
  return out;
}
[[nodiscard]] inline bool same_folded(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}
/// Without the blanks and tabs at its ends (RFC 9110 5.6.3).
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  const auto is_blank = [](char byte) { return byte == ' ' || byte == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace lnk
