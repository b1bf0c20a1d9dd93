// SPDX-License-Identifier: Apache-2.0
#include "spec/shown.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "lnk/cpp/utf8.hpp"

namespace lnk::host {
namespace {

/// A message quotes at most this much of a value: enough to find it by.
constexpr std::size_t kMaxQuotedBytes = 160;

struct Decoded {
  char32_t character = 0;
  std::size_t size = 0;  ///< 0: not UTF-8
};

Decoded decode(std::string_view text) {
  const std::size_t size = utf8_length(text);
  if (size == 0) return {};
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (size == 1) return {byte(0), 1};
  char32_t character = byte(0) & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) character = (character << 6U) | (byte(i) & 0x3FU);
  return {character, size};
}

struct Range {
  char32_t first;
  char32_t last;
};

// What moves, hides or reorders: C1 controls, soft hyphen, Arabic and Mongolian format marks, zero-width characters,
// line and paragraph separators, the bidirectional controls, byte order marks, interlinear marks, tags, variation
// selectors.
constexpr std::array<Range, 14> kHidden = {{{0x7F, 0x9F},
                                            {0xAD, 0xAD},
                                            {0x34F, 0x34F},
                                            {0x600, 0x605},
                                            {0x61C, 0x61C},
                                            {0x115F, 0x1160},
                                            {0x180B, 0x180F},
                                            {0x200B, 0x200F},
                                            {0x2028, 0x202E},
                                            {0x2060, 0x206F},
                                            {0xFE00, 0xFE0F},
                                            {0xFEFF, 0xFEFF},
                                            {0xFFF9, 0xFFFB},
                                            {0xE0000, 0xE0FFF}}};

bool is_hidden(char32_t character) {
  for (const Range& range : kHidden) {
    if (character >= range.first && character <= range.last) return true;
  }
  return false;
}

void add_hex(std::string& out, std::uint32_t value, int min_digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  int digits = 1;
  for (std::uint32_t rest = value >> 4U; rest != 0; rest >>= 4U) ++digits;
  if (digits < min_digits) digits = min_digits;
  for (int i = digits - 1; i >= 0; --i) out += kDigits[(value >> (4U * static_cast<unsigned>(i))) & 15U];
}

void add_ascii(std::string& out, char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\\':
      out += "\\\\";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    out += "\\x";
    add_hex(out, static_cast<unsigned char>(c), 2);
  } else {
    out += c;
  }
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    if (decoded.size == 0) {
      out += "\\x";
      add_hex(out, static_cast<unsigned char>(text.front()), 2);
      text.remove_prefix(1);
      continue;
    }
    if (is_hidden(decoded.character)) {
      out += "\\u{";
      add_hex(out, decoded.character, 4);
      out += '}';
    } else if (decoded.size == 1) {
      add_ascii(out, text.front());
    } else {
      out += text.substr(0, decoded.size);
    }
    text.remove_prefix(decoded.size);
  }
  return out;
}

std::string quoted_whole(std::string_view text) {
  std::string out = "\"";
  for (const char c : shown(text)) out += c == '"' ? std::string("\\\"") : std::string(1, c);
  return out += '"';
}

std::string quoted(std::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return quoted_whole(text);
  std::string first = quoted_whole(text.substr(0, kMaxQuotedBytes / 2));
  first.pop_back();
  return first + "…" + quoted_whole(text.substr(text.size() - kMaxQuotedBytes / 2)).substr(1);
}

std::string toml_string(std::string_view utf8) {
  std::string out = "\"";
  while (!utf8.empty()) {
    const Decoded decoded = decode(utf8);
    const std::size_t size = decoded.size == 0 ? 1 : decoded.size;
    const char32_t character = decoded.size == 0 ? 0xFFFD : decoded.character;
    if (character == '"' || character == '\\') {
      out += '\\';
      out += static_cast<char>(character);
    } else if (character < 0x20 || is_hidden(character) || decoded.size == 0) {
      out += "\\U";
      add_hex(out, character, 8);
    } else {
      out += utf8.substr(0, size);
    }
    utf8.remove_prefix(size);
  }
  return out += '"';
}

}  // namespace lnk::host
