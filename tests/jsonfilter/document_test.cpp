// SPDX-License-Identifier: Apache-2.0
#include "lnk/jsonfilter/document.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

using lnk::jsonfilter::Document;
using lnk::jsonfilter::Item;
using lnk::jsonfilter::Limits;
using lnk::jsonfilter::parse;
using lnk::jsonfilter::Value;

namespace {

std::string written(std::string_view text, const Limits& limits = {}) {
  auto document = parse(text, limits);
  return document ? lnk::jsonfilter::write(document->root()) : "refused: " + document.error().text;
}

bool is_refused(std::string_view text) { return written(text).starts_with("refused: "); }

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_keeps_the_order_of_keys_and_the_text_of_numbers) {
  for (const std::string_view text :
       {R"({"b":1,"a":[1.0,1e2,-0,0.10,123456789012345678901234567890,1E400,-1.5e-300,1e+5],"c":{"d":null,"":true,"e":false}})",
        "[]", "{}", "1", "0.1000", "\"x\"", "null", "[[],{},[{}]]", R"([9007199254740993,18446744073709551616,-9223372036854775809])"})
    BOOST_TEST(written(text) == text);
  BOOST_TEST(written(" { \"a\" :\t[ 1 ,\r\n2 ] } ") == R"({"a":[1,2]})");
}

BOOST_AUTO_TEST_CASE(a_string_is_decoded_and_written_in_one_way) {
  BOOST_TEST(written(R"("\u0061\/\u00e9\ud83d\ude00")") == "\"a/\u00e9\U0001f600\"");
  BOOST_TEST(written(R"(["\"\\\b\f\n\r\t\u0000\u001F\u007f"])") == "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"]");
  const std::string long_text = std::string(5000, 'a') + R"(\n)" + std::string(5000, 'b') + R"(\u0041)" + std::string(3000, 'c');
  BOOST_TEST(written('"' + long_text + '"') == '"' + std::string(5000, 'a') + "\\n" + std::string(5000, 'b') + 'A' + std::string(3000, 'c') + '"');
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string text = '"' + std::string(before, 'x') + R"(\"\u0001)" + std::string(19 - before, '\x7f') + "\u00e9\"";
    BOOST_TEST(written(text) == text);
  }
}

BOOST_AUTO_TEST_CASE(what_two_readers_could_read_differently_is_refused) {
  const std::string nul("[\"\0\"]", 5);
  for (const std::string_view text : std::initializer_list<std::string_view>{
           "", " ", "\xef\xbb\xbf{}", "{} x", "{}{}", "[1,]", "{\"a\":1,}", "[1 2]", "{a:1}", "{'a':1}", "[NaN]", "[Infinity]",
           "[-Infinity]", "[nan]", "// x\n{}", "{}/**/", "[/**/1]", "[01]", "[+1]", "[.5]", "[1.]", "[0x10]", "[1e]", "[- 1]",
           "[\"\x80\"]", "[\"\xc0\xaf\"]", "[\"\xed\xa0\x80\"]", "[\"\xf5\x80\x80\x80\"]", "[\"\xe2\x82\"]", R"(["\ud800"])",
           R"(["\udc00"])", R"(["\ud800\u0041"])", R"(["\ud800\ud800"])", R"(["\x41"])", R"(["\u00g1"])", "[\"\t\"]", "[\"\n\"]", nul, "[", "\"",
           "{\"a\"}", "{\"a\":}", "tru", "[true false]", "\x0b[]", "[]\x0c", "\xa0[]"})
    BOOST_TEST(is_refused(text), text);
}

BOOST_AUTO_TEST_CASE(a_key_twice_is_refused_however_it_is_spelled) {
  BOOST_TEST(written(R"({"tools":1,"tools":2})") == "refused: has the key 'tools' twice");
  BOOST_TEST(written(R"({"tools":1,"\u0074ools":2})") == "refused: has the key 'tools' twice");
  BOOST_TEST(written(R"([{"x":{"a":{},"b":1,"\u0061":[]}}])") == "refused: has the key 'a' twice");
  BOOST_TEST(written("{\"\u00e9\":1,\"\\u00e9\":2}") == "refused: has a key twice");
  BOOST_TEST(written(R"({"":1,"":2})") == "refused: has a key twice");
  BOOST_TEST(written(R"({"a":{"a":{"a":1}},"A":2})") == R"({"a":{"a":{"a":1}},"A":2})");
  std::string many = "{";
  for (int i = 0; i < 500; ++i) many += "\"k" + std::to_string(i) + "\":1,";
  BOOST_TEST(!is_refused(many + "\"k\":1}"));
  BOOST_TEST(written(many + "\"k250\":1}") == "refused: has the key 'k250' twice");
}

BOOST_AUTO_TEST_CASE(depth_values_and_size_have_limits) {
  BOOST_TEST(!is_refused(nested(64)));
  BOOST_TEST(written(nested(65)) == "refused: is nested too deep");
  BOOST_TEST(is_refused(std::string(1'000'000, '[')));
  BOOST_TEST(is_refused(std::string(65, '{')));
  const Limits four{64, 4, 100};
  BOOST_TEST(written("[1,2,3]", four) == "[1,2,3]");
  BOOST_TEST(written("[1,2,3,4]", four) == "refused: has too many values");
  BOOST_TEST(written(R"({"a":1,"b":2,"c":3})", four) == R"({"a":1,"b":2,"c":3})");
  BOOST_TEST(written(R"({"a":[],"b":2,"c":{"d":1}})", four) == "refused: has too many values");
  BOOST_TEST(written('"' + std::string(99, 'x') + '"', four) == "refused: is too large");
}

BOOST_AUTO_TEST_CASE(a_document_can_be_changed) {
  auto document = parse(R"({"a":1,"b":[1,2,3],"c":3})");
  BOOST_REQUIRE(document);
  auto& root = document->root();
  root.find("b")->erase_if([](const Item& item) { return item.value.text() == "2"; });
  root.erase_if([](const Item& item) { return item.key == "a"; });
  document->set(root, "c", Value::boolean(false));
  document->set(root, "d", document->make_object({{"type", Value::string("auto")}}));
  BOOST_TEST(lnk::jsonfilter::write(root) == R"({"b":[1,3],"c":false,"d":{"type":"auto"}})");
  BOOST_TEST(root.find("a") == nullptr);
  BOOST_TEST(root.find("c")->find("x") == nullptr);
}
