// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>

#include "spec/toml_tree.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Walks the text as far as strings and comments go, which is all that hides a dot or another script.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : text_(text) {
    if (text.starts_with(kByteOrderMark)) at_ = line_start_ = kByteOrderMark.size();
  }

  TextFault first_fault() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        next_line();
      } else if (c == '#') {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        if (!may_open_string()) return {place(), "this isn't TOML: a quote stands right behind other text"};
        skip_string(c);
      } else {
        if (!is_ascii(c)) return {place(), "this isn't TOML: a character beyond ASCII stands outside quotes"};
        if (c == '.' && ++dots_ >= kMaxKeyParts) {
          return {place(), "a key has more than " + std::to_string(kMaxKeyParts) + " parts, which none of a spec has"};
        }
        // These end a key: only what stands between them counts as one.
        if (c == '=' || c == ',' || c == '{' || c == '[') dots_ = 0;
        ++at_;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Position place() const {
    const std::string_view before = text_.substr(line_start_, at_ - line_start_);
    return {line_, static_cast<std::uint32_t>(std::count_if(before.begin(), before.end(), begins_character)) + 1};
  }

  // The library looks ahead from a value's first letter to its end, a quote right behind it and the text in it
  // included.
  [[nodiscard]] bool may_open_string() const {
    return at_ == line_start_ || std::string_view(" \t\r\n=[{,.").find(text_[at_ - 1]) != std::string_view::npos;
  }

  void next_line() {
    line_start_ = ++at_;
    ++line_;
    dots_ = 0;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool long_form = text_.substr(at_).starts_with(triple);
    at_ += long_form ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !long_form) return;  // not TOML; the library says so
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
      } else if (long_form ? text_.substr(at_).starts_with(triple) : c == quote) {
        end_string(quote, long_form);
        return;
      } else if (c == '\n') {
        next_line();
      } else {
        ++at_;
      }
    }
  }

  // A long string may end in up to two quotes of its own before the three that close it.
  void end_string(char quote, bool long_form) {
    at_ += long_form ? 3 : 1;
    for (int own = 0; long_form && own < 2 && at_ < text_.size() && text_[at_] == quote; ++own) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::size_t dots_ = 0;
};

}  // namespace

TextFault find_text_fault(std::string_view text) { return TextScan(text).first_fault(); }

}  // namespace lnk::host
