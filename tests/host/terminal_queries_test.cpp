// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_queries.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

namespace {

using lnk::host::TerminalQueries;

constexpr std::string_view kSilent[] = {
    "plain text with a question? and c n x",
    "\xc3\xa9 \xc4\x9b \xf0\x9f\x98\x80 \xc4\x90",  // é ě 😀 Đ: their bytes are C1 controls where they stand alone
    "\x1b[1;31mred\x1b[0m",
    "\x1b[38:2::1:2:3m",
    "\x1b[2J\x1b[H\x1b[10;20H\x1b[K",
    "\x1b[?25l\x1b[?1049h\x1b[?2004h",
    "\x1b[22;2t\x1b[23;2t",
    "\x1b[2 q\x1b[!p",
    "\x1b[>4;2m\x1b[>1u\x1b[<u\x1b[=1;1u",
    "\x1b(B\x1b)0\x1b#8\x1b%G",
    "\x1b" "7\x1b" "8\x1b=\x1b>\x1bM\x1b" "c",
    "\x1b]0;a title?\x07",
    "\x1b]8;;https://example.com/?a=1\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;d29yZHM=\x07",
    "\x1b]11;#000000\x07",
    "\x1b[\x18" "6n",  // cut short
};

constexpr std::string_view kAnswered[] = {
    "\x05",
    "\x1bZ",
    "\x1b[c", "\x1b[0c", "\x1b[>c", "\x1b[=c", "\x1b[>q",
    "\x1b[5n", "\x1b[6n", "\x1b[?6n", "\x1b[?996n",
    "\x1b[?2026$p", "\x1b[4$p", "\x1b[1$w", "\x1b[x",
    "\x1b[18t", "\x1b[21t", "\x1b[t",
    "\x1b[?u", "\x1b[?1;1S",
    "\x1bP$qm\x1b\\", "\x1bP+q544e\x1b\\",
    "\x1b_Gi=1,a=q;AAAA\x1b\\",
    "\x1b]11;?\x1b\\", "\x1b]4;1;?\x07", "\x1b]52;c;?\x07", "\x1b]1337;ReportCellSize\x07", "\x1b]1337\x07",
    "\xc2\x9b" "6n", "\x9b" "6n", "\xc2\x9a",
    "\x1b[6\x05", "\x1b[\n6n",
    "\x1b]0;title\xc2\x9c\xc2\x9b" "21t",
    "\x1b]0;never ended\x1b[c",
    "\x1b[1;2\x1b[c",
    "\xc4\x1b[c",
};

bool is_answered(std::string_view bytes) { return TerminalQueries().feed(bytes); }

}  // namespace

BOOST_AUTO_TEST_SUITE(terminal_queries)

BOOST_AUTO_TEST_CASE(what_a_terminal_only_carries_out_is_silent) {
  for (const auto bytes : kSilent) BOOST_TEST(!is_answered(bytes), bytes.substr(1));
}

BOOST_AUTO_TEST_CASE(what_a_terminal_may_answer_is_found) {
  for (const auto bytes : kAnswered) BOOST_TEST(is_answered(bytes), bytes.substr(1));
}

BOOST_AUTO_TEST_CASE(it_is_found_wherever_it_is_cut) {
  for (const auto bytes : kAnswered) {
    TerminalQueries queries;
    bool found = false;
    for (const char& byte : bytes) found = queries.feed({&byte, 1}) || found;
    BOOST_TEST(found, bytes.substr(1));
  }
}

BOOST_AUTO_TEST_CASE(modes_in_which_a_terminal_sends_by_itself_are_turned_off_where_they_were_left_on) {
  struct Case {
    std::string_view bytes;
    std::string_view off;
  };
  using namespace std::string_view_literals;
  constexpr Case kCases[] = {
      {"plain \x1b[1;31m \x1b[?25l\x1b[?1049h\x1b[?7l", ""},
      {"\x1b[?1004h", "\x1b\\\x1b[?1004l"},
      {"\x1b[?1004h\x1b[?1004l", ""},
      {"\x1b[?25;1002;1006h", "\x1b\\\x1b[?1002l\x1b[?1006l"},
      {"\x1b[?1002;1006h\x1b[?1006l", "\x1b\\\x1b[?1002l"},
      {"\x1b[?2048h", "\x1b\\\x1b[?2048l"},
      {"\xc2\x9b?2004h", "\x1b\\\x1b[?2004l"},
      {"\x9b?2004h", "\x1b\\\x1b[?2004l"},
      {"\x1b[?2031r", "\x1b\\\x1b[?2031l"},
      {"\x1b[?1\n004h", "\x1b\\\x1b[?1004l"},  // a control within a sequence
      {"\x1b[4h\x1b[1004h", ""},
      {"\x1b[?1004", ""},
      {"\x1b]0;\x1b[?1004h", "\x1b\\\x1b[?1004l"},
      {"\x1b[>4;2m", "\x1b\\\x1b[>4m"},
      {"\x1b[>1u\x1b[>5u", "\x1b\\\x1b[<2u"},
      {"\x1b[>1u\x1b[<u", ""},
      {"\x1b[=1;1u", "\x1b\\\x1b[=0u"},
      {"\x1b[1;2'z", "\x1b\\\x1b[0'z"},
  };
  for (const auto& each : kCases) {
    TerminalQueries queries;
    for (const char& byte : each.bytes) (void)queries.feed({&byte, 1});
    BOOST_TEST(queries.resets() == each.off, each.bytes.substr(1));
  }
  // More than is kept: all that it may have been.
  std::string many = "\x1b[?";
  for (int i = 0; i < 100; ++i) many += "7;";
  TerminalQueries queries;
  BOOST_TEST(queries.feed(many + "1004h"));
  BOOST_TEST(queries.resets().find("?1004l") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_reports_at_once_is_waited_for) {
  for (const auto bytes : {"\x1b[?2048h", "\x1b[?1004h", "\x1b[?25;2031h"}) BOOST_TEST(is_answered(bytes));
  for (const auto bytes : {"\x1b[?2048l", "\x1b[?1000h"}) BOOST_TEST(!is_answered(bytes));
}

BOOST_AUTO_TEST_SUITE_END()
