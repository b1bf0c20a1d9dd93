// SPDX-License-Identifier: Apache-2.0
//
// Sessions: revisions 2025-03-26 to 2025-11-25.
#include <boost/test/unit_test.hpp>
#include <string>

#include "mcp_bench.hpp"

using namespace lnk::test;

namespace {

constexpr std::string_view kAsks = R"({"tools":[{"name":"files","allow":{},"ask":"all","roots":[]}]})";
constexpr std::string_view kAsksNone = R"({"tools":[{"name":"files","allow":{},"ask":"none","roots":[]}]})";
constexpr std::string_view kCall =
    R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/hosts"}}})";

std::string result(const std::string& line, std::string_view json) {
  return R"({"jsonrpc":"2.0","id":)" + number_of(line) + R"(,"result":)" + std::string(json) + '}';
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The server says which tools it has.
void list_tools(McpBench& bench, lnk_id tool, std::string_view tools = R"([{"name":"read_file","annotations":{"readOnlyHint":true}}])") {
  const auto line = bench.take_line(tool);
  BOOST_REQUIRE_MESSAGE(has(line, "tools/list"), line);
  bench.line(tool, result(line, R"({"tools":)" + std::string(tools) + '}'));
}

}  // namespace

BOOST_AUTO_TEST_CASE(initialize_starts_a_server_and_gives_a_session_without_roots) {
  McpBench bench(kAsks);
  const auto call = bench.post(kInitialize);
  BOOST_REQUIRE(bench.tools.size() == 1U);
  BOOST_TEST(bench.tools[0].second == "files");
  BOOST_TEST(bench.calls[call].status == 0U);
  bench.started(bench.tools[0].first);
  const auto line = bench.take_line(bench.tools[0].first);
  BOOST_TEST(line ==
             R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
             R"("capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})");
  bench.line(bench.tools[0].first, result(line, R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}})"));
  BOOST_TEST(bench.calls[call].status == 200U);
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.calls[call].fields["Content-Type"] == "application/json");
  BOOST_TEST(bench.calls[call].fields["Mcp-Session-Id"].size() == 43U);
  BOOST_TEST(bench.calls[call].body ==
             R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}})");
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_call_is_sent_after_a_yes_and_its_reply_comes_as_an_event) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, kCall);
  BOOST_TEST(bench.calls[call].status == 200U);
  BOOST_TEST(bench.calls[call].fields["Content-Type"] == "text/event-stream");
  BOOST_TEST(has(bench.calls[call].body, "id: 2-0\nretry: 1000\ndata: \n\n"));
  list_tools(bench, tool);
  BOOST_REQUIRE(bench.asked.size() == 1U);
  BOOST_TEST(bench.asked[0].title == "Let the tool server \"files\" run read_file?");
  BOOST_REQUIRE(bench.asked[0].lines.size() == 2U);
  BOOST_TEST(bench.asked[0].lines[0] == "path: \"/etc/hosts\"");
  BOOST_TEST(bench.asked[0].lines[1] == "the server says: readOnlyHint true");
  BOOST_TEST(bench.take_lines(tool).empty());
  bench.answer(bench.asked[0], LNK_ANSWER_YES);
  const auto line = bench.take_line(tool);
  BOOST_TEST(has(line, R"("method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/hosts"}})"));
  bench.line(tool, result(line, R"({"content":[]})"));
  BOOST_TEST(has(bench.calls[call].body, "id: 2-1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\n"));
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_no_and_silence_are_results_in_words_that_differ) {
  for (const std::uint32_t answer : {LNK_ANSWER_NO, LNK_ANSWER_TIMED_OUT}) {
    McpBench bench(kAsks);
    const auto session = begin_session(bench);
    const auto call = bench.post_in(session, kCall);
    list_tools(bench, bench.tools[0].first);
    bench.answer(bench.asked.at(0), answer);
    BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
    BOOST_TEST(has(bench.calls[call].body, R"("isError":true)"));
    BOOST_TEST(has(bench.calls[call].body, answer == LNK_ANSWER_NO ? "said no" : "nobody answered in two minutes"));
    BOOST_TEST(bench.calls[call].is_over);
    BOOST_TEST(bench.faults.empty());
  }
}

BOOST_AUTO_TEST_CASE(with_ask_none_a_call_goes_at_once) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(session, kCall));
  BOOST_TEST(has(bench.take_line(bench.tools[0].first), "tools/call"));
  BOOST_TEST(bench.asked.empty());
}
