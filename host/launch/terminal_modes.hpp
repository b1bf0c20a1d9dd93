// SPDX-License-Identifier: Apache-2.0
//
// The modes that a program turned on in which a terminal sends by itself what nobody typed (reports of focus, size, colours and the
// mouse) or sends keys in a form that a shell doesn't read, and what turns them off. Pure.
// source: xterm's ctlseqs, "DEC Private Mode Set"; for 2031 and 2048 the "terminal-wg" and kitty documents of those modes; kitty's
// keyboard protocol.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lnk::host {

/// A control sequence as it ended.
struct ControlSequence {
  std::uint8_t marker = 0;  ///< one of < = > ?
  std::uint8_t middle = 0;  ///< its intermediate byte
  std::vector<std::uint32_t> numbers;
  bool is_cut = false;      ///< it had more numbers than are kept
  std::uint8_t last = 0;
};

class TerminalModes {
 public:
  /// Takes one that was carried out. True: the terminal may report at once, since it was asked to report changes.
  bool note(const ControlSequence& sequence);

  /// What turns off all that was left on, with what ends a sequence that was never ended; empty: nothing was.
  [[nodiscard]] std::string resets() const;
  /// What takes the screen from the program for a while, in a state in which the terminal sends nothing but what is typed.
  [[nodiscard]] std::string suspends() const;
  /// What gives it back as it was, as far as that can be.
  [[nodiscard]] std::string resumes() const;
  /// Whether the program draws on the other screen, which `suspends` then clears.
  [[nodiscard]] bool is_on_other_screen() const noexcept { return is_on_other_screen_; }

 private:
  std::set<std::uint32_t> on_;                      ///< private modes
  std::map<std::uint32_t, std::uint32_t> key_options_;  ///< of CSI > … m, with their values
  std::map<std::uint32_t, bool> drawing_;           ///< private modes of drawing, as they were last set
  bool is_on_other_screen_ = false;
  std::uint32_t keyboards_ = 0;          ///< of kitty's, pushed and not popped
  bool sets_keyboard_ = false;
  bool locates_ = false;                 ///< DECELR
};

}  // namespace lnk::host
