// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/spelled.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lnk::host {
namespace {

constexpr std::size_t kNestedMax = 4;        // escapes of escapes; a log of a log is deep already
constexpr std::size_t kBackslashesMax = 15;  // JSON doubles them for each text within a text: 2^4 - 1
constexpr std::size_t kDigitsMax = 7;        // of a character reference; writers pad with zeros

constexpr std::array<std::pair<char, std::string_view>, 5> kNamed = {
    {{'&', "amp;"}, {'<', "lt;"}, {'>', "gt;"}, {'"', "quot;"}, {'\'', "apos;"}}};

bool is_plain(char c) noexcept { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int digit_of(char c, int base) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : base;
  return letter < base ? letter : -1;
}

/// Where the text can go on behind one character, for each way in which the bytes at `at` spell it.
class Character {
 public:
  Character(std::string_view bytes, char character, std::vector<std::size_t>& ends) noexcept
      : bytes_(bytes), character_(character), ends_(ends) {}

  /// False: the bytes ended before a spelling could be told.
  bool read(std::size_t at) {
    if (at >= bytes_.size()) return false;
    is_cut_ = false;
    const char first = bytes_[at];
    if (first == character_ || (first == '+' && character_ == ' ')) end(at + 1);
    if (first == '%') percent(at + 1);
    if (first == '\\') backslash(at);
    if (first == '&') reference(at + 1);
    return !is_cut_;
  }

 private:
  void end(std::size_t at) {
    if (std::find(ends_.begin(), ends_.end(), at) == ends_.end()) ends_.push_back(at);
  }

  /// These digits as the character's number. False: another number, or not whole.
  bool hex(std::size_t at, std::size_t count) {
    const unsigned wanted = static_cast<unsigned char>(character_);
    for (std::size_t left = count; left > 0; --left, ++at) {
      if (at >= bytes_.size()) {
        is_cut_ = true;
        return false;
      }
      const unsigned digit = left > 2 ? 0 : (wanted >> (4 * (left - 1))) & 15U;
      if (digit_of(bytes_[at], 16) != static_cast<int>(digit)) return false;
    }
    return true;
  }

  /// What stands there. False: something else, or not whole.
  bool word(std::size_t at, std::string_view expected) {
    const auto there = bytes_.substr(std::min(at, bytes_.size()), expected.size());
    if (there.size() < expected.size() && expected.starts_with(there)) is_cut_ = true;
    return there == expected;
  }

  void percent(std::size_t at) {
    for (std::size_t nested = 0; nested < kNestedMax; ++nested, at += 2) {
      if (hex(at, 2)) end(at + 2);
      if (!word(at, "25")) return;
    }
  }

  void backslash(std::size_t at) {
    std::size_t count = 0;
    while (count <= kBackslashesMax && at + count < bytes_.size() && bytes_[at + count] == '\\') ++count;
    if (character_ == '\\')
      for (std::size_t used = 2; used <= count; ++used) end(at + used);
    at += count;
    if (at >= bytes_.size()) {
      is_cut_ = count <= kBackslashesMax;
      return;
    }
    if (bytes_[at] == character_ && !is_plain(character_)) end(at + 1);
    if (bytes_[at] == 'u' && hex(at + 1, 4)) end(at + 5);
    if (bytes_[at] == 'x' && hex(at + 1, 2)) end(at + 3);
  }

  void reference(std::size_t at) {
    for (std::size_t nested = 0; nested < kNestedMax; ++nested, at += 4) {
      if (at >= bytes_.size()) is_cut_ = true;
      if (at < bytes_.size() && bytes_[at] == '#') return number(at + 1);
      for (const auto& [character, name] : kNamed)
        if (character == character_ && word(at, name)) end(at + name.size());
      if (!word(at, "amp;")) return;
    }
  }

  void number(std::size_t at) {
    const bool is_hex = at < bytes_.size() && (bytes_[at] == 'x' || bytes_[at] == 'X');
    const int base = is_hex ? 16 : 10;
    at += is_hex ? 1 : 0;
    int value = 0;
    const std::size_t stop = at + kDigitsMax;
    for (; at < bytes_.size() && at < stop && digit_of(bytes_[at], base) >= 0; ++at)
      value = value * base + digit_of(bytes_[at], base);
    if (at >= bytes_.size()) {
      is_cut_ = true;
    } else if (bytes_[at] == ';' && value == static_cast<unsigned char>(character_)) {
      end(at + 1);
    }
  }

  std::string_view bytes_;
  char character_;
  std::vector<std::size_t>& ends_;
  bool is_cut_ = false;
};

bool is_mark(char byte) noexcept { return byte == '%' || byte == '\\' || byte == '&' || byte == '+'; }

}  // namespace

bool may_begin(char byte, char character) noexcept { return byte == character || is_mark(byte); }

Spelled spelled(std::string_view bytes, std::string_view text) {
  std::size_t same = 0;
  // Nearly all that is asked about ends here, with nothing allocated.
  while (same < text.size() && same < bytes.size() && bytes[same] == text[same] && !is_mark(bytes[same])) ++same;
  if (same == text.size()) return Spelled::Whole;
  if (same < bytes.size() && !is_mark(bytes[same])) return Spelled::No;
  std::vector<std::size_t> starts;
  std::vector<std::size_t> ends;
  bool is_cut = !Character(bytes, text[same], starts).read(same);
  for (++same; same < text.size() && !starts.empty(); ++same) {
    ends.clear();
    Character character(bytes, text[same], ends);
    for (const std::size_t at : starts) is_cut = !character.read(at) || is_cut;
    std::swap(starts, ends);
  }
  if (!starts.empty()) return Spelled::Whole;
  return is_cut ? Spelled::Begun : Spelled::No;
}

}  // namespace lnk::host
