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

BOOST_AUTO_TEST_CASE(what_is_no_secret_passes_whole) {
  const std::vector<std::string> texts = {"",
                                          "hello",
                                          kSecret.substr(0, kSecret.size() - 1),
                                          "123456:123456:AAF/",
                                          kSecret.substr(1),
                                          std::string(5000, '1') + "123456:AAF/x+y_z-01234"};
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
