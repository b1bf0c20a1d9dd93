// SPDX-License-Identifier: Apache-2.0
//
// Revision 2026-07-28: no sessions, and fields that repeat what the message says.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "mcp_bench.hpp"

using namespace lnk::test;

namespace {

std::string meta(std::string_view capabilities = "{}", std::string_view more = {}, std::string_view version = "2026-07-28") {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(version) +
         R"(","io.modelcontextprotocol/clientCapabilities":)" + std::string(capabilities) + std::string(more) + '}';
}

std::string request(std::string_view id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}

Fields fields(std::string_view method, std::string_view name = {}) {
  Fields made = {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method}};
  if (!name.empty()) made.emplace_back("Mcp-Name", name);
  return made;
}

std::string call_of(std::string_view id, std::string_view more = {}) {
  return request(id, "tools/call", R"("name":"w","arguments":{},)" + (more.empty() ? meta() : std::string(more)));
}

constexpr std::string_view kDiscovered =
    R"({"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2031-01-01"],"capabilities":{}})";

/// The verb's own probe is answered; the server is of this family.
lnk_id begin(McpBench& bench) {
  const lnk_id tool = bench.tools.back().first;
  bench.started(tool);
  const auto line = bench.take_line(tool);
  BOOST_REQUIRE(has(line, "server/discover"));
  bench.line(tool, result(line, kDiscovered));
  return tool;
}

/// Lists the tools, and answers the verb's own subscription with nothing.
void list_stateless(McpBench& bench, lnk_id tool, std::string_view tools = R"([{"name":"w"}])") {
  BOOST_TEST(has(bench.take_line(tool), R"("notifications":{"toolsListChanged":true})"));
  const auto line = bench.take_line(tool);
  BOOST_REQUIRE(has(line, "tools/list"));
  bench.line(tool, result(line, R"({"resultType":"complete","tools":)" + std::string(tools) + '}'));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_fields_are_held_against_the_message) {
  struct Row {
    Fields fields;
    std::string body;
    std::uint32_t status;
    const char* code;
  };
  const auto good = call_of("1");
  const std::vector<Row> rows = {
      {{{"Mcp-Method", "tools/call"}, {"Mcp-Name", "w"}}, good, 400, "-32020"},
      {{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Name", "w"}}, good, 400, "-32020"},
      {fields("tools/call"), good, 400, "-32020"},
      {fields("tools/list", "w"), good, 400, "-32020"},
      {fields("tools/call", "x"), good, 400, "-32020"},
      {fields("tools/call", "W"), good, 400, "-32020"},
      {fields("tools/call", "=?base64?eA==?="), good, 400, "-32020"},
      {fields("tools/call", "=?base64?dw=?="), good, 400, "-32020"},
      {fields("tools/call", "=?base64?/w==?="), good, 400, "-32020"},
      {{{"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "w"}}, good, 400, "-32020"},
      {{{"MCP-Protocol-Version", "v9"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "w"}},
       call_of("1", meta("{}", {}, "v9")),
       400,
       "-32022"},
      {fields("tools/call", "w"), call_of("1", R"("_meta":{})"), 400, "-32602"},
      {fields("tools/call", "w"), call_of("1", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"), 400,
       "-32602"},
      {fields("initialize"), request("1", "initialize", meta()), 404, "-32601"},
      {fields("ping"), request("1", "ping", meta()), 404, "-32601"},
      {fields("resources/subscribe"), request("1", "resources/subscribe", meta()), 404, "-32601"},
      {fields("tools/call", "w"), R"({"jsonrpc":"2.0","id":1,"result":{}})", 400, "-32600"},
  };
  for (const auto& row : rows) {
    McpBench bench(kAsksNone);
    const auto call = bench.post(row.body, row.fields);
    BOOST_TEST(bench.calls[call].status == row.status, row.body);
    BOOST_TEST(has(bench.calls[call].body, row.code), bench.calls[call].body);
    BOOST_TEST(bench.tools.empty());
  }
  for (const char* name : {"w", "=?base64?dw==?="}) {
    McpBench bench(kAsksNone);
    static_cast<void>(bench.post(good, fields("tools/call", name)));
    BOOST_TEST(bench.tools.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_call_waits_for_the_probe_and_is_answered_as_one_message) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("\"a\"", "tools/list", meta(R"({"roots":{},"sampling":{}})")), fields("tools/list"));
  const lnk_id tool = begin(bench);
  const auto line = bench.take_line(tool);
  BOOST_TEST(has(line, R"("io.modelcontextprotocol/clientCapabilities":{"sampling":{}})"));
  bench.line(tool, result(line, R"({"resultType":"complete","tools":[]})"));
  BOOST_TEST(bench.calls[call].status == 200U);
  BOOST_TEST(bench.calls[call].fields["Content-Type"] == "application/json");
  BOOST_TEST(bench.calls[call].fields.count("Mcp-Session-Id") == 0U);
  BOOST_TEST(bench.calls[call].body == R"({"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","tools":[]}})");
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(two_clients_of_one_server_may_use_one_id) {
  McpBench bench(kAsksNone);
  const auto first = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
  const lnk_id tool = begin(bench);
  const auto second = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
  const auto one = bench.take_line(tool);
  const auto two = bench.take_line(tool);
  BOOST_TEST(number_of(one) != number_of(two));
  bench.line(tool, result(two, R"({"prompts":["second"]})"));
  bench.line(tool, result(one, R"({"prompts":["first"]})"));
  BOOST_TEST(has(bench.calls[first].body, R"("id":1,"result":{"prompts":["first"]})"));
  BOOST_TEST(has(bench.calls[second].body, R"("id":1,"result":{"prompts":["second"]})"));
  BOOST_TEST(bench.tools.size() == 1U);
}

BOOST_AUTO_TEST_CASE(errors_of_a_server_have_their_status) {
  const std::vector<std::pair<const char*, std::uint32_t>> rows = {
      {"-32601", 404}, {"-32021", 400}, {"-32022", 400}, {"-32602", 200}, {"-1", 200}};
  for (const auto& [code, status] : rows) {
    McpBench bench(kAsksNone);
    const auto call = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
    const lnk_id tool = begin(bench);
    bench.line(tool, R"({"jsonrpc":"2.0","id":)" + number_of(bench.take_line(tool)) + R"(,"error":{"code":)" + code +
                         R"(,"message":"m"}})");
    BOOST_TEST(bench.calls[call].status == status, code);
  }
}

BOOST_AUTO_TEST_CASE(a_server_with_sessions_is_named_so_that_a_client_of_both_goes_on) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("1", "server/discover", meta()), fields("server/discover"));
  const lnk_id tool = bench.tools[0].first;
  bench.started(tool);
  bench.line(tool, R"({"jsonrpc":"2.0","id":)" + number_of(bench.take_line(tool)) + R"(,"error":{"code":-32601,"message":"no"}})");
  BOOST_TEST(bench.calls[call].status == 400U);
  BOOST_TEST(has(bench.calls[call].body, R"("code":-32022)"));
  BOOST_TEST(has(bench.calls[call].body, R"("supported":["2025-11-25","2025-06-18","2025-03-26"])"));
  BOOST_TEST(bench.stopped.size() == 1U);
  const auto again = bench.post(request("1", "server/discover", meta()), fields("server/discover"));
  BOOST_TEST(bench.calls[again].status == 400U);
  BOOST_TEST(bench.tools.size() == 1U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(versions_that_the_verb_does_not_speak_are_not_offered) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("1", "server/discover", meta()), fields("server/discover"));
  const lnk_id tool = begin(bench);
  bench.line(tool, result(bench.take_line(tool), kDiscovered));
  BOOST_TEST(has(bench.calls[call].body, R"("supportedVersions":["2026-07-28","2025-11-25"])"));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_connection_cancels) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
  const lnk_id tool = begin(bench);
  const auto line = bench.take_line(tool);
  bench.gone(call);
  BOOST_TEST(has(bench.take_line(tool), R"("method":"notifications/cancelled","params":{"requestId":)" + number_of(line)));
  bench.line(tool, result(line, "{}"));
  BOOST_TEST(bench.calls[call].status == 0U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_subscription_is_a_stream_under_the_clients_id) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("\"sub\"", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)" + meta()),
                               fields("subscriptions/listen"));
  const lnk_id tool = begin(bench);
  const auto number = number_of(bench.take_line(tool));
  const auto under = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + number + '}';
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)" + under +
                       R"(,"notifications":{}}})");
  BOOST_TEST(bench.calls[call].fields["Content-Type"] == "text/event-stream");
  BOOST_TEST(has(bench.calls[call].body, R"("io.modelcontextprotocol/subscriptionId":"sub")"));
  BOOST_TEST(!has(bench.calls[call].body, "id: "));
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  BOOST_TEST(!has(bench.calls[call].body, "list_changed"));
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{)" + under + "}}");
  BOOST_TEST(has(bench.calls[call].body, "list_changed"));
  bench.pass(30 * 60 * 1000);
  BOOST_TEST(!bench.calls[call].is_over);
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + number + "}}");
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_list_that_nobody_watches_is_read_before_each_call_that_may_go_unasked) {
  enum class Watch { Refused, NeverTaken, TakenWithoutTools, AnothersWord, Ended, Cancelled, Taken };
  for (const Watch watch : {Watch::Refused, Watch::NeverTaken, Watch::TakenWithoutTools, Watch::AnothersWord, Watch::Ended,
                            Watch::Cancelled, Watch::Taken}) {
    McpBench bench(R"({"tools":[{"name":"files","allow":{"w":"d97922556d1c28a67d85d0f64c72b06e626d9b5bcc136f66e7c1fef0ecc545f7"},)"
                   R"("ask":"all","roots":[]}]})");
    static_cast<void>(bench.post(call_of("1"), fields("tools/call", "w")));
    const lnk_id tool = begin(bench);
    const auto line = bench.take_line(tool);
    BOOST_REQUIRE(has(line, "subscriptions/listen"));
    const auto number = number_of(line);
    const auto acknowledge = [&](const std::string& of, std::string_view granted) {
      bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{)"
                       R"("io.modelcontextprotocol/subscriptionId":)" + of + R"(},"notifications":{)" + std::string(granted) + "}}}");
    };
    if (watch == Watch::Refused)
      bench.line(tool, R"({"jsonrpc":"2.0","id":)" + number + R"(,"error":{"code":-32601,"message":"no"}})");
    if (watch == Watch::TakenWithoutTools) acknowledge(number, "");
    if (watch == Watch::AnothersWord) acknowledge("99", R"("toolsListChanged":true)");
    if (watch >= Watch::Ended) acknowledge(number, R"("toolsListChanged":true)");
    const auto list = bench.take_line(tool);
    BOOST_REQUIRE(has(list, "tools/list"));
    bench.line(tool, result(list, R"({"resultType":"complete","tools":[{"name":"w"}]})"));
    BOOST_TEST(has(bench.take_line(tool), "tools/call"));
    if (watch == Watch::Ended) bench.line(tool, result(line, R"({"resultType":"complete"})"));
    if (watch == Watch::Cancelled)
      bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + number + "}}");
    static_cast<void>(bench.post(call_of("2"), fields("tools/call", "w")));
    BOOST_TEST(has(bench.take_line(tool), "tools/list") == (watch != Watch::Taken), static_cast<int>(watch));
    BOOST_TEST(bench.faults.empty());
  }
}

BOOST_AUTO_TEST_CASE(requests_of_a_server_are_not_of_this_family) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
  const lnk_id tool = begin(bench);
  static_cast<void>(bench.take_line(tool));
  bench.line(tool, R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}})");
  BOOST_TEST(has(bench.take_line(tool), "-32601"));
  BOOST_TEST(bench.calls[call].body.empty());
}

BOOST_AUTO_TEST_CASE(roots_that_are_asked_for_are_the_tools_own) {
  McpBench bench(R"({"tools":[{"name":"files","allow":{},"ask":"none","roots":["/n"]}]})");
  const auto call = bench.post(call_of("1"), fields("tools/call", "w"));
  const lnk_id tool = begin(bench);
  list_stateless(bench, tool);
  const auto line = bench.take_line(tool);
  BOOST_TEST(has(line, R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}})"));
  bench.line(
      tool,
      result(
          line,
          R"({"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"},"e":{"method":"elicitation/create"}},"requestState":"s"})"));
  BOOST_TEST(has(bench.calls[call].body, R"("inputRequests":{"e":{"method":"elicitation/create"}})"));
  const auto retry = call_of(
      "2", R"("inputResponses":{"e":{"action":"accept"},"r":{"roots":[{"uri":"file:///"}]},"q":{"Roots":[]}},"requestState":"s",)" +
               meta());
  const auto again = bench.post(retry, fields("tools/call", "w"));
  const auto second = bench.take_line(tool);
  BOOST_TEST(has(second, R"("inputResponses":{"e":{"action":"accept"}},"requestState":"s")"));
  bench.line(tool,
             result(second, R"({"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"t"})"));
  const auto third = bench.take_line(tool);
  BOOST_TEST(has(third, R"("inputResponses":{"r":{"roots":[{"uri":"file:///n"}]}})"));
  BOOST_TEST(has(third, R"("requestState":"t")"));
  BOOST_TEST(bench.calls[again].status == 0U);
  bench.line(tool, result(third, R"({"resultType":"complete","content":[]})"));
  BOOST_TEST(has(bench.calls[again].body, R"("id":2,"result":{"resultType":"complete")"));
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_for_roots_without_end_is_ended_with) {
  McpBench bench(R"({"tools":[{"name":"files","allow":{},"ask":"none","roots":["/n"]}]})");
  const auto call = bench.post(call_of("1"), fields("tools/call", "w"));
  const lnk_id tool = begin(bench);
  list_stateless(bench, tool);
  int rounds = 0;
  for (; rounds < 20 && bench.calls[call].status == 0; ++rounds)
    bench.line(tool,
               result(bench.take_line(tool), R"({"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}})"));
  BOOST_TEST(rounds == 9);
  BOOST_TEST(has(bench.calls[call].body, "again and again"));
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_for_roots_where_there_are_none_is_told_how_to_name_some) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(call_of("1"), fields("tools/call", "w"));
  const lnk_id tool = begin(bench);
  list_stateless(bench, tool);
  bench.line(tool,
             result(bench.take_line(tool), R"({"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}})"));
  BOOST_TEST(has(bench.calls[call].body, "`tool add --root` named none"));
  BOOST_TEST(bench.take_lines(tool).empty());
}

BOOST_AUTO_TEST_CASE(a_call_is_asked_and_a_no_is_a_complete_result) {
  McpBench bench(kAsks);
  const auto call = bench.post(call_of("1"), fields("tools/call", "w"));
  const lnk_id tool = begin(bench);
  list_stateless(bench, tool);
  BOOST_REQUIRE(bench.asked.size() == 1U);
  BOOST_TEST(bench.take_lines(tool).empty());
  bench.pass(16 * 1000);  // it waits as a stream from here on
  BOOST_TEST(bench.calls[call].fields["Content-Type"] == "text/event-stream");
  bench.answer(bench.asked[0], LNK_ANSWER_NO);
  BOOST_TEST(has(bench.calls[call].body,
                 R"("result":{"resultType":"complete","content":[{"type":"text","text":"the person who was asked said no)"));
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_try_again_with_answers_asks_again_and_shows_them) {
  McpBench bench(kAsks);
  static_cast<void>(bench.post(call_of("1", R"("inputResponses":{"e":{"action":"accept"}},"requestState":"s",)" + meta()),
                               fields("tools/call", "w")));
  list_stateless(bench, begin(bench));
  BOOST_REQUIRE(bench.asked.size() == 1U);
  BOOST_TEST(bench.asked[0].lines.at(0) == R"(params.inputResponses: {"e":{"action":"accept"}})");
  BOOST_TEST(bench.asked[0].lines.at(1) == R"(params.requestState: "s")");
}

BOOST_AUTO_TEST_CASE(fields_that_repeat_arguments_are_held_against_them) {
  constexpr std::string_view kTool =
      R"([{"name":"w","inputSchema":{"properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
      R"("in":{"properties":{"n":{"type":"integer","x-mcp-header":"Num"}}}}}}])";
  struct Row {
    const char* arguments;
    Fields fields;
    bool passes;
  };
  const std::vector<Row> rows = {
      {R"({"region":"eu"})", {{"Mcp-Param-Region", "eu"}}, true},
      {R"({"region":"eu"})", {{"mcp-param-region", "=?base64?ZXU=?="}}, true},
      {R"({"in":{"n":42}})", {{"Mcp-Param-Num", "42.0"}}, true},
      {R"({"region":null})", {}, true},
      {R"({})", {{"Mcp-Param-Other", "x"}}, true},
      {R"({"region":"eu"})", {}, false},
      {R"({"region":"eu"})", {{"Mcp-Param-Region", "us"}}, false},
      {R"({"region":"eu"})", {{"Mcp-Param-Region", "=?base64?ZXU?="}}, false},
      {R"({"in":{"n":42}})", {{"Mcp-Param-Num", "43"}}, false},
      {R"({})", {{"Mcp-Param-Region", "eu"}}, false},
  };
  for (const auto& row : rows) {
    McpBench bench(kAsksNone);
    Fields sent = fields("tools/call", "w");
    sent.insert(sent.end(), row.fields.begin(), row.fields.end());
    const auto call =
        bench.post(request("1", "tools/call", R"("name":"w","arguments":)" + std::string(row.arguments) + ',' + meta()), sent);
    const lnk_id tool = begin(bench);
    list_stateless(bench, tool, kTool);
    BOOST_TEST(bench.take_lines(tool).size() == (row.passes ? 1U : 0U), row.arguments);
    if (!row.passes) BOOST_TEST(has(bench.calls[call].body, "-32020"));
    if (!row.passes) BOOST_TEST(bench.calls[call].status == 400U);
  }
}

BOOST_AUTO_TEST_CASE(progress_and_logs_go_to_their_request) {
  McpBench bench(kAsksNone);
  const auto quiet = bench.post(request("1", "prompts/list", meta()), fields("prompts/list"));
  const lnk_id tool = begin(bench);
  static_cast<void>(bench.take_line(tool));
  const auto call =
      bench.post(request("1", "resources/list", meta("{}", R"(,"progressToken":1,"io.modelcontextprotocol/logLevel":"info")")),
                 fields("resources/list"));
  const auto line = bench.take_line(tool);
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"hello"}})");
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + number_of(line) +
                       R"(,"progress":1}})");
  BOOST_TEST(has(bench.calls[call].body, "hello"));
  BOOST_TEST(has(bench.calls[call].body, R"("progressToken":1,"progress":1)"));
  BOOST_TEST(bench.calls[quiet].status == 0U);
}
