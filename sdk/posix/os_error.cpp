// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/os_error.hpp"

#include <cstring>

namespace lnk::posix {

namespace {

/// The length of the UTF-8 character at the head of `text`, or 0 where none stands there (RFC 3629).
std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  if (lead == 0xE0 && second < 0xA0) return 0;  // longer than needed
  if (lead == 0xED && second > 0x9F) return 0;  // a surrogate
  if (lead == 0xF0 && second < 0x90) return 0;  // longer than needed
  if (lead == 0xF4 && second > 0x8F) return 0;  // past U+10FFFF
  return length;
}

/// C1 controls and the marks that turn the direction of text or hide: U+0080–9F, 200B–200F, 2028–202E, 2060–2069, FEFF.
bool misleads(std::string_view character) noexcept {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(character[at]); };
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3) return false;
  const unsigned point = ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
  return (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x2069) || point == 0xFEFF;
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kHex[byte >> 4U];
    out += kHex[byte & 0x0FU];
  }
}

}  // namespace

std::string_view errno_words(int os_errno) noexcept {
  const char* words = ::strerrordesc_np(os_errno);
  return words != nullptr ? words : "unknown error";
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    bool shown = byte >= 0x20 && byte < 0x7F;
    if (byte >= 0x80) {
      length = utf8_length(text);
      shown = length != 0 && !misleads(text.substr(0, length));
      if (length == 0) length = 1;
    }
    if (shown) {
      out += text.substr(0, length);
    } else {
      append_escaped(out, text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return out;
}

Failure os_fail(Code code, std::string_view call, std::string_view subject, int os_errno) {
  std::string text(call);
  if (!subject.empty()) text.append(" '").append(escaped(subject)).append("'");
  text.append(": ").append(errno_words(os_errno));
  return fail(code, std::move(text), os_errno);
}

}  // namespace lnk::posix
