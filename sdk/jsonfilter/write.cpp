// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "lnk/jsonfilter/document.hpp"

namespace lnk::jsonfilter {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

bool must_escape(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// Where the first character that must be escaped stands, or the text's end. Eight at a time: most texts are long.
std::size_t plain_size(std::string_view text) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    const auto is_control = (word - kOnes * 0x20) & ~word & kHighs;
    if ((is_control | has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'))) != 0) break;
  }
  while (at < text.size() && !must_escape(text[at])) ++at;
  return at;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += "\\u00";
  out += kHex[static_cast<unsigned char>(c) >> 4];
  out += kHex[static_cast<unsigned char>(c) & 15];
}

void append(std::string& out, const Value& value);

void append_items(std::string& out, const Value& value) {
  const bool is_object = value.is_object();
  out += is_object ? '{' : '[';
  bool is_first = true;
  for (const auto& item : value.items()) {
    if (!is_first) out += ',';
    is_first = false;
    if (is_object) {
      append_string(out, item.key);
      out += ':';
    }
    append(out, item.value);
  }
  out += is_object ? '}' : ']';
}

/// Recursion ends at the depth that `parse` let in.
void append(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::Null: out += "null"; return;
    case Kind::False: out += "false"; return;
    case Kind::True: out += "true"; return;
    case Kind::Number: out += value.text(); return;
    case Kind::String: append_string(out, value.text()); return;
    case Kind::Array:
    case Kind::Object: append_items(out, value); return;
  }
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const auto plain = plain_size(text);
    out += text.substr(0, plain);
    if (plain == text.size()) break;
    append_escaped(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out += '"';
}

std::string write(const Value& value, std::size_t bytes_expected) {
  std::string out;
  out.reserve(bytes_expected);
  append(out, value);
  return out;
}

}  // namespace lnk::jsonfilter
