// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_queries.hpp"

#include <algorithm>
#include <array>

namespace lnk::host {
namespace {

constexpr std::uint8_t kEnquiry = 0x05;  // ENQ: the terminal's own answer-back
constexpr std::uint8_t kCancel = 0x18;
constexpr std::uint8_t kSubstitute = 0x1a;
constexpr std::uint8_t kEscape = 0x1b;
constexpr std::uint8_t kBell = 0x07;
constexpr std::uint32_t kNumberMax = 100000;
constexpr std::size_t kNumbersMax = 64;  // terminals take 16 to 32 in one sequence

bool is_one_of(std::string_view set, std::uint8_t byte) { return set.find(static_cast<char>(byte)) != std::string_view::npos; }

/// Numbers of operating system commands (OSC) that no terminal answers: titles, the folder, links, notices, marks.
constexpr std::array<std::uint32_t, 10> kSilentCommands = {0, 1, 2, 7, 8, 9, 133, 633, 777, 3008};

/// Those that are answered only where they hold a ?: colours and the clipboard.
bool answers_a_question(std::uint32_t number) {
  return number == 4 || number == 5 || (number >= 10 && number <= 19) || number == 52 || (number >= 104 && number <= 119);
}

bool is_answered(const ControlSequence& sequence) {
  const auto last = sequence.last;
  const auto number = sequence.numbers.front();
  if (sequence.middle != 0) {
    const bool is_silent = sequence.marker == 0 && ((sequence.middle == ' ' && last == 'q') || (sequence.middle == '!' && last == 'p'));
    return !is_silent;
  }
  switch (sequence.marker) {
    // Window titles are pushed and popped; the rest of t reports.
    case 0: return !is_one_of("@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu", last) && !(last == 't' && (number == 22 || number == 23));
    case '?': return !is_one_of("hlJKrs", last);
    case '>': return !is_one_of("mun", last);
    case '<':
    case '=': return last != 'u';
    default: return true;
  }
}

}  // namespace

bool TerminalQueries::feed(std::string_view bytes) {
  bool found = false;
  for (const char byte : bytes) found = take(static_cast<std::uint8_t>(byte)) || found;
  return found;
}

bool TerminalQueries::take(std::uint8_t byte) {
  // These count wherever they stand: they are carried out within a sequence, or end it.
  if (byte == kEnquiry) return true;
  if (byte == kEscape || byte == kCancel || byte == kSubstitute) {
    state_ = byte == kEscape ? State::Escape : State::Text;
    continuation_ = after_c2_ = 0;
    return false;
  }
  if (byte >= 0x80) return take_high(byte);
  continuation_ = after_c2_ = 0;
  switch (state_) {
    case State::Text: return false;
    case State::Escape: return take_escape(byte);
    case State::EscapeCharset: state_ = State::Text; return false;
    case State::Control: return take_control(byte);
    case State::Command: return take_command(byte);
  }
  return true;
}

/// Part of a character, or a C1 control.
bool TerminalQueries::take_high(std::uint8_t byte) {
  const bool is_continuation = (byte & 0xc0) == 0x80;
  if (is_continuation && continuation_ > 0) {
    --continuation_;
    const bool is_control = after_c2_ != 0 && byte < 0xa0;
    after_c2_ = 0;
    return is_control && begin(static_cast<std::uint8_t>(byte - 0x40));
  }
  after_c2_ = byte == 0xc2 ? 1 : 0;
  continuation_ = 0;
  if (byte >= 0xc2 && byte <= 0xdf) continuation_ = 1;
  if (byte >= 0xe0 && byte <= 0xef) continuation_ = 2;
  if (byte >= 0xf0 && byte <= 0xf4) continuation_ = 3;
  // Alone it is no character, but a terminal that isn't of UTF-8 takes it for a control.
  return byte <= 0x9f && begin(static_cast<std::uint8_t>(byte - 0x40));
}

/// What stands after ESC, or is one C1 control.
bool TerminalQueries::begin(std::uint8_t introducer) {
  state_ = State::Text;
  control_ = {};
  number_ = 0;
  number_is_over_ = false;
  switch (introducer) {
    case '[': state_ = State::Control; return false;
    case ']': state_ = State::Command; return false;
    case 'P':            // a device control string: settings, capabilities, graphics
    case '_':            // an application's: graphics
    case 'Z': return true;  // what are you
    default: return false;
  }
}

bool TerminalQueries::take_escape(std::uint8_t byte) {
  if (is_one_of("()*+-./#% ", byte)) {
    state_ = State::EscapeCharset;
    return false;
  }
  return begin(byte);
}

void TerminalQueries::add_digit(std::uint8_t digit) { number_ = std::min(number_ * 10 + (digit - '0'), kNumberMax); }

void TerminalQueries::next_number() {
  if (control_.numbers.size() == kNumbersMax)
    control_.is_cut = true;
  else
    control_.numbers.push_back(number_);
  number_ = 0;
}

bool TerminalQueries::take_control(std::uint8_t byte) {
  if (byte < 0x20 || byte == 0x7f) return false;
  if (byte >= '0' && byte <= '9') {
    add_digit(byte);
    return false;
  }
  if (byte < 0x30) {
    control_.middle = byte;
    return false;
  }
  if (byte < 0x40) {
    if (byte == ';' || byte == ':')
      next_number();
    else
      control_.marker = byte;
    return false;
  }
  state_ = State::Text;
  next_number();
  control_.last = byte;
  const bool reports = modes_.note(control_);
  return is_answered(control_) || reports;
}

bool TerminalQueries::take_command(std::uint8_t byte) {
  if (byte == kBell) {
    state_ = State::Text;
    return number_is_over_ ? false : command_is_answered(';');
  }
  if (number_is_over_) return command_is_answered(byte);
  if (byte >= '0' && byte <= '9') {
    add_digit(byte);
    return false;
  }
  number_is_over_ = true;
  return command_is_answered(byte);
}

bool TerminalQueries::command_is_answered(std::uint8_t byte) const {
  if (std::find(kSilentCommands.begin(), kSilentCommands.end(), number_) != kSilentCommands.end()) return false;
  return !answers_a_question(number_) || byte == '?';
}

}  // namespace lnk::host
