// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/os_error.hpp"

#include <cstring>

#include "lnk/cpp/utf8.hpp"

namespace lnk::posix {

namespace {

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
