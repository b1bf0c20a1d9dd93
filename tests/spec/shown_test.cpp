// SPDX-License-Identifier: Apache-2.0
#include "lnk/cpp/utf8.hpp"
#include "spec/shown.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using lnk::host::quoted;
using lnk::host::shown;

BOOST_AUTO_TEST_SUITE(shown_text)

BOOST_AUTO_TEST_CASE(controls_and_hidden_characters_are_escaped_and_the_rest_stays) {
  BOOST_TEST(shown("plain ~/src [id] é 日本 🙂") == "plain ~/src [id] é 日本 🙂");
  BOOST_TEST(shown("a\nb\tc\rd\\") == "a\\nb\\tc\\rd\\\\");
  BOOST_TEST(shown("\x1b[2J\x07") == "\\x1b[2J\\x07");
  BOOST_TEST(shown(std::string_view("\0", 1)) == "\\x00");
  BOOST_TEST(shown("\x7f") == "\\u{007f}");
  BOOST_TEST(shown("\xC2\x9B"
                   "31m") == "\\u{009b}31m");  // CSI as one character
  BOOST_TEST(shown("a\xE2\x80\xAE"
                   "b") == "a\\u{202e}b");  // right-to-left override
  BOOST_TEST(shown("\xE2\x81\xA6") == "\\u{2066}");
  BOOST_TEST(shown("\xEF\xBB\xBF") == "\\u{feff}");
  BOOST_TEST(shown("\xF3\xA0\x80\x81") == "\\u{e0001}");
}

BOOST_AUTO_TEST_CASE(what_is_not_utf8_is_shown_byte_by_byte) {
  BOOST_TEST(shown("\xFF") == "\\xff");
  BOOST_TEST(shown("\xC0\x80") == "\\xc0\\x80");
  BOOST_TEST(shown("\xE0\x80\x80") == "\\xe0\\x80\\x80");
  BOOST_TEST(shown("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  BOOST_TEST(shown("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  BOOST_TEST(shown("\xE2\x80") == "\\xe2\\x80");
}

BOOST_AUTO_TEST_CASE(a_quoted_text_ends_at_its_own_quote_and_stays_short) {
  BOOST_TEST(quoted("a\"b") == "\"a\\\"b\"");
  BOOST_TEST(quoted("") == "\"\"");
  BOOST_TEST(quoted(std::string(10000, 'x')).size() < 200U);
}

BOOST_AUTO_TEST_CASE(utf8_is_what_rfc_3629_lists) {
  using lnk::is_utf8;
  // Each edge of the table, and what lies just past it.
  for (const std::string_view text : {"", "a\x7f", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEC\xBF\xBF", "\xED\x9F\xBF", "\xEE\x80\x80",
                                      "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF3\xBF\xBF\xBF", "\xF4\x8F\xBF\xBF"})
    BOOST_TEST(is_utf8(text), shown(text));
  for (const std::string_view text : {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xC2\xC0", "\xE0\x9F\xBF", "\xE0\xA0",
                                      "\xE0\xA0\x7F", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82"})
    BOOST_TEST(!is_utf8(text), shown(text));
}

BOOST_AUTO_TEST_SUITE_END()
