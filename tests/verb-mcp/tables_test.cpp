// SPDX-License-Identifier: Apache-2.0
//
// Heads and messages, by tables of twins.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "config.hpp"
#include "mcp_bench.hpp"

using namespace lnk::test;

namespace {

struct HeadRow {
  const char* method;
  Fields fields;
  std::uint32_t status;
};

constexpr std::pair<std::string_view, std::string_view> kType{"Content-Type", "application/json"};
constexpr std::pair<std::string_view, std::string_view> kBoth{"Accept", "application/json, text/event-stream"};
constexpr std::pair<std::string_view, std::string_view> kEvents{"Accept", "text/event-stream"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_post_is_taken_or_refused_on_its_head) {
  const std::vector<HeadRow> rows = {
      {"POST", {kType, kBoth}, 0},
      {"POST", {{"content-type", "application/json; charset=utf-8"}, {"accept", "*/*"}}, 0},
      {"POST", {kType, {"Accept", "text/event-stream;q=0.9"}, {"Accept", "application/*"}}, 0},
      {"POST", {kType, kBoth, {"Origin", "http://localhost:5173"}}, 0},
      {"POST", {kType, kBoth, {"Origin", "http://127.0.0.1"}}, 0},
      {"POST", {kType, kBoth, {"Origin", "http://[::1]:80"}}, 0},
      {"POST", {kType, kBoth, {"Origin", "http://evil.test"}}, 403},
      {"POST", {kType, kBoth, {"Origin", "null"}}, 403},
      {"POST", {kType, kBoth, {"Origin", "http://localhost.evil.test"}}, 403},
      {"POST", {kType, kBoth, {"Origin", "http://localhost:80.evil.test"}}, 403},
      {"POST", {kType, kBoth, {"Origin", "http://127.0.0.1:"}}, 403},
      {"POST", {kType, kBoth, {"Origin", "http://localhost"}, {"Origin", "http://evil.test"}}, 403},
      {"POST", {kBoth}, 415},
      {"POST", {{"Content-Type", "text/plain"}, kBoth}, 415},
      {"POST", {{"Content-Type", "application/json; charset=latin-1"}, kBoth}, 415},
      {"POST", {kType, kType, kBoth}, 415},
      {"POST", {kType, kBoth, {"Content-Encoding", "gzip"}}, 415},
      {"POST", {kType}, 406},
      {"POST", {kType, {"Accept", "application/json"}}, 406},
      {"POST", {kType, kEvents}, 406},
      {"POST", {kType, kBoth, {"Mcp-Session-Id", "a"}, {"Mcp-Session-Id", "b"}}, 400},
      {"PUT", {kType, kBoth}, 405},
      {"OPTIONS", {}, 405},
      {"HEAD", {}, 405},
  };
  for (const auto& row : rows) {
    McpBench bench(kAsksNone);
    lnk::fake::Head head;
    head.method = row.method;
    head.has_body = std::string_view(row.method) == "POST";
    head.fields = row.fields;
    const auto sent = bench.bench().head(1, head);
    BOOST_REQUIRE(sent.actions.size() >= 1U);
    const auto& last = sent.actions.back();
    const std::uint32_t status = last.kind == LNK_ACTION_NEED_BODY ? 0 : last.status;
    BOOST_TEST(status == row.status,
               row.method << ' ' << (row.fields.empty() ? "" : row.fields.back().second) << " gave " << status);
  }
}

BOOST_AUTO_TEST_CASE(a_get_or_delete_is_refused_on_its_head) {
  const std::vector<HeadRow> rows = {
      {"GET", {kEvents}, 400},
      {"GET", {{"Mcp-Session-Id", "x"}}, 406},
      {"GET", {kEvents, {"Mcp-Session-Id", "x"}}, 404},
      {"GET", {kEvents, {"Mcp-Session-Id", "x"}, {"MCP-Protocol-Version", "2026-07-28"}}, 405},
      {"GET", {kEvents, {"Mcp-Session-Id", "x"}, {"MCP-Protocol-Version", "2099-01-01"}}, 400},
      {"DELETE", {}, 400},
      {"DELETE", {{"Mcp-Session-Id", "x"}, {"MCP-Protocol-Version", "2026-07-28"}}, 405},
      {"DELETE", {{"Mcp-Session-Id", "x"}}, 404},
  };
  for (const auto& row : rows) {
    McpBench bench(kAsksNone);
    const auto call = bench.request(row.method, row.fields);
    BOOST_TEST(bench.calls[call].status == row.status, row.method);
    if (row.status == 405U) BOOST_TEST(bench.calls[call].fields["Allow"] == "GET, POST, DELETE");
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_two_readers_could_read_differently_is_none) {
  struct Row {
    std::string body;
    const char* code;
  };
  std::string deep = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)";
  for (int i = 0; i < 70; ++i) deep += '[';
  const std::vector<Row> rows = {
      {"", "-32700"},
      {"{", "-32700"},
      {"\xef\xbb\xbf{}", "-32700"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping"} x)", "-32700"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"})", "-32700"},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xff\"}", "-32700"},
      {deep, "-32700"},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "-32600"},
      {"[]", "-32600"},
      {"1", "-32600"},
      {R"({"id":1,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1,"method":5})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","result":{}})", "-32600"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", "-32602"},
  };
  for (const auto& row : rows) {
    McpBench bench(kAsksNone);
    const auto session = begin_session(bench);
    const auto call = bench.post_in(session, row.body);
    BOOST_TEST(bench.calls[call].status == 400U, row.body.substr(0, 80));
    BOOST_TEST(has(bench.calls[call].body, row.code), row.body.substr(0, 80) << " gave " << bench.calls[call].body);
    BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
  }
}

BOOST_AUTO_TEST_CASE(what_goes_to_the_server_is_one_line_whatever_came) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(session,
                                  "{\n \"jsonrpc\" : \"2.0\",\r\n \"id\": \"a\\nb\", \"method\":\n\"tools/call\", \"params\":"
                                  "{\"name\":\"w\",\n\"arguments\":{\"t\":\"one\\ntwo\\u2028\\r\"}} }\n"));
  const auto line = bench.take_line(bench.tools[0].first);
  BOOST_TEST(line.find('\n') == std::string::npos);
  BOOST_TEST(line.find('\r') == std::string::npos);
  BOOST_TEST(has(line, R"("params":{"name":"w","arguments":{"t":"one\ntwo)"));
}

BOOST_AUTO_TEST_CASE(a_configuration_is_whole_or_refused) {
  using lnk::verb_mcp::parse_config;
  const std::string hash(64, 'a');
  BOOST_TEST(parse_config(R"({"tools":[]})").has_value());
  BOOST_TEST(parse_config(R"({"tools":[{"name":"a-1","allow":{"x":")" + hash + R"("},"ask":"none","roots":["/a"]}]})").has_value());
  for (const std::string& bad :
       {std::string("{}"), std::string("[]"), std::string(R"({"tools":{}})"), std::string(R"({"tools":[{}]})"),
        std::string(R"({"tools":[{"name":"A","allow":{},"ask":"all","roots":[]}]})"),
        std::string(R"({"tools":[{"name":"a/b","allow":{},"ask":"all","roots":[]}]})"),
        std::string(R"({"tools":[{"name":"a","allow":{},"ask":"never","roots":[]}]})"),
        std::string(R"({"tools":[{"name":"a","allow":{},"ask":"all","roots":["relative"]}]})"),
        std::string(R"({"tools":[{"name":"a","allow":{"x":"12"},"ask":"all","roots":[]}]})"),
        std::string(R"({"tools":[{"name":"a","allow":{},"ask":"all","roots":[],"more":1}]})"),
        std::string(
            R"({"tools":[{"name":"a","allow":{},"ask":"all","roots":[]},{"name":"a","allow":{},"ask":"all","roots":[]}]})")})
    BOOST_TEST(!parse_config(bad).has_value(), bad);
}
