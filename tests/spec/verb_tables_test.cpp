// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "errors_of.hpp"

using lnk::host::Os;
using lnk::host::Position;
using lnk::test::errors_of;

BOOST_AUTO_TEST_SUITE(verb_tables)

BOOST_AUTO_TEST_CASE(a_table_is_kept_as_canonical_json_with_the_place_of_each_value) {
  const auto read = lnk::host::parse_spec("[verb.a]\nz = [1, { k = \"v\" }]\n\"b/c~d\" = 0.5\n[verb.b]\n", "s", Os::Linux);
  BOOST_REQUIRE(read.ok());
  BOOST_REQUIRE(read.spec.verbs.size() == 2U);
  const auto& table = read.spec.verbs.front();
  BOOST_TEST(table.id == "a");
  BOOST_TEST(table.json == R"({"b/c~d":0.5,"z":[1,{"k":"v"}]})");
  BOOST_TEST((table.at == Position{1, 7}));
  BOOST_TEST((table.places.at("/z") == Position{2, 1}));
  BOOST_TEST((table.places.at("/z/0") == Position{2, 6}));
  BOOST_TEST((table.places.at("/z/1/k") == Position{2, 11}));
  BOOST_TEST((table.places.at("/b~1c~0d") == Position{3, 1}));
  BOOST_TEST(read.spec.verbs.back().json == "{}");
}

BOOST_AUTO_TEST_CASE(a_verb_of_this_program_has_its_own_table) {
  for (const std::string own : {"model", "secret", "local", "mcp", "open"}) {
    const auto errors = errors_of("[verb." + own + "]\n");
    BOOST_REQUIRE(errors.size() == 1U);
    BOOST_TEST(errors.front().starts_with("1:7: [verb." + own + "] is no table"), errors.front());
    BOOST_TEST(errors_of("[verb." + own + "s]\n").empty());
  }
}

BOOST_AUTO_TEST_CASE(what_json_lacks_is_refused_where_it_stands) {
  BOOST_TEST(errors_of("[verb.a]\nx = [1, 2026-01-01]").front().starts_with("2:9: a module's table takes no dates"));
  BOOST_TEST(errors_of("[verb.a]\nx = { y = nan }").front().starts_with("2:11: a module's table takes no inf or nan"));
  BOOST_TEST(errors_of("[verb.a]\nx = [1, \"2026-01-01\"]").empty());
  BOOST_TEST(errors_of("[verb]\na = 1").front().starts_with("2:1: verb.a is a table"));
}

BOOST_AUTO_TEST_CASE(a_table_of_one_system_is_added_on_it_and_one_verb_has_one_table) {
  BOOST_TEST(lnk::host::parse_spec("[linux.verb.a]\nx = 1", "s", Os::Linux).spec.verbs.size() == 1U);
  BOOST_TEST(lnk::host::parse_spec("[macos.verb.a]\nx = 1", "s", Os::Linux).spec.verbs.empty());
  BOOST_TEST(errors_of("[verb.b]\n[linux.verb.a]\n").empty());
  const auto errors = errors_of("[verb.a]\n[linux.verb.a]\n");
  BOOST_REQUIRE(errors.size() == 1U);
  BOOST_TEST(errors.front().starts_with("2:13: the verb \"a\" has a table already (line 1)"), errors.front());
}

BOOST_AUTO_TEST_CASE(a_table_is_not_beside_direct) {
  BOOST_TEST(errors_of("[network]\ndirect = true\n[verb.a]\n").front().starts_with("3:7: [verb] goes through the wire"));
}

/// Each value's path is kept: of a list in lists of lists that would be the text many times.
BOOST_AUTO_TEST_CASE(a_table_of_more_values_than_any_has_is_refused) {
  std::string text = "[verb.a]\nx = [";
  for (int i = 0; i < 200000; ++i) text += "1,";
  const auto errors = errors_of(text + "]");
  BOOST_REQUIRE(errors.size() == 1U);
  BOOST_TEST(errors.front().find("holds more than a table of a spec may") != std::string::npos);
  BOOST_TEST(errors_of(text.substr(0, 100000) + "]").empty());
}

BOOST_AUTO_TEST_SUITE_END()
