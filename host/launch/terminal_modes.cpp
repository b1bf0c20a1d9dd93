// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_modes.hpp"

#include <algorithm>
#include <array>

namespace lnk::host {
namespace {

// Mouse: 9 and 1000 to 1003, and the forms of its reports; 1004 focus; 2004 pasted text between marks; 2031 colours; 2048 size; 5522
// pasted data; 9001 keys as Windows has them; 2026 holds back what is drawn.
constexpr std::array<std::uint32_t, 17> kModes = {9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004, 2026, 2031, 2048, 5522, 9001, 1};
constexpr std::array<std::uint32_t, 3> kReportAtOnce = {1004, 2031, 2048};
constexpr std::array<std::uint32_t, 3> kOtherScreen = {47, 1047, 1049};
/// Of drawing: origin, wrapping, the cursor seen, margins at the sides. A question on the screen sets them.
constexpr std::array<std::uint32_t, 4> kDrawing = {6, 7, 25, 69};
constexpr std::uint32_t kKeyOptionsMax = 7;
constexpr std::uint32_t kKeyboardsMax = 1024;

template <class List>
bool holds(const List& list, std::uint32_t number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

}  // namespace

bool TerminalModes::note(const ControlSequence& sequence) {
  const auto& numbers = sequence.numbers;
  const auto first = [&numbers](std::uint32_t otherwise) { return numbers.empty() ? otherwise : numbers.front(); };
  if (sequence.middle == '\'' && sequence.marker == 0 && sequence.last == 'z') locates_ = first(0) != 0;
  if (sequence.middle != 0) return false;
  if (sequence.marker == '>' && sequence.last == 'm' && first(0) <= kKeyOptionsMax) key_options_[first(0)] = numbers.size() > 1 ? numbers[1] : 0;
  if (sequence.last == 'u') {
    if (sequence.marker == '>') keyboards_ = std::min(keyboards_ + 1, kKeyboardsMax);
    if (sequence.marker == '<') keyboards_ -= std::min(keyboards_, std::max<std::uint32_t>(first(1), 1));
    if (sequence.marker == '=') sets_keyboard_ = true;
  }
  if (sequence.marker != '?') return false;
  // What is restored (r) may be on.
  const bool is_set = sequence.last == 'h' || sequence.last == 'r';
  if (!is_set && sequence.last != 'l') return false;
  for (const auto mode : kOtherScreen)
    if (holds(numbers, mode)) is_on_other_screen_ = is_set;
  for (const auto mode : kDrawing)
    if (holds(numbers, mode)) drawing_[mode] = is_set;
  bool reports = false;
  for (const auto mode : kModes) {
    const bool is_named = holds(numbers, mode);
    if (is_set && (is_named || sequence.is_cut)) {
      on_.insert(mode);
      reports = reports || holds(kReportAtOnce, mode);
    }
    if (!is_set && is_named) on_.erase(mode);
  }
  return reports;
}

std::string TerminalModes::resets() const {
  std::string off;
  for (const auto mode : on_) off += "\x1b[?" + std::to_string(mode) + "l";
  for (const auto& [option, value] : key_options_) off += "\x1b[>" + std::to_string(option) + "m";
  if (sets_keyboard_) off += "\x1b[=0u";
  if (keyboards_ > 0) off += "\x1b[<" + std::to_string(keyboards_) + "u";
  if (locates_) off += "\x1b[0'z";
  return off.empty() ? off : "\x1b\\" + off;
}

std::string TerminalModes::suspends() const {
  // First out of what reads none of the rest: VT52's language, and Tektronix's.
  std::string off = "\x18\x1b<\x1b\x03\x18\x1b\\";
  if (!is_on_other_screen_) off += "\x1b[?1049h";
  for (const auto mode : on_) off += "\x1b[?" + std::to_string(mode) + "l";
  for (const auto& [option, value] : key_options_) off += "\x1b[>" + std::to_string(option) + "m";
  // Keys as they always were, on top of whatever the program has set.
  if (sets_keyboard_ || keyboards_ > 0) off += "\x1b[>0u";
  if (locates_) off += "\x1b[0'z";
  return off;
}

std::string TerminalModes::resumes() const {
  std::string on = "\x18\x1b\\\x1b[0m\x1b[H\x1b[2J";
  if (locates_) on += "\x1b[1'z";
  if (sets_keyboard_ || keyboards_ > 0) on += "\x1b[<u";
  for (const auto& [option, value] : key_options_)
    if (value != 0) on += "\x1b[>" + std::to_string(option) + ";" + std::to_string(value) + "m";
  if (!is_on_other_screen_) on += "\x1b[?1049l";
  for (const auto mode : on_) on += "\x1b[?" + std::to_string(mode) + "h";
  for (const auto& [mode, is_set] : drawing_) on += "\x1b[?" + std::to_string(mode) + (is_set ? "h" : "l");
  return on;
}

}  // namespace lnk::host
