// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/pieces.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lnk/cpp/verb_actions.hpp"
#include "wire/verb/request_text.hpp"

using lnk::Value;
using lnk::host::HandleStore;
using lnk::host::ValuePlace;
using lnk::secret::SecretBytes;

namespace {

HandleStore store() {
  HandleStore handles;
  handles.put("secret:t", SecretBytes("123:AA-x"));
  handles.put("secret:odd", SecretBytes("a/b?c d+e%"));
  return handles;
}

lnk::Result<lnk::host::Pieces> read(const Value& value, ValuePlace place) {
  const auto raw = value.raw();
  return lnk::host::read_pieces({raw.data(), raw.size()}, place);
}

std::string written(const Value& value, ValuePlace place) {
  const auto handles = store();
  auto pieces = read(value, place);
  if (!pieces) return "refused: " + pieces.error().text;
  auto out = lnk::host::render(*pieces, place, handles);
  return out ? std::string(out->reveal()) : "refused: " + out.error().text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_handle_is_written_in_its_place) {
  BOOST_TEST(written(Value("/bot").handle("secret:t").text("/getMe?a=1"), ValuePlace::Target) ==
             "/bot123:AA-x/getMe?a=1");
  BOOST_TEST(written(Value("Bearer ").handle("secret:odd"), ValuePlace::Field) == "Bearer a/b?c d+e%");
  BOOST_TEST(written(Value("Basic ").base64_begin().text("u:").handle("secret:t").base64_end(), ValuePlace::Field) ==
             "Basic dToxMjM6QUEteA==");
  BOOST_TEST(written(Value("/x?k=").query_handle("secret:odd"), ValuePlace::Target) == "/x?k=a%2Fb%3Fc%20d%2Be%25");
}

BOOST_AUTO_TEST_CASE(a_value_that_would_make_another_path_is_not_written) {
  BOOST_TEST(written(Value("/x/").handle("secret:odd"), ValuePlace::Target) ==
             "refused: the value of secret:odd can't stand in a path");
  BOOST_TEST(written(Value("/x/").handle("secret:none"), ValuePlace::Target) == "refused: no value for secret:none");
}

BOOST_AUTO_TEST_CASE(text_that_would_end_its_line_is_refused) {
  for (const std::string bad : {"a\r\nX: y", "a\nb", "a\rb", "a\x7f", "\x01", "caf\xc3\xa9"}) {
    BOOST_TEST(written(Value(bad), ValuePlace::Field).starts_with("refused"), bad);
    BOOST_TEST(written(Value("/" + bad), ValuePlace::Target).starts_with("refused"), bad);
  }
  BOOST_TEST(written(Value(std::string("a\0b", 3)), ValuePlace::Field).starts_with("refused"));
  BOOST_TEST(written(Value("/a b"), ValuePlace::Target).starts_with("refused"));
  BOOST_TEST(written(Value("/a#b"), ValuePlace::Target).starts_with("refused"));
  BOOST_TEST(written(Value("a b#c"), ValuePlace::Field) == "a b#c");
}

BOOST_AUTO_TEST_CASE(base64_marks_must_pair_and_stand_in_a_field) {
  BOOST_TEST(written(Value().base64_begin().text("a"), ValuePlace::Field).starts_with("refused"));
  BOOST_TEST(written(Value().base64_end(), ValuePlace::Field).starts_with("refused"));
  BOOST_TEST(written(Value().base64_begin().base64_begin().base64_end().base64_end(), ValuePlace::Field)
                 .starts_with("refused"));
  BOOST_TEST(written(Value("/").base64_begin().text("a").base64_end(), ValuePlace::Target).starts_with("refused"));
  BOOST_TEST(written(Value("a").query_handle("secret:t"), ValuePlace::Field).starts_with("refused"));
}

BOOST_AUTO_TEST_CASE(malformed_pieces_are_refused) {
  using lnk::host::read_pieces;
  const lnk_piece unknown{99, 0, {"a", 1}};
  BOOST_TEST(!read_pieces({&unknown, 1}, ValuePlace::Field).has_value());
  const lnk_piece missing{LNK_PIECE_TEXT, 0, {nullptr, 5}};
  BOOST_TEST(!read_pieces({&missing, 1}, ValuePlace::Field).has_value());
  BOOST_TEST(!read_pieces({nullptr, 3}, ValuePlace::Field).has_value());
  const std::vector<lnk_piece> many(65, lnk_piece{LNK_PIECE_TEXT, 0, {"a", 1}});
  BOOST_TEST(!read_pieces({many.data(), many.size()}, ValuePlace::Field).has_value());
  const std::string large(20'000, 'a');
  BOOST_TEST(!read(Value(large), ValuePlace::Field).has_value());
  BOOST_TEST(!read(Value("/" + large), ValuePlace::Target).has_value());
  BOOST_TEST(!read(Value().handle(""), ValuePlace::Field).has_value());
}

BOOST_AUTO_TEST_CASE(a_request_is_written_anew_with_its_edits) {
  const auto handles = store();
  lnk::host::RelayPlan plan;
  plan.host = "api.rig.test";
  plan.port = 443;
  plan.method = "POST";
  plan.target = *read(Value("/v1"), ValuePlace::Target);
  plan.edits.push_back({"cookie", false, {}});
  plan.edits.push_back({"Authorization", true, *read(Value("Bearer ").handle("secret:t"), ValuePlace::Field)});
  const std::vector<lnk::http::Field> fields = {{"Accept", "*/*"}, {"Cookie", "a"}, {"authorization", "Bearer PH"}};
  const auto head = lnk::host::write_request_head(plan, fields, {lnk::http::Framing::Length, 3}, handles);
  BOOST_REQUIRE(head.has_value());
  BOOST_TEST(std::string(head->reveal()) ==
             "POST /v1 HTTP/1.1\r\nHost: api.rig.test\r\nAccept: */*\r\nAuthorization: Bearer 123:AA-x\r\n"
             "Content-Length: 3\r\nConnection: close\r\n\r\n");
}
