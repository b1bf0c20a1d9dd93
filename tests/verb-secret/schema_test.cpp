// SPDX-License-Identifier: Apache-2.0
//
// The schema that editors use and the parser know the same keys, lists, methods and limits of a rule.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "lnk/secret/rule.hpp"

namespace json = boost::json;

namespace {

const json::value& schema() {
  static const json::value kSchema = [] {
    std::ifstream file(std::string(LNK_RULES) + "/secret-rule.schema.json");
    return json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  }();
  return kSchema;
}

json::object good() {
  return json::parse(R"({"host":"api.rig.test","methods":["GET","HEAD","POST","PUT","PATCH","DELETE"],"paths":["v1/{name}"],)"
                     R"("header":{"name":"Authorization","value":"Bearer {secret}"}})")
      .as_object();
}

bool is_taken(const json::object& rule) { return lnk::secret::parse_rule(json::serialize(rule)).has_value(); }

bool is_taken_with(std::string_view key, json::value value) {
  auto rule = good();
  rule[json::string_view(key.data(), key.size())] = std::move(value);
  return is_taken(rule);
}

std::set<std::string> names_of(const json::value& object) {
  std::set<std::string> out;
  for (const auto& [name, value] : object.at("properties").as_object()) out.emplace(name);
  return out;
}

bool matches(const json::value& text_schema, const std::string& text) {
  return std::regex_search(text, std::regex(std::string(text_schema.at("pattern").as_string()), std::regex::ECMAScript));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule_schema)

BOOST_AUTO_TEST_CASE(they_know_the_same_keys) {
  std::set<std::string> known;
  for (const auto key : lnk::secret::known_rule_keys()) known.emplace(key);
  BOOST_TEST(names_of(schema()) == known, boost::test_tools::per_element());
  BOOST_TEST(!schema().at("additionalProperties").as_bool());
  BOOST_TEST(!is_taken_with("color", 1));
  for (const auto& key : schema().at("required").as_array()) {
    auto rule = good();
    rule.erase(key.as_string());
    BOOST_TEST(!is_taken(rule), key.as_string());
  }
  BOOST_TEST(is_taken(good()));
  for (const char* place : {"header", "basic", "query"}) {
    auto rule = good();
    rule.erase("header");
    json::object made;
    for (const auto& name : names_of(schema().at("properties").at(place))) made[name] = name == "name" ? "appid" : name == "user" ? "me" : "{secret}";
    if (made.contains("accept")) made["accept"] = json::array{"{secret}"};
    rule[place] = made;
    BOOST_TEST(is_taken(rule), place);
    made["color"] = "x";
    rule[place] = made;
    BOOST_TEST(!is_taken(rule), place);
  }
  json::object field{{"name", "a"}, {"values", {"x"}}, {"json", true}};
  BOOST_TEST(is_taken_with("refuse_body", json::array{field}));
  for (const auto& name : names_of(schema().at("$defs").at("field"))) BOOST_TEST((name == "holds" || field.contains(name)), name);
  BOOST_TEST(is_taken_with("refuse_body", json::array{json::object{{"name", "a"}, {"holds", {"abc"}}}}));
}

BOOST_AUTO_TEST_CASE(they_agree_on_types_and_limits) {
  for (const auto& [key, value] : schema().at("properties").as_object()) {
    const json::value& def = value.as_object().contains("$ref") ? schema().at("$defs").at("paths") : value;
    const std::string type(def.at("type").as_string());
    if (key == "$schema" || key == "date" || key == "source") continue;  // for people and editors: any text
    BOOST_TEST(!is_taken_with(key, 1), key);
    if (type == "array") BOOST_TEST(!is_taken_with(key, "x"), key);
    if (type != "array") BOOST_TEST(!is_taken_with(key, json::array{}), key);
  }
  const auto limit = [](const json::value& list) { return static_cast<std::size_t>(list.at("maxItems").as_int64()); };
  const auto& properties = schema().at("properties");
  BOOST_TEST(limit(schema().at("$defs").at("paths")) == lnk::secret::kRulePathsMax);
  BOOST_TEST(limit(properties.at("methods")) == lnk::secret::kRuleMethodsMax);
  BOOST_TEST(limit(properties.at("refuse_body")) == lnk::secret::kHeldFieldsMax);
  BOOST_TEST(limit(properties.at("fields")) == lnk::secret::kRuleNamesMax);
  BOOST_TEST(limit(properties.at("parameters")) == lnk::secret::kRuleNamesMax);
  BOOST_TEST(limit(properties.at("header").at("properties").at("accept")) == lnk::secret::kRuleAcceptedMax);
  std::set<std::string> methods;
  for (const auto& method : properties.at("methods").at("items").at("enum").as_array()) methods.emplace(method.as_string());
  for (const std::string method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "*"})
    BOOST_TEST(is_taken_with("methods", json::array{json::value(json::string_view(method))}) == methods.contains(method), method);
}

BOOST_AUTO_TEST_CASE(what_the_parser_takes_the_schema_takes) {
  const auto& properties = schema().at("properties");
  const auto& path = schema().at("$defs").at("paths").at("items");
  for (const std::string text : {"v1/{name}", "GET v1", "GET,POST v1/{part}", "/v1", "a.b/{path}", "x@y", "v1%2f", "a;b", "GET  v1", "get v1", "OPTIONS v1", "a b", ""})
    if (is_taken_with("paths", json::array{json::value(json::string_view(text))})) BOOST_TEST(matches(path, text), text);
  for (const std::string text : {"{placeholder}", "{id}:{placeholder}", "xoxb-{placeholder}", "{placeholder}{placeholder}", "x", "a b{placeholder}", "{x}{placeholder}"})
    BOOST_TEST(is_taken_with("placeholder", json::string_view(text)) == (matches(properties.at("placeholder"), text)), text);
  for (const std::string text : {"api.a.test", "A.test", "localhost", "a.test:1", "*.a.test", "", "-a.test"})
    if (is_taken_with("host", json::string_view(text))) BOOST_TEST(matches(properties.at("host"), text), text);
  for (const std::string text : {"{secret}", "Bearer {secret}", "x", "{secret}{secret}", "{a}{secret}"})
    BOOST_TEST(is_taken_with("header", json::object{{"name", "Authorization"}, {"value", json::string_view(text)}}) == matches(schema().at("$defs").at("template"), text), text);
  for (const std::string text : {"Stripe-Account", "a b", "", "x:y"})
    BOOST_TEST(is_taken_with("fields", json::array{json::value(json::string_view(text))}) == matches(properties.at("fields").at("items"), text), text);
  for (const std::string text : {"{name}", "attach://{name}", "{name}{name}", "{secret}", "x y"})
    BOOST_TEST(is_taken_with("refuse_body", json::array{json::object{{"name", "a"}, {"values", json::array{json::value(json::string_view(text))}}}}) ==
                   matches(schema().at("$defs").at("field").at("properties").at("values").at("items"), text), text);
}

BOOST_AUTO_TEST_SUITE_END()
