// SPDX-License-Identifier: Apache-2.0
//
// By what a tool's definition is known, on both sides.
#include "lnk/mcp/definition.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "lnk/digest/sha256.hpp"

namespace {

std::string canonical_of(std::string_view text) {
  const auto parsed = lnk::jsonfilter::parse(text);
  BOOST_REQUIRE(parsed.has_value());
  return lnk::mcp::canonical(parsed->root());
}

}  // namespace

BOOST_AUTO_TEST_CASE(canonical_json_sorts_keys_by_their_bytes_and_keeps_numbers_as_they_were) {
  BOOST_TEST(canonical_of(R"( {"b" : [1.50, {"z":1,"a":null}], "a":"\u0041\n", "é":true, "B":1e2, "":0} )") ==
             "{\"\":0,\"B\":1e2,\"a\":\"A\\n\",\"b\":[1.50,{\"a\":null,\"z\":1}],\"\u00e9\":true}");
  BOOST_TEST(canonical_of("{}") == "{}");
  BOOST_TEST(canonical_of("[]") == "[]");
}

BOOST_AUTO_TEST_CASE(a_definition_is_known_by_the_sha256_of_that) {
  // source: FIPS 180-4's example of "abc"
  BOOST_TEST(lnk::digest::sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const auto parsed = lnk::jsonfilter::parse(R"({"name":"a","b":1})");
  BOOST_TEST(lnk::mcp::definition_sha256(parsed->root()) == lnk::digest::sha256_hex(R"({"b":1,"name":"a"})"));
}
