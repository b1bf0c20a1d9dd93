// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "verb_tables/schema.hpp"

using lnk::host::Opens;
using lnk::host::TableFindings;
using lnk::host::TableSchema;

namespace {

TableFindings held(std::string_view schema, std::string_view table) {
  const auto read = TableSchema::read(schema);
  BOOST_REQUIRE_MESSAGE(read.has_value(), schema << ": " << (read ? "" : read.error().text));
  return read->check(table);
}

std::string faults(const TableFindings& found) {
  std::string out;
  for (const auto& fault : found.faults) out += (out.empty() ? "" : "\n") + fault.path + " " + fault.words;
  return out;
}

/// A schema of one key, x.
std::string of_x(std::string_view schema) { return R"({"properties":{"x":)" + std::string(schema) + "}}"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(each_keyword_takes_what_fits_and_says_what_does_not) {
  struct Case {
    std::string_view schema, fits, misfit, words;
  };
  const Case cases[] = {
      {R"({"type":"string"})", R"("a")", "1", "/x is a number, and a string is wanted"},
      {R"({"type":["string","integer"]})", "1", "1.5", "/x is a number with a fraction, and a string or a whole number is wanted"},
      {R"({"type":"integer"})", "2.0", "true", "/x is true or false, and a whole number is wanted"},
      {R"({"type":"number"})", "2.5", "[]", "/x is a list, and a number is wanted"},
      {R"({"type":"array"})", "[]", "{}", "/x is a table, and a list is wanted"},
      {R"({"enum":["a",2]})", "2", R"("b")", "/x is \"b\", and one of \"a\", 2 is taken"},
      {R"({"const":1})", "1", "2", "/x is 2, and only 1 is taken"},
      {R"({"minimum":1})", "1", "0", "/x is 0, and at least 1 is wanted"},
      {R"({"maximum":9})", "9", "10", "/x is 10, and at most 9 is wanted"},
      {R"({"exclusiveMinimum":1})", "2", "1", "/x is 1, and more than 1 is wanted"},
      {R"({"exclusiveMaximum":9})", "8", "9", "/x is 9, and less than 9 is wanted"},
      {R"({"minLength":2})", R"("äö")", R"("ä")", "/x has 1 characters, and at least 2 are wanted"},
      {R"({"maxLength":2})", R"("äö")", R"("abc")", "/x has 3 characters, and at most 2 are taken"},
      {R"({"pattern":"^a"})", R"("ab")", R"("b")", "/x is \"b\", which isn't of the form \"^a\""},
      {R"({"minItems":1})", "[1]", "[]", "/x has 0 items, and at least 1 are wanted"},
      {R"({"maxItems":1})", "[1]", "[1,2]", "/x has 2 items, and at most 1 are taken"},
      {R"({"uniqueItems":true})", "[1,2]", "[1,2,1]", "/x/2 is in the list already"},
      {R"({"items":{"type":"string"}})", R"(["a"])", R"(["a",1])", "/x/1 is a number, and a string is wanted"},
      {R"({"minProperties":1})", R"({"a":1})", "{}", "/x has 0 keys, and at least 1 are wanted"},
      {R"({"maxProperties":0})", "{}", R"({"a":1})", "/x has 1 keys, and at most 0 are taken"},
      {R"({"required":["a"]})", R"({"a":1})", "{}", "/x lacks the key \"a\""},
      {R"({"additionalProperties":false,"properties":{"a":true}})", R"({"a":1})", R"({"b/c":1})", "/x/b~1c is a key that the verb doesn't know"},
      {R"({"additionalProperties":{"type":"string"}})", R"({"a":"b"})", R"({"a":1})", "/x/a is a number, and a string is wanted"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "null", "1", "/x is 1, which fits none of the forms that are taken"},
      {R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "1", "2", "/x is 2, which fits more than one of the forms that are taken"},
      {R"({"allOf":[{"minimum":1},{"maximum":2}]})", "2", "3", "/x is 3, and at most 2 is wanted"},
      {R"({"not":{"type":"string"}})", "1", R"("a")", "/x is \"a\", which is of the form that isn't taken"},
      {"true", "1", "", ""},
  };
  for (const auto& one : cases) {
    BOOST_TEST_CONTEXT(one.schema) {
      BOOST_TEST(faults(held(of_x(one.schema), R"({"x":)" + std::string(one.fits) + "}")) == "");
      if (!one.misfit.empty()) BOOST_TEST(faults(held(of_x(one.schema), R"({"x":)" + std::string(one.misfit) + "}")) == one.words);
    }
  }
  BOOST_TEST(faults(held(of_x("false"), R"({"x":1})")) == "/x is not taken here");
}

BOOST_AUTO_TEST_CASE(every_fault_is_told) {
  const auto found = held(R"({"properties":{"a":{"type":"string"},"b":{"minimum":5}},"required":["c"],"additionalProperties":false})",
                          R"({"a":1,"b":2,"d":3})");
  BOOST_TEST(found.faults.size() == 4U);
}

BOOST_AUTO_TEST_CASE(values_are_marked_by_their_format) {
  const auto found = held(R"({"properties":{"h":{"type":"array","items":{"$ref":"#/$defs/host"}},
                                            "p":{"type":"integer","format":"lnk-inside-port"},"n":{"type":"string"}},
                             "$defs":{"host":{"type":"string","format":"lnk-host"}}})",
                          R"({"h":["a.com","b.com:8443"],"p":8080,"n":"c.com"})");
  BOOST_TEST(faults(found) == "");
  BOOST_REQUIRE(found.marked.size() == 3U);
  BOOST_TEST(found.marked[0].text == "a.com");
  BOOST_TEST(found.marked[1].path == "/h/1");
  BOOST_TEST((found.marked[2].opens == Opens::InsidePort));
  BOOST_TEST(found.marked[2].port == 8080);
  BOOST_TEST(faults(held(of_x(R"({"type":"integer","format":"lnk-inside-port"})"), R"({"x":65536})")) ==
             "/x is 65536, which is no port; ports go from 1 to 65535");
}

BOOST_AUTO_TEST_CASE(a_schema_that_cannot_be_held_is_refused_in_words) {
  struct Case {
    std::string_view schema, words;
  };
  const Case cases[] = {
      {"{", "it is not JSON"},
      {"[]", "at its top: a schema is an object, true or false"},
      {R"({"if":{}})", "the keyword \"if\" isn't held here"},
      {R"({"type":"text"})", "at /type: names a type that JSON Schema doesn't have"},
      {R"({"properties":{"a":{"type":[]}}})", "at /properties/a/type: names no type"},
      {R"({"$ref":"https://example.com/schema"})", "nothing is fetched"},
      {R"({"$ref":"#/properties/a"})", "nothing is fetched"},
      {R"({"$ref":"#/$defs/a"})", "names \"a\", which $defs doesn't have"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}})", "leads back to itself"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}})", "leads back to itself"},
      {R"({"format":"email"})", "at /format: is neither"},
      {R"({"properties":{"a":{"format":"lnk-host"}}})", "at /properties/a: lnk-host is the format of a string"},
      {R"({"type":"number","format":"lnk-inside-port"})", "lnk-inside-port is the format of a whole number"},
      {R"({"anyOf":[{"properties":{"a":{"type":"string","format":"lnk-host"}}}]})", "below anyOf, oneOf or not"},
      {R"({"not":{"items":{"$ref":"#/$defs/h"}},"$defs":{"h":{"type":"string","format":"lnk-host"}}})", "below anyOf, oneOf or not"},
      {R"({"pattern":"("})", "at /pattern: the pattern \"(\" can't be held"},
      {R"({"minLength":-1})", "at /minLength: is no whole number"},
      {R"({"minimum":"1"})", "at /minimum: is no number"},
      {R"({"required":[1]})", "at /required: holds what is no string"},
      {R"({"allOf":[]})", "at /allOf: is no list of schemas"},
      {R"({"enum":[]})", "at /enum: is no list of values"},
  };
  for (const auto& one : cases) {
    const auto read = TableSchema::read(one.schema);
    BOOST_TEST_CONTEXT(one.schema) {
      BOOST_REQUIRE(!read.has_value());
      BOOST_TEST(read.error().text.find(one.words) != std::string::npos, read.error().text);
    }
  }
  BOOST_TEST(!TableSchema::read(R"({"title":")" + std::string(40000, 'a') + "\"}").has_value());
}

BOOST_AUTO_TEST_CASE(a_schema_may_lead_back_to_itself_deeper_in_the_table) {
  constexpr std::string_view kTree = R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},
                                      "additionalProperties":false}}})";
  BOOST_TEST(faults(held(kTree, R"({"next":{"next":{}}})")) == "");
  BOOST_TEST(faults(held(kTree, R"({"next":{"next":{"n":1}}})")) == "/next/next/n is a key that the verb doesn't know");
}

/// Each level is held twice by the one above: 2^40 steps.
BOOST_AUTO_TEST_CASE(what_takes_too_long_does_not_fit) {
  std::string defs;
  for (int i = 0; i < 40; ++i)
    defs += "\"d" + std::to_string(i) + R"(":{"oneOf":[{"$ref":"#/$defs/d)" + std::to_string(i + 1) + R"("},{"$ref":"#/$defs/d)" +
            std::to_string(i + 1) + "\"}]},";
  const auto found = held(R"({"$ref":"#/$defs/d0","$defs":{)" + defs + R"("d40":{"type":"object"}}})", "{}");
  BOOST_TEST(!found.faults.empty());
  BOOST_TEST(faults(found).find("reasonable time") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_no_table_is_a_fault) {
  BOOST_TEST(faults(held("true", "[]")) == " is no table");
  BOOST_TEST(held("true", "{").faults.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
