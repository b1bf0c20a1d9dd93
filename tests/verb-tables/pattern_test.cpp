// SPDX-License-Identifier: Apache-2.0
#include "verb_tables/pattern.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using lnk::Code;
using lnk::host::Pattern;

BOOST_AUTO_TEST_SUITE(pattern)

BOOST_AUTO_TEST_CASE(a_pattern_is_found_where_it_stands_and_nowhere_else) {
  struct Case {
    std::string_view pattern, found, not_found;
  };
  const Case cases[] = {
      {"b", "abc", "acd"},
      {"^[a-z]+$", "hello", "hello1"},
      {"^a*$", "", "b"},
      {"^(ab|cd)+$", "abcdab", "abc"},
      {"^(?:ab|)c$", "c", "bc"},
      {"^a{2}$", "aa", "aaa"},
      {"^a{2,}$", "aaaa", "a"},
      {"^a{1,3}$", "aaa", "aaaa"},
      {"^a?b$", "b", "aab"},
      {"^\\d{4}-\\d\\d$", "2026-11", "2026-1x"},
      {"^\\w+\\.\\w+$", "a_1.b", "a-1.b"},
      {"^[^/]+$", "a b", "a/b"},
      {"^[\\w.-]+$", "a.b-c", "a b"},
      {"^.$", "ä", "aä"},
      {"^.$", "x", "\n"},
      {"^[à-ü]$", "é", "e"},
      {"\\$\\(", "a$(b", "$b"},
      {"^(a*)*$", "aaa", "b"},
      {"^(a|b){0,2}$", "ab", "aba"},
      {"x$", "ax", "xa"},
      {"^a|b$", "ac", "bc"},
  };
  for (const auto& one : cases) {
    const auto read = Pattern::read(one.pattern);
    BOOST_TEST_CONTEXT(one.pattern) {
      BOOST_REQUIRE(read.has_value());
      BOOST_TEST(read->finds(one.found));
      BOOST_TEST(!read->finds(one.not_found));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_pattern_or_goes_back_is_refused) {
  struct Case {
    std::string_view pattern;
    Code code;
  };
  const Case cases[] = {{"(a", Code::Invalid},         {"a)", Code::Invalid},
                        {"[a", Code::Invalid},         {"*a", Code::Invalid},
                        {"a{2", Code::Invalid},        {"a{3,1}", Code::Invalid},
                        {"[z-a]", Code::Invalid},      {"a\\", Code::Invalid},
                        {"(?=a)", Code::Unsupported},  {"\\bword", Code::Unsupported},
                        {"(a)\\1", Code::Unsupported}, {"a+?", Code::Unsupported},
                        {"a{1001}", Code::Limit},      {"((a{100}){100}){100}", Code::Limit}};
  for (const auto& one : cases) {
    const auto read = Pattern::read(one.pattern);
    BOOST_TEST_CONTEXT(one.pattern) {
      BOOST_REQUIRE(!read.has_value());
      BOOST_TEST((read.error().code == one.code));
      BOOST_TEST(!read.error().text.empty());
    }
  }
  BOOST_TEST(!Pattern::read(std::string(2000, 'a')).has_value());
  BOOST_TEST(!Pattern::read(std::string(100, '(') + "a" + std::string(100, ')')).has_value());
}

/// A reader that goes back takes 2^50 steps for it.
BOOST_AUTO_TEST_CASE(no_text_takes_more_than_its_length_times_the_pattern) {
  const auto read = Pattern::read("^(a+)+$");
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(!read->finds(std::string(50000, 'a') + "b"));
  BOOST_TEST(read->finds(std::string(50000, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()
