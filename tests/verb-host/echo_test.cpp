// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lnk/secret/base64.hpp"
#include "wire/verb/echo_watch.hpp"

using lnk::host::EchoWatch;
using lnk::secret::SecretBytes;

namespace {

const std::string kSecret = "123456:AAF/x+y_z-012345";

EchoWatch watch() {
  EchoWatch made;
  made.add(SecretBytes(kSecret));
  return made;
}

/// What passes of a stream that comes in pieces of one size, and whether it was cut.
struct Passed {
  std::string text;
  bool was_cut = false;
};

Passed pass(const std::string& text, std::size_t piece) {
  auto echo = watch();
  Passed out;
  std::string passed;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!echo.next(text.substr(at, piece), passed)) return {out.text, true};
    out.text += passed;
  }
  out.text += echo.take_held();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_secret_is_found_in_each_encoding_across_pieces) {
  const std::string basic(lnk::secret::base64_encode("user:" + kSecret).reveal());
  const std::string basic2(lnk::secret::base64_encode("x:" + kSecret + ":y").reveal());
  const std::vector<std::string> echoes = {kSecret,
                                           "123456%3AAAF%2Fx%2By_z-012345",
                                           "123456%3aAAF%2fx%2by_z-012345",
                                           "123456:AAF\\/x+y_z-012345",
                                           basic,
                                           basic2,
                                           lnk::secret::base64url_encode(kSecret)};
  for (const auto& echo : echoes) {
    for (std::size_t piece = 1; piece < echo.size() + 3; ++piece) {
      const auto passed = pass("{\"error\":\"" + echo + "\"}", piece);
      BOOST_TEST(passed.was_cut, echo << " in pieces of " << piece);
      // Nothing of it had gone before it was found: neither the whole nor its first half.
      BOOST_TEST(passed.text.find(echo.substr(0, echo.size() / 2)) == std::string::npos, echo << " " << piece);
    }
  }
}

/// The secret with one text in it written otherwise, everywhere.
std::string with(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

BOOST_AUTO_TEST_CASE(a_secret_is_found_however_writers_escape_its_characters) {
  std::string all_json, all_html, all_percent;
  for (const char c : kSecret) {
    const std::string hex = {"0123456789abcdef"[c >> 4], "0123456789ABCDEF"[c & 15]};
    all_json += "\\u00" + hex;
    all_html += "&#x0" + hex + ";";
    all_percent += "%" + hex;
  }
  const std::string basic = with(std::string(lnk::secret::base64_encode("u>?:" + kSecret + "?>~").reveal()), "=", "");
  const std::vector<std::string> echoes = {all_json,
                                           all_html,
                                           all_percent,
                                           with(kSecret, "/", "%2F"),           // one of two, as encodeURI and its kin do
                                           with(kSecret, "+", "\\u002b"),
                                           with(kSecret, "/", "\\\\\\/"),       // JSON within JSON
                                           with(kSecret, "/", "\\\\u002f"),
                                           with(kSecret, "/", "\\x2F"),
                                           with(kSecret, "+", "&#43;"),
                                           with(kSecret, "+", "&#0043;"),
                                           with(kSecret, "+", "&amp;#43;"),
                                           with(kSecret, ":", "%253A"),
                                           with(kSecret, ":", "%25253a"),
                                           with(with(kSecret, "/", "\\/"), "+", "%2b"),
                                           with(with(with(basic, "+", "%2B"), "/", "%2F"), "=", "%3D"),
                                           with(basic, "/", "\\/"),
                                           with(basic, "A", "&#65;")};
  for (const auto& echo : echoes) {
    for (std::size_t piece = 1; piece < echo.size() + 3; ++piece) {
      const auto passed = pass("{\"error\":\"" + echo + "\"}", piece);
      BOOST_TEST(passed.was_cut, echo << " in pieces of " << piece);
      BOOST_TEST(passed.text.find(echo.substr(echo.size() / 4, echo.size() / 2)) == std::string::npos, echo << " " << piece);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_secret_of_marks_is_found_as_itself_and_escaped) {
  const std::string marks = "\\\\%2F&amp;<>\"' %25+&\\";
  const auto finds = [&marks](const std::string& text) {
    EchoWatch echo;
    echo.add(SecretBytes(marks));
    return echo.is_in("x" + text + "y");
  };
  BOOST_TEST(finds(marks));
  BOOST_TEST(finds(with(marks, "\\", "\\\\")));
  BOOST_TEST(finds(with(marks, "\"", "\\\"")));
  BOOST_TEST(finds(with(with(marks, "%", "%25"), " ", "+")));
  BOOST_TEST(finds(with(with(with(with(with(marks, "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\"", "&quot;"), "'", "&apos;")));
  BOOST_TEST(!finds(marks.substr(0, marks.size() - 1)));
  BOOST_TEST(!finds(with(marks, "<", "&gt;")));
}

BOOST_AUTO_TEST_CASE(what_is_no_secret_passes_whole) {
  const std::vector<std::string> texts = {"",
                                          "hello",
                                          kSecret.substr(0, kSecret.size() - 1),
                                          "123456:123456:AAF/",
                                          kSecret.substr(1),
                                          std::string(5000, '1') + "123456:AAF/x+y_z-01234",
                                          with(kSecret, "/", "%2E"),
                                          with(kSecret, "/", "\\u002e"),
                                          with(kSecret, "/", "&#46;"),
                                          with(kSecret, "/", "&#47 "),
                                          with(kSecret, "A", "\\A"),  // no writer's
                                          with(kSecret, "/", std::string(40, '\\') + "/"),
                                          "100%", "a\\", "a&", "a&am", "a&#", "%31%32%33%34%35%36%3", std::string(300, '\\'),
                                          std::string(300, '%'), std::string(300, '&'), "&#00000000049;"};
  for (const auto& text : texts) {
    for (const std::size_t piece : {1U, 2U, 7U, 64U, 10'000U}) {
      const auto passed = pass(text, piece);
      BOOST_TEST(!passed.was_cut);
      BOOST_TEST(passed.text == text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_whole_goes_on_at_once) {
  auto echo = watch();
  std::string passed;
  BOOST_TEST(echo.next("data: {\"a\":1}\n\n", passed));
  BOOST_TEST(passed == "data: {\"a\":1}\n\n");
  BOOST_TEST(echo.next("data: {\"b\"", passed));
  BOOST_TEST(passed.empty());
  BOOST_TEST(echo.next(":2}\n\nda", passed));
  BOOST_TEST(passed == "data: {\"b\":2}\n\n");
  BOOST_TEST(echo.next("t\xc3\xa4x", passed));
  BOOST_TEST(passed == "dat\xc3\xa4");
  BOOST_TEST(echo.take_held() == "x");
}

BOOST_AUTO_TEST_CASE(what_is_held_back_does_not_tell_a_right_guess_from_a_wrong_one) {
  const auto sizes = [](const std::string& guess) {
    auto echo = watch();
    std::vector<std::size_t> told;
    for (const std::string& piece : {"{\"a\":\n\"" + guess, std::string(20000, 'x') + guess, std::string(70000, 'x') + guess}) {
      std::string passed;
      BOOST_TEST(echo.next(piece, passed));
      told.push_back(passed.size());
    }
    return told;
  };
  for (std::size_t right = 1; right < kSecret.size(); ++right) {
    const auto guess = kSecret.substr(0, right);
    BOOST_TEST(sizes(guess) == sizes(std::string(right, 'q')), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_spelling_too_long_to_be_held_is_cut_before_its_end) {
  const std::string value(4096, 'v');
  EchoWatch echo;
  echo.add(SecretBytes(value));
  std::string spelled;
  for (int turn = 0; turn < 4000; ++turn) spelled += "&amp;amp;amp;#x0000076;";
  std::string passed;
  BOOST_TEST(!echo.next(spelled, passed));
  BOOST_TEST(passed.empty());
}

BOOST_AUTO_TEST_CASE(a_whole_text_is_looked_through) {
  const auto echo = watch();
  BOOST_TEST(echo.is_in("https://api.telegram.org/bot" + kSecret + "/getMe"));
  BOOST_TEST(!echo.is_in("https://api.telegram.org/bot123456:other/getMe"));
  BOOST_TEST(EchoWatch().is_empty());
  BOOST_TEST(!EchoWatch().is_in("anything"));
}
