// SPDX-License-Identifier: Apache-2.0
//
// Events, messages, heads and words. What holds for every input is in fuzz/event_stream.cpp and fuzz/remote_message.cpp.
#include <boost/test/unit_test.hpp>

#include "lnk/http/head.hpp"
#include "mcp_remote/event_stream.hpp"
#include "mcp_remote/limits.hpp"
#include "mcp_remote/message.hpp"
#include "mcp_remote/reply_words.hpp"
#include "mcp_remote/tool_file.hpp"
#include "mcp_remote/tool_headers.hpp"

namespace {

using namespace lnk::host::remote;

std::string events_of(std::string_view text, EventStream& stream) {
  std::string told;
  for (auto step = stream.next(text); step != EventStream::Step::NeedMore; step = stream.next(text)) {
    if (step == EventStream::Step::TooLong) return told + "too long";
    const auto event = stream.take_event();
    told += "[" + event.kind + "|" + event.data + "]";
  }
  return told;
}

Url url_of(std::string_view text) { return read_url(text).value(); }

std::string words_of(std::string_view head, const Headers& headers) {
  const auto reply = lnk::http::parse_reply(head, "POST");
  return reply_words(std::get<0>(reply), url_of("https://example.com/mcp"), headers);
}

BOOST_AUTO_TEST_SUITE(forms)

BOOST_AUTO_TEST_CASE(events_are_those_of_the_standard) {
  EventStream stream(kMessageBytesMax);
  BOOST_TEST(events_of("data: a\ndata: b\n\nevent: x\ndata\n\nid: 7\nretry: 90000\n\n:only\n\ndata:  c", stream) == "[|a\nb][x|]");
  BOOST_TEST(stream.last_id() == "7");
  BOOST_TEST(stream.retry_ms().value_or(0) == kRetryMsMax);
  stream.begin_again();
  BOOST_TEST(events_of("\n\ndata: d\n\n", stream) == "[|d]");  // what was half there is dropped
  BOOST_TEST(stream.last_id() == "7");
  EventStream small(8);
  BOOST_TEST(events_of("data: 12\n\ndata: 123\n\n", small) == "[|12]too long");
}

BOOST_AUTO_TEST_CASE(a_message_is_told_by_what_it_has) {
  const auto call = read_message(R"({"id":"a","method":"tools/call","params":{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  BOOST_TEST(call.value().request_ids.front() == R"("a")");
  BOOST_TEST((call->is_stateless() && call->name == "t" && call->method == "tools/call"));
  const auto read = read_message(R"({"id":1,"method":"resources/read","params":{"uri":"x://y","_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}})");
  BOOST_TEST((!read.value().is_stateless() && read->name == "x://y"));
  BOOST_TEST(read_message(R"({"method":"notifications/cancelled","params":{"requestId":3}})").value().cancelled == "3");
  BOOST_TEST(read_message(R"({"id":null,"error":{"code":1,"message":"x"}})").value().response_ids.front() == "null");
  for (const std::string_view text : {"", "1", "{}", R"({"id":1})", R"({"id":1.5,"method":"x"})", R"({"id":null,"method":"x"})", R"({"id":1,"method":2})", "[]"})
    BOOST_TEST(!read_message(std::string(text)).has_value(), text);
}

BOOST_AUTO_TEST_CASE(mirrored_arguments_are_those_of_the_schema_alone) {
  ToolHeaders tools;
  tools.learn(R"({"result":{"tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"integer","x-mcp-header":"B"},
                 "c":{"anyOf":[{"properties":{"d":{"type":"string","x-mcp-header":"D"}}}]}}}}]}})");
  const auto fields = tools.of("t", R"({"params":{"arguments":{"a":"","b":null,"c":{"d":"x"},"e":"y"}}})");
  BOOST_TEST(fields.size() == 1U);
  BOOST_TEST((fields.front() == std::pair<std::string, std::string>("Mcp-Param-A", "")));
  BOOST_TEST(tools.of("other", R"({"params":{"arguments":{"a":"x"}}})").empty());
}

BOOST_AUTO_TEST_CASE(words_hold_no_value_of_a_header) {
  const Headers headers = {{"Authorization", "Bearer s3cret"}};
  const std::string moved = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: https://";
  BOOST_TEST(words_of(moved + "other.test/s3cret\r\n\r\n", headers).find("to https://other.test;") != std::string::npos);
  BOOST_TEST(words_of(moved + "S3CRET.other.test/\r\n\r\n", headers).find("to elsewhere;") != std::string::npos);
  const std::string closed = "HTTP/1.1 401 s3cret\r\nContent-Length: 0\r\nWWW-Authenticate: Bearer s3cret\r\n\r\n";
  BOOST_TEST(words_of(closed, headers).find("s3cret") == std::string::npos);
  BOOST_TEST(words_of(closed, {}).find(R"("Bearer TOKEN")") != std::string::npos);
  const auto elsewhere = headers_of_tool(R"({"url":"https://other.test/","headers":{"Authorization":"s3cret"}})", "https://example.com/mcp");
  BOOST_TEST(elsewhere.error().text.find("at another URL") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
