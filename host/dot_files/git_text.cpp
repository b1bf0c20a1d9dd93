// SPDX-License-Identifier: Apache-2.0
#include "dot_files/git_text.hpp"

#include <algorithm>

namespace lnk::host {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// git's own idea of characters, whatever the locale.
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_name_part(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  GitText read() {
    while (!is_past_end_) {
      const char c = next();
      if (is_space(c)) continue;
      if (c == '#' || c == ';')
        leave_line();
      else if (!(c == '[' ? section() : setting(c)))
        fault();
    }
    return std::move(out_);
  }

 private:
  /// A line's end is \n or \r\n, and the text's end is one more.
  char next() {
    is_past_end_ = at_ >= text_.size();
    if (is_past_end_) return last_ = '\n';
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    return last_ = text_[at_++];
  }

  void leave_line() {
    while (last_ != '\n') (void)next();
  }

  void fault() {
    out_.is_whole = false;
    leave_line();
  }

  /// [section], [section.sub] and [section "Sub"].
  bool section() {
    std::string name;
    for (;;) {
      const char c = next();
      if (is_past_end_) return false;
      if (c == ']') break;
      if (is_space(c)) {
        if (!subsection(name)) return false;
        break;
      }
      if (!is_name_part(c) && c != '.') return false;
      name += lower(c);
    }
    if (name.empty()) return false;
    section_ = name + ".";
    return true;
  }

  bool subsection(std::string& name) {
    char c = last_;
    do {
      if (c == '\n') return false;
      c = next();
    } while (is_space(c));
    if (c != '"') return false;
    name += '.';
    for (c = next(); c != '"'; c = next()) {
      if (c == '\\') c = next();
      if (c == '\n') return false;
      name += c;
    }
    return next() == ']';
  }

  bool setting(char first) {
    if (!is_letter(first)) return false;
    std::string key = section_ + lower(first);
    char c = next();
    for (; is_name_part(c); c = next()) key += lower(c);
    while (c == ' ' || c == '\t') c = next();
    if (c == '\n') {
      add(std::move(key), std::nullopt);
      return true;
    }
    std::string value;
    if (c != '=' || !this->value(value)) return false;
    add(std::move(key), std::move(value));
    return true;
  }

  bool value(std::string& out) {
    bool is_quoted = false;
    bool is_comment = false;
    std::size_t spaces = 0;  // those at the end of a value aren't part of it
    for (char c = next(); c != '\n' || is_quoted; c = next()) {
      if (c == '\n') return false;
      if (is_comment) continue;
      if (!is_quoted && is_space(c)) {
        // Any space becomes a plain one. Since 2.45 git keeps it as it is, which no path in use can tell.
        if (!out.empty()) ++spaces;
        continue;
      }
      if (!is_quoted && (c == '#' || c == ';')) {
        is_comment = true;
        continue;
      }
      out.append(spaces, ' ');
      spaces = 0;
      if (c == '"')
        is_quoted = !is_quoted;
      else if (c != '\\')
        out += c;
      else if (!escape(out))
        return false;
    }
    return true;
  }

  bool escape(std::string& out) {
    switch (const char c = next()) {
      case '\n':
        return true;  // the value goes on in the next line
      case 't':
        out += '\t';
        return true;
      case 'b':
        out += '\b';
        return true;
      case 'n':
        out += '\n';
        return true;
      case '\\':
      case '"':
        out += c;
        return true;
      default:
        return false;
    }
  }

  /// git's texts end at a NUL byte, as C's do.
  void add(std::string key, std::optional<std::string> value) {
    key.resize(std::min(key.find('\0'), key.size()));
    if (value) value->resize(std::min(value->find('\0'), value->size()));
    out_.settings.push_back({std::move(key), std::move(value)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_past_end_ = false;
  char last_ = '\n';
  std::string section_;
  GitText out_;
};

}  // namespace

GitText read_git_text(std::string_view text) { return TextReader(text).read(); }

bool is_git_key(std::string_view key, std::string_view section, std::string_view name) noexcept {
  return key.size() >= section.size() + name.size() + 1 && key.starts_with(section) && key[section.size()] == '.' &&
         key.ends_with(name) && key[key.size() - name.size() - 1] == '.';
}

}  // namespace lnk::host
