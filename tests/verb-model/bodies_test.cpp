// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "asked.hpp"

using namespace lnk::verb_model::test;

namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

/// With this type and coding of its own.
std::string typed(std::string_view body, Fields fields) {
  fields.emplace_back("x-api-key", kPlaceholder);
  const auto out = asked({.body = body, .fields = fields, .bare = true});
  return out.starts_with("deny ") ? out.substr(5, out.find(':') - 5) : out;
}

const std::string kBody = anthropic("");
/// gzip of {"model":"claude-x","messages":[]}, and zstd of it.
const std::string kGzip = std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\xca\xcd\x4f\x49\xcd\x51\xb2\x52\x4a\xce\x49\x2c\x4d\x49\xd5\xad\x50\xd2\x51\xca\x4d\x2d\x2e\x4e\x4c\x4f\x2d\x56\xb2\x8a\x8e\xad\x05\x00\x34\xd2\xd7\x80\x22\x00\x00\x00", 54);
const std::string kZstd = std::string("\x28\xb5\x2f\xfd\x04\x58\x11\x01\x00\x7b\x22\x6d\x6f\x64\x65\x6c\x22\x3a\x22\x63\x6c\x61\x75\x64\x65\x2d\x78\x22\x2c\x22\x6d\x65\x73\x73\x61\x67\x65\x73\x22\x3a\x5b\x5d\x7d\x50\xde\x0b\xbf", 47);

}  // namespace

BOOST_AUTO_TEST_CASE(a_body_is_json_in_utf8) {
  for (const std::string_view type : {"application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8", "application/json; charset=\"utf-8\"", "application/json;"})
    BOOST_TEST(typed(kBody, {{"Content-Type", type}}) == kBody, type);
  for (const std::string_view type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/json; charset=iso-8859-1", "application/json, text/plain",
                                      "application/json; charset=utf-8; charset=utf-16", "application/json; boundary=x", "application/jsonx"})
    BOOST_TEST(typed(kBody, {{"Content-Type", type}}) == "415 bad-body", type);
  BOOST_TEST(typed(kBody, {}) == "415 bad-body");
  BOOST_TEST(typed(kBody, {{"Content-Type", "application/json"}, {"content-type", "application/json"}}) == "415 bad-body");
}

BOOST_AUTO_TEST_CASE(a_coding_is_taken_off_or_refused) {
  const std::pair<std::string_view, std::string_view> json{"Content-Type", "application/json"};
  BOOST_TEST(typed(kGzip, {json, {"Content-Encoding", "gzip"}}) == kBody);
  BOOST_TEST(typed(kZstd, {json, {"content-encoding", "ZSTD"}}) == kBody);
  BOOST_TEST(typed(kBody, {json, {"Content-Encoding", "identity"}}) == kBody);
  for (const std::string_view coding : {"br", "deflate", "gzip, gzip", "", "gzip;q=1"}) BOOST_TEST(typed(kBody, {json, {"Content-Encoding", coding}}) == "415 bad-body", coding);
  BOOST_TEST(typed(kBody, {json, {"Content-Encoding", "gzip"}, {"Content-Encoding", "gzip"}}) == "415 bad-body");
  BOOST_TEST(typed(kBody, {json, {"Content-Encoding", "gzip"}}) == "400 bad-body");
  BOOST_TEST(typed(kGzip, {json}) == "400 bad-body");
  BOOST_TEST(typed(kGzip + kGzip, {json, {"Content-Encoding", "gzip"}}) == "400 bad-body");
}

BOOST_AUTO_TEST_CASE(json_that_two_readers_could_read_differently_is_refused) {
  for (const std::string_view body : {"", "[]", "\"x\"", "null", "{", "{} x", "\xef\xbb\xbf{}", R"({"model":"a","model":"b"})", R"({"model":"a","mod\u0065l":"b"})", R"({"model":"\ud800"})", "{\"model\":\"\xff\"}", R"({"max_tokens":NaN})", "{/**/}"})
    BOOST_TEST(asked({.body = body}).starts_with("deny 400 bad-body: "), body);
  const std::string deep = R"({"model":"claude-x","messages":[],"thinking":)" + std::string(64, '[') + std::string(64, ']') + "}";
  BOOST_TEST(asked({.body = deep}) == "deny 400 bad-body: the body is nested too deep");
  BOOST_TEST(asked({.body = R"( {"model":"\u0063laude-x","messages":[],"temperature":1.50,"max_tokens":1e2} )"}) == R"({"model":"claude-x","messages":[],"temperature":1.50,"max_tokens":1e2})");
}
