// SPDX-License-Identifier: Apache-2.0
//
// A program's output, from inside: what a terminal may answer in it is found wherever the bytes are cut, and whatever
// came before.
#include <algorithm>
#include <string>

#include "entry.hpp"
#include "launch/terminal_queries.hpp"

namespace lnk::fuzz {
namespace {

using host::TerminalQueries;

constexpr std::string_view kQueries[] = {"\x05",      "\x1bZ",       "\x1b[c",         "\x1b[6n",          "\x1b[21t",
                                         "\x1b[?1$p", "\x1bP+q\x1b\\", "\x1b]11;?\x07", "\x1b_Ga=q\x1b\\", "\x1b[?u"};

bool is_printed(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

void check(std::string_view input) {
  TerminalQueries whole;
  const bool found = whole.feed(input);
  TerminalQueries cut;
  bool found_cut = false;
  for (const char& byte : input) found_cut = cut.feed({&byte, 1}) || found_cut;
  LNK_HOLDS(found == found_cut);
  LNK_HOLDS(whole.resets() == cut.resets());
  // What turns all off leaves nothing on, and turning one on is never missed.
  TerminalQueries off = whole;
  (void)off.feed(whole.resets());
  LNK_HOLDS(off.resets().find("\x1b[?") == std::string::npos);
  TerminalQueries on = whole;
  (void)on.feed("\x1b[?1004h");
  LNK_HOLDS(on.resets().find("\x1b[?1004l") != std::string::npos);
  if (std::all_of(input.begin(), input.end(), is_printed)) LNK_HOLDS(!found);
  if (input.find('\x05') != std::string_view::npos) LNK_HOLDS(found);
  for (const auto query : kQueries) {
    TerminalQueries after = whole;
    LNK_HOLDS(after.feed(query));
  }
}

}  // namespace lnk::fuzz
