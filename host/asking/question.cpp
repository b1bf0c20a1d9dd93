// SPDX-License-Identifier: Apache-2.0
#include "asking/question.hpp"

#include <algorithm>

#include "lnk/cpp/utf8.hpp"
#include "spec/shown.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kNameBytesMax = 128;  // a verb's id and a sandbox's name are shorter

constexpr std::string_view kGoesOn = "| ";
constexpr std::size_t kMarkedColumnsMin = 8;  // in less there is no room for a mark, and nothing that can be read

bool is_url(std::string_view line) { return line.starts_with("http://") || line.starts_with("https://"); }

/// The character at the head of `text`, which is UTF-8.
char32_t first_of(std::string_view text, std::size_t size) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (size == 1) return byte(0);
  char32_t character = byte(0) & (0xFFU >> (size + 1));
  for (std::size_t at = 1; at < size; ++at) character = (character << 6U) | (byte(at) & 0x3FU);
  return character;
}

std::string hex(std::uint32_t value) {
  std::string digits;
  for (; value != 0; value >>= 4U) digits.insert(digits.begin(), "0123456789abcdef"[value & 15U]);
  return digits;
}

}  // namespace

std::string_view word_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::Yes:
      return "yes";
    case Outcome::TimedOut:
      return "timed out";
    case Outcome::No:
      break;
  }
  return "no";
}

Status check_question(const Question& question) {
  if (question.kind.empty() || question.kind.size() > kNameBytesMax || question.wire.size() > kNameBytesMax)
    return fail(Code::Invalid, "a question is of a verb and of a sandbox");
  if (question.title.empty() || question.title.size() > kQuestionTitleBytesMax)
    return fail(Code::Invalid, "a question's title has 1 to " + std::to_string(kQuestionTitleBytesMax) + " bytes");
  if (question.lines.size() > kQuestionLinesMax)
    return fail(Code::Invalid, "a question has at most " + std::to_string(kQuestionLinesMax) + " lines");
  std::size_t bytes = question.title.size();
  bool is_text = is_utf8(question.kind) && is_utf8(question.wire) && is_utf8(question.title);
  for (const auto& line : question.lines) {
    bytes += line.size();
    is_text = is_text && is_utf8(line);
    if (is_url(line) && line.size() > kShownUrlBytesMax)
      return fail(Code::Invalid, "a page's address of more than 32 KiB can't be shown whole");
  }
  if (bytes > kQuestionBytesMax) return fail(Code::Invalid, "a question has at most 4 MiB");
  return is_text ? Status() : fail(Code::Invalid, "a question is UTF-8");
}

std::string ascii_shown(std::string_view text) {
  const std::string escaped = shown(text);
  std::string out;
  for (std::string_view left = escaped; !left.empty();) {
    const std::size_t size = std::max<std::size_t>(utf8_length(left), 1);
    const char32_t character = first_of(left, size);
    if (character < 0x80)
      out += left.front();
    else
      out += "\\u{" + hex(character) + "}";
    left.remove_prefix(size);
  }
  return out;
}

std::string shown_line(std::string_view line) {
  constexpr std::size_t kHalf = kShownLineBytesMax / 2;
  if (is_url(line)) return ascii_shown(line);
  // What is cut is never written out whole: a line may be of MiB.
  constexpr std::size_t kUtf8BytesMax = 4;
  const bool is_long = line.size() > kShownLineBytesMax;
  std::string first = ascii_shown(is_long ? line.substr(0, kHalf + kUtf8BytesMax) : line);
  if (!is_long && first.size() <= kShownLineBytesMax) return first;
  std::string last = is_long ? ascii_shown(line.substr(line.size() - kHalf - kUtf8BytesMax)) : first;
  first.resize(std::min(first.size(), kHalf));
  last.erase(0, last.size() - std::min(last.size(), kHalf));
  return first + " [... cut here, of " + std::to_string(line.size()) + " bytes ...] " + last;
}

std::vector<std::string> rows_of(std::string_view line, std::size_t columns) {
  const std::string_view mark = columns < kMarkedColumnsMin ? std::string_view() : kGoesOn;
  std::vector<std::string> rows = {std::string(line.substr(0, columns))};
  line.remove_prefix(rows.front().size());
  while (!line.empty()) {
    const auto part = line.substr(0, columns - mark.size());
    rows.push_back(std::string(mark) + std::string(part));
    line.remove_prefix(part.size());
  }
  return rows;
}

std::vector<std::string> shown_question(const Question& question, std::size_t equal) {
  std::vector<std::string> out;
  const std::string who = question.wire.empty() ? "A sandbox" : "The sandbox " + ascii_shown(question.wire);
  out.push_back(who + " asks (" + ascii_shown(question.kind) + "):");
  out.push_back(ascii_shown(question.title));
  for (const auto& line : question.lines) out.push_back("  " + shown_line(line));
  if (equal > 1) out.push_back(std::to_string(equal) + " equal calls wait; each answer is for one.");
  return out;
}

}  // namespace lnk::host
