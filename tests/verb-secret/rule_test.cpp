// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/rule.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lnk/secret/placeholder.hpp"

using lnk::secret::canonical_rule;
using lnk::secret::check_value;
using lnk::secret::make_placeholder;
using lnk::secret::parse_rule;
using lnk::secret::Place;
using lnk::secret::Rule;

namespace {

constexpr std::string_view kHeaderRule =
    R"({"host":"api.rig.test","methods":["GET"],"paths":["v1/{name}"],"header":{"name":"Authorization","value":"Bearer {secret}"}})";

std::string why(std::string_view json) {
  const auto rule = parse_rule(json);
  return rule ? "taken" : const_cast<lnk::Result<Rule>&>(rule).error().text;
}

/// kHeaderRule with one text replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text(kHeaderRule);
  const auto at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Rule rule_of(std::string_view json) {
  auto rule = parse_rule(json);
  BOOST_REQUIRE_MESSAGE(rule, (rule ? "" : rule.error().text));
  return std::move(rule).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rule_of_each_place_is_read) {
  BOOST_TEST((rule_of(kHeaderRule).place == Place::Header));
  BOOST_TEST((rule_of(R"({"host":"a.test","methods":["GET"],"paths":["b{secret}/{name}"]})").place == Place::Path));
  const auto basic =
      rule_of(R"({"host":"a.test","methods":["GET"],"paths":["{path}"],"basic":{"user":"x","password":"{secret}"}})");
  BOOST_TEST((basic.place == Place::Basic && !basic.secret_is_user && basic.basic_other == "x"));
  const auto user =
      rule_of(R"({"host":"a.test","methods":["GET"],"paths":["{path}"],"basic":{"user":"{secret}","password":""}})");
  BOOST_TEST((user.secret_is_user && user.basic_other.empty()));
  const auto query = rule_of(R"({"host":"a.test","methods":["GET"],"paths":["{path}"],"query":{"name":"appid"}})");
  BOOST_TEST((query.place == Place::Query && query.field == "appid"));
}

BOOST_AUTO_TEST_CASE(a_rule_may_name_fields_and_parameters_that_pass_but_none_that_makes_another_request) {
  const auto rule = rule_of(with("\"header\"", R"("fields":["Stripe-Account","Referer"],"parameters":["token"],"header")"));
  BOOST_TEST((rule.fields == std::vector<std::string>{"Stripe-Account", "Referer"}));
  BOOST_TEST((rule.parameters == std::vector<std::string>{"token"}));
  for (const std::string field : {"Range", "Host", "X-HTTP-Method-Override", "x-method-override", "X-Original-URL", "X-Rewrite-URL", "X-Host",
                                  "X-Forwarded-Prefix", "Proxy-Authorization", "Transfer-Encoding", "a b", ""})
    BOOST_TEST(why(with("\"header\"", "\"fields\":[\"" + field + "\"],\"header\"")).starts_with("rule: 'fields' has"), field);
  for (const std::string name : {"a=b", "a&b", "%41", ""})
    BOOST_TEST(why(with("\"header\"", "\"parameters\":[\"" + name + "\"],\"header\"")).starts_with("rule: 'parameters' has"), name);
  BOOST_TEST(why(with("\"header\"", R"("fields":"x","header")")).starts_with("rule: 'fields'"));
}

BOOST_AUTO_TEST_CASE(a_rule_that_could_send_the_secret_elsewhere_is_refused) {
  BOOST_TEST(why(kHeaderRule) == "taken");
  for (const std::string_view host : {"*.rig.test",
                                      "*",
                                      "",
                                      "api.rig.test:8443",
                                      "https://api.rig.test",
                                      "api.rig.test/x",
                                      "u@api.rig.test",
                                      "a.test,b.test",
                                      "127.0.0.1",
                                      "127.0.0.0x1",
                                      "a.0x7f",
                                      "a.0x",
                                      "1.2.3",
                                      "[::1]",
                                      "localhost",
                                      "db",
                                      "x.localhost",
                                      "API.rig.test",
                                      "api.rig.test.",
                                      "api..test",
                                      "-a.test",
                                      "{secret}.test",
                                      "b\u00fccher.test",
                                      "a b.test",
                                      "a.test\\n"}) {
    BOOST_TEST(why(with("api.rig.test", host)).starts_with("rule: "), host);
  }
  BOOST_TEST(why(with("\"api.rig.test\"", R"(["a.test","b.test"])")) ==
             "rule: 'host' is one name: the secret goes to no second host");
  BOOST_TEST(why(with("\"api.rig.test\",", R"("a.test","host":"b.test",)")) == "rule: has the key 'host' twice");
  BOOST_TEST(why(with("\"host\":\"api.rig.test\",", "")) ==
             "rule: 'host' is missing: name the one host the secret goes to");
  BOOST_TEST(why(with("v1/{name}", "v1/{secret}/x")) ==
             "rule: 'paths' and header, basic, query: the secret goes in one place, not in two");
  BOOST_TEST(why(with("}}", R"(},"query":{"name":"key"}})")).starts_with("rule: 'paths' and header"));
  BOOST_TEST(why(R"({"host":"a.test","methods":["GET"],"paths":["b{secret}/x","c"]})") ==
             "rule: 'paths' has {secret} in each path or in none");
  BOOST_TEST(why(R"({"host":"a.test","methods":["GET"],"paths":["c"]})").starts_with("rule: 'header' is missing"));
}

BOOST_AUTO_TEST_CASE(a_rule_that_puts_the_secret_in_a_wrong_field_is_refused) {
  for (const std::string_view name :
       {"Authorization", "X-Api-Key", "Cookie", "X-Subscription-Token", "PRIVATE-TOKEN"}) {
    BOOST_TEST(why(with("Authorization", name)) == "taken", name);
  }
  for (const std::string_view name :
       {"Host", "Content-Length", "Transfer-Encoding", "Connection", "TE", "Upgrade", "X-Forwarded-Host", "Forwarded",
        "X-Original-URL", "Proxy-Authorization", "Accept-Encoding", "Range", "User-Agent", "referer", "Origin", "a b",
        "", "x:y", "Sec-Fetch-Site", "X_Forwarded_Host", "Content_Length", "X-HTTP-Method-Override", "x.original.url", "Destination",
        "X-Correlation-ID", "traceparent", "X-Real-IP", "User_Agent"}) {
    BOOST_TEST(why(with("Authorization", name)).starts_with("rule: 'header.name'"), name);
  }
  for (const std::string_view value : {"Bearer", "Bearer {secret} {secret}", "Bearer {secret} ", " {secret}",
                                       "{x}{secret}", "Bearer {secret}\\r\\nX: y", "Bearer {secret}\\u0000"}) {
    BOOST_TEST(why(with("Bearer {secret}", value)).starts_with("rule: 'header.value'"), value);
  }
}

BOOST_AUTO_TEST_CASE(a_rule_of_another_form_is_refused) {
  for (const std::string_view method : {"get", "TRACE", "CONNECT", "OPTIONS", "*", "", "G ET"}) {
    BOOST_TEST(why(with("\"GET\"", "\"" + std::string(method) + "\"")).starts_with("rule: 'methods'"), method);
  }
  BOOST_TEST(why(with("[\"GET\"]", "[]")) == "rule: 'methods' is missing: name at least one");
  BOOST_TEST(why(with("[\"v1/{name}\"]", "[]")) == "rule: 'paths' is missing: name at least one shape");
  BOOST_TEST(why(with("v1/{name}", "v1//x")).starts_with("rule: 'paths' path shape part ''"));
  BOOST_TEST(why(with("v1/{name}", "/v1/{name}")) == "taken");
  BOOST_TEST(why(with("v1/{name}", "//v1/{name}")) != "taken");
  BOOST_TEST(why(with("\"host\"", "\"color\":1,\"host\"")) .starts_with("rule: 'color' is not known; host, methods, paths, "));
  for (const std::string_view text : {"", "[]", "null", "{", R"({"host":"a.test"} x)", "{\"a\":1,\"\\u0061\":2}"}) {
    BOOST_TEST(why(text).starts_with("rule: "), text);
  }
  BOOST_TEST(why(std::string(70'000, ' ')) == "rule: is over 64 KiB");
}

BOOST_AUTO_TEST_CASE(one_rule_has_one_text) {
  const auto a = canonical_rule(
      R"({ "paths" : ["x"], "host":"a.test","methods":["GET"],"query":{"value":"{secret}","name":"k"}})");
  const auto b =
      canonical_rule(R"({"query":{"name":"k","value":"{secret}"},"methods":["GET"],"paths":["x"],"host":"a.test"})");
  BOOST_REQUIRE((a && b));
  BOOST_TEST(*a == *b);
  BOOST_TEST(*a == R"({"host":"a.test","methods":["GET"],"paths":["x"],"query":{"name":"k","value":"{secret}"}})");
}

BOOST_AUTO_TEST_CASE(a_path_may_name_the_methods_that_it_is_for) {
  const auto rule = rule_of(with("[\"GET\"],\"paths\":[\"v1/{name}\"]", R"(["GET","POST"],"paths":["GET v1/{name}","GET,POST v2/{part}","v3"],"refuse":["POST v3"])"));
  BOOST_REQUIRE(rule.paths.size() == 3U);
  BOOST_TEST((rule.paths[0].takes("GET") && !rule.paths[0].takes("POST") && rule.paths[0].shape.text() == "v1/{name}"));
  BOOST_TEST((rule.paths[1].takes("GET") && rule.paths[1].takes("POST") && rule.paths[2].takes("POST")));
  BOOST_TEST((rule.refuse[0].takes("POST") && !rule.refuse[0].takes("GET")));
  for (const std::string_view path : {"POST v1", "GET,POST v1", "get v1", "GET,GET v1", " v1", "GET  v1", ",GET v1", "GET, v1", "* v1"})
    BOOST_TEST(why(with("v1/{name}", path)).starts_with("rule: 'paths'"), path);
  BOOST_TEST(why(with("v1/{name}", "GET /v1/{name}")) == "taken");
}

BOOST_AUTO_TEST_CASE(a_header_may_be_accepted_in_other_words_than_it_goes_out_in) {
  const auto rule = rule_of(with("Bearer {secret}\"", R"(Bearer {secret}","accept":["token {secret}","{secret}"])"));
  BOOST_REQUIRE(rule.accepted.size() == 2U);
  BOOST_TEST((rule.accepted[0].before == "token " && rule.accepted[1].before.empty() && rule.value.before == "Bearer "));
  for (const std::string_view text : {"token", "token {secret} ", "{secret}{secret}", "a\\n{secret}"})
    BOOST_TEST(why(with("Bearer {secret}\"", R"(Bearer {secret}","accept":[")" + std::string(text) + "\"]")).starts_with("rule: 'header.accept'"), text);
}

BOOST_AUTO_TEST_CASE(fields_of_a_body_are_named_once_and_in_one_way) {
  const auto held = [](std::string_view entries) { return why(with("\"header\"", "\"refuse_body\":[" + std::string(entries) + "],\"header\"")); };
  for (const std::string_view good : {R"({"name":"token"})", R"({"name":"a","values":["{name}","attach://{name}","x"],"json":true})", R"({"name":"a","json":true})",
                                      R"({"name":"query","holds":["mutation"]})", ""})
    BOOST_TEST(held(good) == "taken", good);
  for (const std::string_view bad :
       {R"("token")", R"({})", R"({"name":1})", R"({"name":""})", R"({"name":"[]"})", R"({"name":"a.b"})", R"({"name":"--"})", R"({"name":"a","x":1})", R"({"name":"a","values":[]})",
        R"({"name":"a","values":"x"})", R"({"name":"a","values":[1]})", R"({"name":"a","values":["{secret}"]})", R"({"name":"a","values":["{name}{name}"]})",
        R"({"name":"a","values":[""]})", R"({"name":"a","json":false})", R"({"name":"a","holds":["ab"]})", R"({"name":"a","holds":["a b c"]})",
        R"({"name":"a","holds":["abc"],"json":true})", R"({"name":"a","holds":["abc"],"values":["x"]})", R"({"name":"a_b"},{"name":"A-B"})"})
    BOOST_TEST(held(bad).starts_with("rule: 'refuse_body'"), bad);
}

BOOST_AUTO_TEST_CASE(a_value_must_fit_its_place) {
  const auto header = rule_of(kHeaderRule);
  const auto path =
      rule_of(R"({"host":"a.test","methods":["GET"],"paths":["b{secret}/{name}"],"placeholder":"{id}:{placeholder}"})");
  BOOST_TEST(check_value(header, "sk-live 51/+=").has_value());
  BOOST_TEST(check_value(path, "123456:AAF-x_y").has_value());
  for (const std::string& value : {std::string(), std::string("short"), std::string(4097, 'a'),
                                   std::string("a\nbcdefg"), std::string("abc\0defg", 8), std::string(" abcdefg"),
                                   std::string("abcdefg "), std::string("schl\xc3\xbcssel")}) {
    BOOST_TEST(!check_value(header, value).has_value());
  }
  for (const std::string_view value :
       {"123456:a/b", "123456:a?b", "123456:a%20", "123456:a;b", "no-id-here", ":AAFxyz"}) {
    BOOST_TEST(!check_value(path, value).has_value(), value);
  }
}

BOOST_AUTO_TEST_CASE(a_placeholder_has_the_rules_form_and_nothing_of_the_secret) {
  const auto path =
      rule_of(R"({"host":"a.test","methods":["GET"],"paths":["b{secret}/{name}"],"placeholder":"{id}:{placeholder}"})");
  const auto made = make_placeholder(path, "123456:AAF-secret", "RANDOM");
  BOOST_REQUIRE(made.has_value());
  BOOST_TEST(*made == "123456:RANDOM");
  BOOST_TEST(*make_placeholder(rule_of(kHeaderRule), "sk-live", "RANDOM") == "RANDOM");
  BOOST_TEST(!make_placeholder(path, "no-id", "RANDOM").has_value());
  for (const std::string_view form : {"", "x", "{placeholder}{placeholder}", "{id}", "a b{placeholder}",
                                      "{placeholder}{x}", "{id}{id}{placeholder}"}) {
    BOOST_TEST(why(with("\"host\"", "\"placeholder\":\"" + std::string(form) + "\",\"host\""))
                   .starts_with("rule: 'placeholder'"),
               form);
  }
  BOOST_TEST(why(with("\"host\"", "\"placeholder\":\"xoxb-{placeholder}\",\"host\"")) == "taken");
}
