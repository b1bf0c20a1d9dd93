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

BOOST_AUTO_TEST_CASE(nothing_is_held_back_that_could_not_begin_a_secret) {
  auto echo = watch();
  std::string passed;
  BOOST_TEST(echo.next("data: {\"a\":1}\n\n", passed));
  BOOST_TEST(passed == "data: {\"a\":1}\n\n");
  BOOST_TEST(echo.next("a\\n100%4 &lt; \\u00", passed));
  BOOST_TEST(passed == "a\\n100%4 &lt; ");
  BOOST_TEST(echo.next("e9 ", passed));
  BOOST_TEST(passed == "\\u00e9 ");
  BOOST_TEST(echo.next("x123456:A", passed));
  BOOST_TEST(passed == "x");
  BOOST_TEST(echo.next("B", passed));
  BOOST_TEST(passed == "123456:AB");
}

BOOST_AUTO_TEST_CASE(a_whole_text_is_looked_through) {
  const auto echo = watch();
  BOOST_TEST(echo.is_in("https://api.telegram.org/bot" + kSecret + "/getMe"));
  BOOST_TEST(!echo.is_in("https://api.telegram.org/bot123456:other/getMe"));
  BOOST_TEST(EchoWatch().is_empty());
  BOOST_TEST(!EchoWatch().is_in("anything"));
}
