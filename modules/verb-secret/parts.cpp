// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include <algorithm>
#include <utility>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_secret {
namespace {

constexpr std::string_view kEnd = "\r\n";
constexpr std::size_t kPartHeadBytesMax = 4096;
constexpr std::size_t kPartFieldsMax = 4;

std::string_view without_blanks(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cuts `end` and what stands before it off the front.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) noexcept {
  const auto at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return taken;
}

/// name="…" or name=…, which nobody unescapes: a quote, a backslash, a % in the field's name are each read in two ways.
std::optional<std::string_view> quoted_value(std::string_view value, bool is_name) noexcept {
  const auto is_odd = [is_name](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"' || c == '\\' || (is_name && (c == '%' || c == '&' || c == ';' || c == '='));
  };
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  } else if (value.empty() || value.find_first_of(" ;,") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::none_of(value.begin(), value.end(), is_odd) ? std::optional(value) : std::nullopt;
}

/// The text up to the ';' that is in no quotes.
std::string_view take_parameter(std::string_view& text) noexcept {
  bool in_quotes = false;
  std::size_t at = 0;
  for (; at < text.size() && (in_quotes || text[at] != ';'); ++at) in_quotes = in_quotes != (text[at] == '"');
  const auto taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return without_blanks(taken);
}

/// form-data; name="…", and filename="…" once where it is a file.
bool read_disposition(std::string_view value, Part& part) noexcept {
  if (!same_folded(take_parameter(value), "form-data")) return false;
  bool has_name = false;
  while (!value.empty()) {
    const auto one = take_parameter(value);
    const auto equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    const auto key = one.substr(0, equals);
    const bool is_name = same_folded(key, "name");
    const auto text = quoted_value(one.substr(equals + 1), is_name);
    if (!text) return false;
    if (is_name && !has_name && !text->empty()) {
      part.name = *text;
      has_name = true;
    } else if (same_folded(key, "filename") && !part.is_file && !text->empty()) {
      part.is_file = true;
    } else {
      return false;
    }
  }
  return has_name;
}

/// A text in another character set than it is read in could be another text to who reads it there.
bool is_utf8_type(std::string_view value) {
  const auto low = folded(value);
  const auto at = low.find("charset");
  if (at == std::string::npos) return true;
  const auto set = low.substr(at);
  return set == "charset=utf-8" || set == "charset=\"utf-8\"";
}

/// Content-Disposition, and Content-Type and Content-Length, which say nothing about what it is to be called.
bool read_part_head(std::string_view head, Part& part) {
  bool has_disposition = false;
  std::size_t fields = 0;
  while (!head.empty()) {
    const auto line = take_until(head, kEnd);
    if (!line || ++fields > kPartFieldsMax) return false;
    const auto colon = line->find(':');
    if (colon == std::string_view::npos || line->find_first_of(std::string_view("\r\n\t\0", 4)) != std::string_view::npos) return false;
    const auto name = line->substr(0, colon);
    if (same_folded(name, "content-disposition") && !has_disposition) {
      has_disposition = true;
      if (!read_disposition(without_blanks(line->substr(colon + 1)), part)) return false;
    } else if (same_folded(name, "content-type")) {
      if (!is_utf8_type(line->substr(colon + 1))) return false;
    } else if (!same_folded(name, "content-length")) {
      return false;
    }
  }
  return has_disposition;
}

}  // namespace

std::optional<std::vector<Part>> read_parts(std::string_view body, const std::string& boundary, std::size_t parts_max) {
  const auto mark = "--" + boundary;
  if (body.starts_with(kEnd)) body.remove_prefix(kEnd.size());  // as some clients begin
  if (!body.starts_with(mark)) return std::nullopt;
  body.remove_prefix(mark.size());
  std::vector<Part> parts;
  while (body.starts_with(kEnd)) {
    body.remove_prefix(kEnd.size());
    // With its last end of line, so that each line of it has one.
    const auto blank = body.substr(0, kPartHeadBytesMax).find("\r\n\r\n");
    if (blank == std::string_view::npos || parts.size() == parts_max) return std::nullopt;
    Part part{{}, false, {}};
    if (!read_part_head(body.substr(0, blank + kEnd.size()), part)) return std::nullopt;
    body.remove_prefix(blank + 2 * kEnd.size());
    const auto content = take_until(body, mark);
    if (!content || !content->ends_with(kEnd)) return std::nullopt;
    part.content = content->substr(0, content->size() - kEnd.size());
    parts.push_back(part);
  }
  if (!body.starts_with("--")) return std::nullopt;
  body.remove_prefix(2);
  if (!body.empty() && body != kEnd) return std::nullopt;
  return parts;
}

}  // namespace lnk::verb_secret
