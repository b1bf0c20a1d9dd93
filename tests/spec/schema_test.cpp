// SPDX-License-Identifier: Apache-2.0
//
// The schema that editors use and the parser know the same tables, keys and providers.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "errors_of.hpp"
#include "spec/known.hpp"

namespace json = boost::json;

namespace {

const json::value& schema() {
  static const json::value kSchema = json::parse(std::string(lnk::host::spec_schema()));
  return kSchema;
}

std::string def_of(const json::value& property) {
  const std::string reference(property.at("$ref").as_string());
  return reference.substr(reference.rfind('/') + 1);
}

std::set<std::string> names_of(const json::value& object) {
  std::set<std::string> out;
  for (const auto& [name, value] : object.at("properties").as_object()) out.emplace(name);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(schema_and_parser)

BOOST_AUTO_TEST_CASE(they_know_the_same_tables_and_keys) {
  std::set<std::string> top = {"name", "linux", "macos", "verb", "keychain"};
  std::set<std::string> tables;
  for (const std::string_view table : lnk::host::known_tables()) tables.emplace(table);
  top.insert(tables.begin(), tables.end());
  BOOST_TEST(names_of(schema()) == top, boost::test_tools::per_element());
  std::set<std::string> of_os = tables;
  of_os.insert("verb");
  BOOST_TEST(names_of(schema().at("$defs").at("os")) == of_os, boost::test_tools::per_element());

  for (const std::string& table : tables) {
    std::set<std::string> keys;
    for (const lnk::host::KnownKey& known : lnk::host::known_keys()) {
      if (known.table == table) keys.emplace(known.key);
    }
    BOOST_TEST_CONTEXT(table) {
      BOOST_TEST(def_of(schema().at("properties").at(table)) == table);
      BOOST_TEST(def_of(schema().at("$defs").at("os").at("properties").at(table)) == table);
      const json::value& def = schema().at("$defs").at(table);
      BOOST_TEST(names_of(def) == keys, boost::test_tools::per_element());
      BOOST_TEST(!def.at("additionalProperties").as_bool());
    }
  }
  BOOST_TEST(!schema().at("additionalProperties").as_bool());
}

BOOST_AUTO_TEST_CASE(they_agree_on_what_is_a_list_and_what_is_not) {
  for (const lnk::host::KnownKey& known : lnk::host::known_keys()) {
    if (known.table.empty()) continue;
    const json::value& key = schema().at("$defs").at(known.table).at("properties").at(known.key);
    const std::string type(key.at("type").as_string());
    const std::string text = "[" + std::string(known.table) + "]\n" + std::string(known.key) + " = []\n";
    BOOST_TEST_CONTEXT(text) { BOOST_TEST(lnk::test::form_errors_of(text).empty() == (type == "array")); }
    if (type == "boolean") {
      const std::string beside = known.table == "model" ? "providers = [\"xai\"]\n" : "";
      const std::string flag = "[" + std::string(known.table) + "]\n" + beside + std::string(known.key) + " = true\n";
      BOOST_TEST_CONTEXT(flag) { BOOST_TEST(lnk::test::form_errors_of(flag).empty()); }
    }
  }
}

BOOST_AUTO_TEST_CASE(they_know_the_same_providers) {
  std::set<std::string> known;
  for (const std::string_view name : lnk::host::known_providers()) known.emplace(name);
  std::set<std::string> named;
  for (const json::value& name :
       schema().at("$defs").at("model").at("properties").at("providers").at("items").at("enum").as_array()) {
    named.emplace(name.as_string());
  }
  BOOST_TEST(named == known, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_key_is_described) {
  for (const lnk::host::KnownKey& known : lnk::host::known_keys()) {
    if (known.table.empty()) continue;
    const json::value& key = schema().at("$defs").at(known.table).at("properties").at(known.key);
    BOOST_TEST_CONTEXT(known.table << "." << known.key) { BOOST_TEST(!key.at("description").as_string().empty()); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
