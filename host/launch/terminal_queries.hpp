// SPDX-License-Identifier: Apache-2.0
//
// What in a program's output a terminal may answer, as if the answer were typed: left in the input, it lands in the
// shell's prompt. Pure. Takes the terminal for one of UTF-8. Sequences that are known to be silent are listed; what is
// not known may be answered. source: ECMA-48, xterm's ctlseqs, kitty's and iTerm2's extensions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "launch/terminal_modes.hpp"

namespace lnk::host {

class TerminalQueries {
 public:
  /// Takes the next bytes, cut anywhere. True: the terminal may answer something that ends in them.
  [[nodiscard]] bool feed(std::string_view bytes);

  /// What turns off the modes that were left on in which the terminal sends by itself; empty: none were.
  [[nodiscard]] std::string resets() const { return modes_.resets(); }
  [[nodiscard]] const TerminalModes& modes() const noexcept { return modes_; }

 private:
  enum class State { Text, Escape, EscapeCharset, Control, Command };

  bool take(std::uint8_t byte);
  bool take_high(std::uint8_t byte);
  bool take_escape(std::uint8_t byte);
  bool take_control(std::uint8_t byte);
  bool take_command(std::uint8_t byte);
  bool begin(std::uint8_t introducer);
  void add_digit(std::uint8_t digit);
  void next_number();
  [[nodiscard]] bool command_is_answered(std::uint8_t byte) const;

  State state_ = State::Text;
  std::uint8_t after_c2_ = 0;      // the byte before was 0xC2, with which UTF-8 writes the C1 controls
  std::uint8_t continuation_ = 0;  // bytes that a UTF-8 character still needs
  std::uint32_t number_ = 0;       // that is being read: one of a control sequence's, or a command's
  bool number_is_over_ = false;    // a command's
  ControlSequence control_;
  TerminalModes modes_;
};

}  // namespace lnk::host
