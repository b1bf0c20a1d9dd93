// SPDX-License-Identifier: Apache-2.0
#include "asking/terminal_question.hpp"

#include <algorithm>
#include <utility>

#include "asking/question.hpp"

namespace lnk::host {
namespace {

constexpr unsigned char kInterrupt = 0x03;
constexpr unsigned char kEndOfFile = 0x04;
constexpr unsigned char kBackspace = 0x08;
constexpr unsigned char kStop = 0x1a;
constexpr unsigned char kEscape = 0x1b;
constexpr unsigned char kBell = 0x07;
constexpr unsigned char kDelete = 0x7f;
constexpr std::size_t kTypedMax = 32;  // more than a code, so that one that only begins with it is none

// What a program can have left that changes what is drawn next: a sequence that wasn't ended, another terminal's language (VT52,
// Tektronix), a status line that is written instead, letters that no clearing takes away (SPA), colours, other character sets, a
// cursor bound to a region, lines that don't wrap, letters pushed aside, margins, a hidden cursor. source: xterm's ctlseqs.
constexpr std::string_view kClean =
    "\x18\x1b<\x1b\x03\x18\x1b\\\x1b[0$}\x1b[0\"q\x1b[0m\x1b(B\x1b)B\x0f\x1b[?6l\x1b[?7h\x1b[4l\x1b[?69l\x1b[r\x1b[?25h\x1b[H"
    "\x1b[2J";

void wrap(std::string_view line, std::size_t columns, std::vector<std::string>& rows) {
  for (auto& row : rows_of(line, columns)) rows.push_back(std::move(row));
}

char folded(unsigned char byte) { return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte); }

}  // namespace

std::string TerminalQuestion::draw(TerminalSize size) {
  const std::size_t columns = size.columns == 0 ? 80 : size.columns;
  const std::size_t rows = size.rows == 0 ? 24 : size.rows;
  std::vector<std::string> body;
  for (const auto& line : lines_) wrap(line, columns, body);
  std::vector<std::string> last;
  // The code in a row of its own, which is never cut.
  for (const std::string& line :
       {std::string(), std::string("To allow it, this once, type these four letters and Enter."),
        std::string("All else is no: another word, an empty line, Ctrl-C, two minutes."), code_})
    wrap(line, columns, last);
  // One row more is what is typed into, and one says which page it is.
  const std::size_t most = std::max<std::size_t>(rows > 2 ? rows - 2 : 1, 1);
  pages_.clear();
  page_ = 0;
  typed_.clear();
  for (auto& row : body) {
    if (pages_.empty() || pages_.back().size() == most) pages_.emplace_back();
    pages_.back().push_back(std::move(row));
  }
  if (pages_.empty() || pages_.back().size() + last.size() > most) pages_.emplace_back();
  pages_.back().insert(pages_.back().end(), last.begin(), last.end());
  return page();
}

std::string TerminalQuestion::page() const {
  std::string text(kClean);
  for (const auto& row : pages_[page_]) text += row + "\r\n";
  if (is_last_page()) return text + "> ";
  return text + "[page " + std::to_string(page_ + 1) + " of " + std::to_string(pages_.size()) +
         ": Enter goes on, Ctrl-C is no] ";
}

TerminalQuestion::Typed TerminalQuestion::feed(std::string_view bytes, std::string& drawn) {
  for (const char byte : bytes)
    if (const auto typed = take(static_cast<unsigned char>(byte), drawn); typed != Typed::Nothing) return typed;
  return Typed::Nothing;
}

TerminalQuestion::Typed TerminalQuestion::take(unsigned char byte, std::string& drawn) {
  // These are no part of what a terminal sends by itself.
  if (byte == kInterrupt || byte == kEndOfFile) return Typed::No;
  if (byte == kStop) return Typed::Stop;
  // Enter ends what a key has begun by chance.
  if (byte == '\r') state_ = State::Text;
  switch (state_) {
    case State::Text:
      if (byte == kEscape)
        state_ = State::Escape;
      else
        return take_text(byte, drawn);
      return Typed::Nothing;
    case State::Escape:
      // CSI, SS3; DCS, SOS, OSC, PM, APC. Another is of two bytes: a key with Alt.
      if (byte == '[' || byte == 'O')
        state_ = State::Control;
      else if (byte == 'P' || byte == 'X' || byte == ']' || byte == '^' || byte == '_')
        state_ = State::String;
      else if (byte != kEscape)
        state_ = State::Text;
      return Typed::Nothing;
    case State::Control:
      if (byte == kEscape)
        state_ = State::Escape;
      else if (byte >= 0x40 && byte <= 0x7e)
        state_ = State::Text;
      return Typed::Nothing;
    case State::String:
      if (byte == kEscape)
        state_ = State::StringEscape;
      else if (byte == kBell)
        state_ = State::Text;
      return Typed::Nothing;
    case State::StringEscape:
      state_ = byte == '\\' ? State::Text : State::String;
      return Typed::Nothing;
  }
  return Typed::Nothing;
}

TerminalQuestion::Typed TerminalQuestion::take_text(unsigned char byte, std::string& drawn) {
  if (byte == '\r' || byte == '\n') return enter(drawn);
  if (!is_last_page()) return Typed::Nothing;
  if (byte == kBackspace || byte == kDelete) {
    if (typed_.empty()) return Typed::Nothing;
    typed_.pop_back();
    drawn += "\b \b";
    return Typed::Nothing;
  }
  if (byte < ' ' || typed_.size() == kTypedMax) return Typed::Nothing;
  typed_ += folded(byte);
  drawn += byte < kDelete ? static_cast<char>(byte) : '?';
  return Typed::Nothing;
}

TerminalQuestion::Typed TerminalQuestion::enter(std::string& drawn) {
  if (is_last_page()) return typed_ == code_ ? Typed::Yes : Typed::No;
  ++page_;
  drawn += page();
  return Typed::Nothing;
}

}  // namespace lnk::host
