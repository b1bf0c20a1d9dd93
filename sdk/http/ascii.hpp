// SPDX-License-Identifier: Apache-2.0
//
// Classes of bytes, of no locale.
#pragma once

#include <cstdint>
#include <string_view>

#include "lnk/cpp/ascii.hpp"

namespace lnk::http {

constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }
constexpr bool is_alphanumeric(char byte) noexcept {
  const char low = to_lower(byte);
  return is_digit(byte) || (low >= 'a' && low <= 'z');
}
constexpr bool is_hex_digit(char byte) noexcept {
  const char low = to_lower(byte);
  return is_digit(byte) || (low >= 'a' && low <= 'f');
}
constexpr unsigned hex_value(char byte) noexcept {
  return static_cast<unsigned>(is_digit(byte) ? byte - '0' : to_lower(byte) - 'a' + 10);
}
/// 0x21 to 0x7e
constexpr bool is_visible(char byte) noexcept { return byte > ' ' && byte < '\x7f'; }
constexpr bool is_high(char byte) noexcept { return static_cast<unsigned char>(byte) > 0x7f; }
/// NUL to 0x1f and DEL, the tab among them.
constexpr bool is_control(char byte) noexcept { return static_cast<unsigned char>(byte) < ' ' || byte == '\x7f'; }
constexpr bool is_blank(char byte) noexcept { return byte == ' ' || byte == '\t'; }
/// RFC 9110 5.6.2
constexpr bool is_token_char(char byte) noexcept {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return is_alphanumeric(byte) || (byte != '\0' && kMarks.find(byte) != std::string_view::npos);
}

}  // namespace lnk::http
