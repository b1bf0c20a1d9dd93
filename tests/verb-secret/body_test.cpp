// SPDX-License-Identifier: Apache-2.0
//
// Bodies held to a rule's fields: what each kind of body may say, and what two readers could read differently.
#include "body.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lnk/cpp/view.hpp"

using namespace lnk::verb_secret;

namespace {

const Secret& secret() {
  static const Secret kSecret = [] {
    auto rule = lnk::secret::parse_rule(
        R"({"host":"api.rig.test","methods":["POST"],"paths":["b{secret}/{name}"],"refuse_body":[{"name":"token"},)"
        R"({"name":"photo","values":["{name}","attach://{name}"],"json":true},{"name":"document","values":["{name}","attach://{name}"]},)"
        R"({"name":"results","json":true},{"name":"query","holds":["mutation","web_hook"]}]})");
    BOOST_REQUIRE_MESSAGE(rule, (rule ? "" : rule.error().text));
    return Secret{"rig", "PLACEHOLDERplaceholder", std::move(rule).value()};
  }();
  return kSecret;
}

std::optional<BodyType> type_of(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::vector<lnk_field> raw;
  for (const auto& [name, value] : fields) raw.push_back({lnk::to_str(name), lnk::to_str(value)});
  return body_type(lnk::Fields(raw));
}

std::optional<BodyType> type_of(const std::string& type) { return type_of({{"Content-Type", type}}); }

std::string fault(const BodyType& type, std::string_view body) {
  const auto found = body_fault(secret(), type, body);
  return found ? found->name + ": " + std::string(found->why) : "passes";
}

std::string json_fault(std::string_view body) { return fault({BodyType::Kind::Json, {}}, body); }
std::string form_fault(std::string_view body) { return fault({BodyType::Kind::Form, {}}, body); }
std::string parts_fault(std::string_view body) { return fault({BodyType::Kind::Parts, "B"}, body); }

std::string part(std::string_view disposition, std::string_view content, std::string_view more = {}) {
  return "--B\r\nContent-Disposition: form-data; " + std::string(disposition) + "\r\n" + std::string(more) + "\r\n" + std::string(content) + "\r\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bodies)

BOOST_AUTO_TEST_CASE(types_that_are_read_and_those_that_are_not) {
  for (const std::string type : {"application/json", "APPLICATION/JSON; charset=UTF-8", "application/json;charset=\"utf-8\"", "application/json;"})
    BOOST_TEST((type_of(type) && type_of(type)->kind == BodyType::Kind::Json), type);
  BOOST_TEST((type_of("application/x-www-form-urlencoded;charset=utf-8")->kind == BodyType::Kind::Form));
  for (const std::string type : {"multipart/form-data; boundary=a-b_c", "multipart/form-data; boundary=\"a-b_c\""})
    BOOST_TEST(type_of(type)->boundary == "a-b_c", type);
  for (const std::string type : {"", "text/plain", "application/json; charset=utf-16", "application/json; charset=utf-8; charset=utf-8",
                                 "application/json; version=1", "application/vnd.api+json", "multipart/form-data", "multipart/mixed; boundary=a",
                                 "multipart/form-data; boundary=a; boundary=b", "multipart/form-data; boundary=", "multipart/form-data; boundary=a b",
                                 "application/json; boundary=a", "application/graphql", "application/json, text/plain"})
    BOOST_TEST(!type_of(type), type);
  BOOST_TEST(!type_of(std::vector<std::pair<std::string, std::string>>{}));
  BOOST_TEST(!type_of({{"Content-Type", "application/json"}, {"content-type", "text/plain"}}));
  BOOST_TEST(!type_of({{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}}));
}

BOOST_AUTO_TEST_CASE(json_passes_as_the_rule_says) {
  for (const std::string_view body :
       {R"({})", R"([])", R"("text")", R"({"text":"https://a.test/x"})", R"({"photo":"AgACAgQ_-9"})", R"({"photo":"attach://a1"})", R"({"photo":""})",
        R"({"photo":null})", R"({"photo":{"type":"photo","media":"x"}})", R"({"photo":["a","b"]})", R"({"photo":"[{\"photo\":\"a\"}]"})",
        R"({"query":"query { issues { id } }"})", R"({"results":[{"id":"1","photo":"a"}]})", R"({"results":"[]"})", R"({"a":{"a":1},"b":{"a":2}})"})
    BOOST_TEST(json_fault(body) == "passes", body);
}

BOOST_AUTO_TEST_CASE(json_that_the_rule_refuses_in_any_place_and_spelling) {
  for (const std::string_view body :
       {R"({"token":"x"})", R"({"token":null})", R"({"a":[{"b":{"token":1}}]})", R"({"\u0074oken":"x"})", R"({"To-Ken":"x"})", R"({"a[token]":"x"})",
        R"({"a.token":"x"})", R"([[{"token":{}}]])", R"({"photo":"https://a.test/x"})", R"({"photo":"a.test"})", R"({"photo":"\u0068ttp://a"})",
        R"({"photo":["a","http://b"]})", R"({"photo":[["http://b"]]})", R"({"photo":{"photo":"http://b"}})", R"({"photo":" {\"photo\":\"http://b\"}"})",
        R"({"photo":"[\"http://b\"]"})", R"({"photo":"[\"[\\\"http://b\\\"]\"]"})", R"({"document":{"a":1}})", R"({"document":["a"]})",
        R"({"document":"{\"a\":1}"})", R"({"results":"x"})", R"({"results":"[{\"photo\":\"x.y\"}]"})", R"({"query":"mutation { x }"})",
        R"({"query":"query { x }MUTATION{y}"})", R"({"query":"\u006dutation{y}"})", R"([{"query":"{a}"},{"query":"{Web_Hook}"}])",
        R"({"query":["mutation"]})", R"({"query":{"a":"mutation"}})", R"({"x":1,"photo":"x.y","z":2})"})
    BOOST_TEST(json_fault(body).find("refuse_body") != std::string::npos, body);
}

BOOST_AUTO_TEST_CASE(json_that_two_readers_could_read_differently_is_refused) {
  for (const std::string& body :
       {std::string(R"({"a":1,"a":2})"), std::string(R"({"a":1,"\u0061":2})"), std::string(R"({"b":{"a":1,"a":2}})"), std::string("\xef\xbb\xbf{}"),
        std::string(R"({"a":1} x)"), std::string("{}{}"), std::string(R"({"a":1,})"), std::string("{'a':1}"), std::string("{\"a\":\"\xff\"}"),
        std::string("// x\n{}"), std::string(R"({"a":"\ud800"})"), std::string("{\"a\":\"x\ny\"}"), std::string(70, '[') + std::string(70, ']'),
        std::string("{"), std::string(R"({"photo":"[\"a\","})"), std::string(R"({"photo":"{\"a\":1,\"a\":2}"})"), std::string(" ")})
    BOOST_TEST(json_fault(body) != "passes", body);
  const std::string deep = std::string(60, '[') + std::string(60, ']');
  BOOST_TEST(json_fault(deep) == "passes");
}

BOOST_AUTO_TEST_CASE(forms_pass_and_are_refused_as_the_rule_says) {
  for (const std::string_view body : {"", "a=b", "text=https%3A%2F%2Fa.test%2Fx", "photo=AgAC", "photo=attach%3A%2F%2Fa1", "photo=%5B%7B%22photo%22%3A%22a%22%7D%5D",
                                      "query=%7Ba%7D", "a=1&a=2", "a", "&&", "results=%5B%5D"})
    BOOST_TEST(form_fault(body) == "passes", body);
  for (const std::string_view body : {"token=x", "token", "a=1&token=", "%74oken=x", "TOKEN=x", "tok+en=x", "a[token]=x", "token[]=x", "a;token=x", "photo=attach;a.test", "a;b", "photo=https%3A%2F%2Fa",
                                      "photo=http://a", "photo=a.test", "photo=%5B%22a.test%22%5D", "photo=+http://a", "query=mu%74ation", "photo=a&photo=b.c",
                                      "results=x", "results=%7B%22token%22%3A1%7D", "_method=DELETE", "%5fmethod=x", "access_token=x", "document=%7B%7D"})
    BOOST_TEST(form_fault(body) != "passes", body);
  for (const std::string_view body : {"a=%", "a=%4", "a=%zz", "a=b c", "a=\r\n", "a=\xff", "a=\t"})
    BOOST_TEST(form_fault(body).find("every reader") != std::string::npos, body);
}

BOOST_AUTO_TEST_CASE(parts_pass_and_are_refused_as_the_rule_says) {
  const std::string end = "--B--\r\n";
  const std::string file = part("name=\"photo\"; filename=\"a b.png\"", "http://a.test \r\n\r\n--C\r\n", "Content-Type: image/png\r\n");
  for (const std::string& body : {part("name=\"text\"", "https://a.test") + end, part("name=\"photo\"", "attach://x") + part("name=\"x\"; filename=x.png", "\0\1", "content-type:image/png\r\n") + end,
                                  file + end, file + "--B--", "\r\n" + file + end, part("name=photo", "") + end, part("name=\"photo\"", "[{\"photo\":\"a\"}]") + end,
                                  std::string("--B--")})
    BOOST_TEST(parts_fault(body) == "passes", body);
  for (const std::string& body : {part("name=\"token\"", "x"), part("name=\"token\"; filename=\"x\"", "x"), part("name=\"results\"; filename=\"x\"", "[]"), part("name=\"query\"; filename=\"x\"", "{a}"), part("name=\"photo\"", "http://a.test"), part("name=\"PHOTO\"", "a.test"),
                                  part("name=\"photo[]\"", "a.test"), part("name=\"a\"", "") + part("name=\"token\"", ""), part("name=\"photo\"", "[\"a.test\"]"),
                                  part("name=\"photo\"", "attach://x\r\n"), part("name=\"_method\"", "DELETE"), part("name=\"query\"", "mutation{a}")})
    BOOST_TEST(parts_fault(body + end) != "passes", body);
}

BOOST_AUTO_TEST_CASE(parts_that_two_readers_could_read_differently_are_refused) {
  const std::string end = "--B--\r\n";
  const std::string good = part("name=\"a\"", "x");
  BOOST_TEST(parts_fault(good + end) == "passes");
  for (const std::string& body :
       {good, good + "--B-", "x" + good + end, "preamble\r\n" + good + end, good + end + "more", good + "--B--\r\n\r\n", part("name=\"a\"", "x--B--y") + end,
        part("name=\"a\"", "x\n--B\nContent-Disposition: form-data; name=\"token\"\n\nx") + end, std::string("--B\nContent-Disposition: form-data; name=\"a\"\n\nx\n--B--"),
        std::string("--B \r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--B--"), std::string("--B\r\n\r\nx\r\n--B--"),
        part("name=\"a\"; name=\"token\"", "x") + end, part("name=\"a\"; name*=utf-8''token", "x") + end, part("name=\"a\\\"b\"", "x") + end,
        part("name=\"to%6ben\"", "x") + end, part("name=\"a\"; filename=\"\"", "x") + end, part("name=\"a\"; filename*=utf-8''x", "x") + end,
        part("filename=\"x\"", "x") + end, part("name=\"\"", "x") + end, part("name=\"a\"", "x", "Content-Transfer-Encoding: base64\r\n") + end,
        part("name=\"a\"", "x", "Content-Disposition: form-data; name=\"token\"\r\n") + end, part("name=\"a\"", "x", "Content-Type: text/plain; charset=utf-7\r\n") + end,
        part("name=\"a\"", "x", "X-Other: y\r\n") + end, part("name=\"a\"", "x", " folded\r\n") + end, part("name=\"a\"; \r\n name=\"token\"", "x") + end,
        std::string("--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--B--"), std::string("--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--"),
        part("name=\"a&token\"", "x") + end, std::string("--Bx\r\n")})
    BOOST_TEST(parts_fault(body) != "passes", body);
  std::string many;
  for (std::size_t i = 0; i <= kPartsMax; ++i) many += good;
  BOOST_TEST(parts_fault(many + end) != "passes");
  BOOST_TEST(parts_fault(many.substr(good.size()) + end) == "passes");
}

BOOST_AUTO_TEST_SUITE_END()
