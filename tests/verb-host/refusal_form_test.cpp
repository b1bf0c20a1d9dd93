// SPDX-License-Identifier: Apache-2.0
#include "wire/refusal_form.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using lnk::host::check_refusal_form;
using lnk::host::fill_refusal_form;

BOOST_AUTO_TEST_CASE(a_form_of_refusals_is_a_line_of_json_with_the_words_once) {
  BOOST_TEST(check_refusal_form(R"({"error":{"message":"{words}","code":"{reason}","status":{status}}})").has_value());
  BOOST_TEST(check_refusal_form(R"({"message":"{words}"})").has_value());
  for (const std::string& form : {std::string(), std::string("words"), std::string("{}"), std::string(R"({"a":"{reason}"})"),
                                  std::string(R"({"a":"{words}{words}"})"), std::string("{\"a\":\"{words}\"}\n"),
                                  std::string("{\"\xc3\xa9\":\"{words}\"}"), R"({"a":"{words}")" + std::string(1024, ' ') + "}"})
    BOOST_TEST(!check_refusal_form(form).has_value(), form);
}

BOOST_AUTO_TEST_CASE(what_is_filled_in_stays_in_its_string_and_is_not_filled_again) {
  const std::string_view form = R"({"m":"{words}","r":"{reason}","s":{status}})";
  BOOST_TEST(fill_refusal_form(form, {403, "url-refused", "no"}) == R"({"m":"no","r":"url-refused","s":403})");
  BOOST_TEST(fill_refusal_form(form, {400, "bad-body", "a \"b\" \\ {reason} {words} {status}"}) ==
             R"({"m":"a \"b\" \\ {reason} {words} {status}","r":"bad-body","s":400})");
  BOOST_TEST(fill_refusal_form(form, {400, "bad-body", "a\nb\xc3\xa9"}) == R"({"m":"a?b??","r":"bad-body","s":400})");
}
