// SPDX-License-Identifier: Apache-2.0
//
// A question on the person's terminal: how it is drawn, and what of the typed bytes is an answer. A code that only the
// terminal shows, typed back, is a yes; all else is no. What a terminal sends by itself begins with ESC and counts as
// nothing. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

inline constexpr std::size_t kTypedCodeLetters = 4;

struct TerminalSize {
  std::size_t rows;     ///< 0: not known
  std::size_t columns;  ///< likewise
};

class TerminalQuestion {
 public:
  enum class Typed { Nothing, Yes, No, Stop };

  /// `lines`: printable ASCII
  TerminalQuestion(std::vector<std::string> lines, std::string code)
      : lines_(std::move(lines)), code_(std::move(code)) {}

  /// Clears the screen and draws the first page of as many as the size needs.
  [[nodiscard]] std::string draw(TerminalSize size);
  /// Takes typed bytes, cut anywhere. What is to be drawn for them is added to `drawn`. Stop: Ctrl-Z.
  [[nodiscard]] Typed feed(std::string_view bytes, std::string& drawn);

 private:
  enum class State { Text, Escape, Control, String, StringEscape };

  [[nodiscard]] std::string page() const;
  [[nodiscard]] bool is_last_page() const { return page_ + 1 >= pages_.size(); }
  [[nodiscard]] Typed take(unsigned char byte, std::string& drawn);
  [[nodiscard]] Typed take_text(unsigned char byte, std::string& drawn);
  [[nodiscard]] Typed enter(std::string& drawn);

  std::vector<std::string> lines_;
  std::string code_;
  std::vector<std::vector<std::string>> pages_;
  std::size_t page_ = 0;
  std::string typed_;
  State state_ = State::Text;
};

}  // namespace lnk::host
