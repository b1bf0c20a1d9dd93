// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include "spec/toml_tree.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }

/// Walks the text as far as strings and comments go, which is all that hides a dot.
class KeyScan {
 public:
  explicit KeyScan(std::string_view text) : text_(text) {
    if (text.starts_with(kByteOrderMark)) at_ = line_start_ = kByteOrderMark.size();
  }

  Position first_deep_key() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        next_line();
      } else if (c == '#') {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        if (c == '.' && ++dots_ >= kMaxKeyParts) return place();
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

Position find_deep_key(std::string_view text) { return KeyScan(text).first_deep_key(); }

}  // namespace lnk::host
