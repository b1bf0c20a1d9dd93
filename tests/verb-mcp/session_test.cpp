// SPDX-License-Identifier: Apache-2.0
//
// Sessions: revisions 2025-03-26 to 2025-11-25.
#include <boost/test/unit_test.hpp>
#include <string>

#include "mcp_bench.hpp"

using namespace lnk::test;

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
  BOOST_REQUIRE(list_tools(bench, tool));
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
  BOOST_TEST(
      has(bench.calls[call].body, "id: 2-1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]}}\n\n"));
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_no_and_silence_are_results_in_words_that_differ) {
  for (const std::uint32_t answer : {LNK_ANSWER_NO, LNK_ANSWER_TIMED_OUT}) {
    McpBench bench(kAsks);
    const auto session = begin_session(bench);
    const auto call = bench.post_in(session, kCall);
    BOOST_REQUIRE(list_tools(bench, bench.tools[0].first));
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

BOOST_AUTO_TEST_CASE(what_belongs_to_a_session_is_refused_without_one) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  BOOST_TEST(bench.calls[bench.post(kCall)].status == 400U);
  BOOST_TEST(bench.calls[bench.post_in("wrong", kCall)].status == 404U);
  BOOST_TEST(bench.calls[bench.request("GET", {{"Accept", "text/event-stream"}})].status == 400U);
  BOOST_TEST(bench.calls[bench.request("GET", {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", "wrong"}})].status == 404U);
  BOOST_TEST(bench.calls[bench.request("DELETE", {{"Mcp-Session-Id", "wrong"}})].status == 404U);
  BOOST_TEST(bench.calls[bench.post(kCall, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "1999-01-01"}})].status == 400U);
  BOOST_TEST(bench.calls[bench.post_in(session, kInitialize)].status == 400U);
  BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
  BOOST_TEST(bench.calls[bench.post(kCall, {{"Mcp-Session-Id", session}})].status == 200U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(delete_ends_the_session_and_its_server) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const auto open = bench.post_in(session, kCall);
  const auto ended = bench.request("DELETE", {{"Mcp-Session-Id", session}});
  BOOST_TEST(bench.calls[ended].status == 200U);
  BOOST_TEST(bench.calls[open].is_over);
  BOOST_TEST(has(bench.calls[open].body, "the client ended the session"));
  BOOST_REQUIRE(bench.stopped.size() == 1U);
  BOOST_TEST(bench.stopped[0] == bench.tools[0].first);
  BOOST_TEST(bench.calls[bench.post_in(session, kCall)].status == 404U);
  bench.line(bench.tools[0].first, R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})");
  bench.exited(bench.tools[0].first, 0);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_method_outside_the_table_is_refused_in_words_and_not_sent) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  for (const char* method :
       {"tools/delete", "roots/list", "sampling/createMessage", "server/discover", "Tools/call", "tools/call "}) {
    const auto call = bench.post_in(session, R"({"jsonrpc":"2.0","id":3,"method":")" + std::string(method) + R"(","params":{}})");
    BOOST_TEST(bench.calls[call].status == 200U, method);
    BOOST_TEST(has(bench.calls[call].body, "-32601"), method);
  }
  const auto note = bench.post_in(session, R"({"jsonrpc":"2.0","method":"notifications/other"})");
  BOOST_TEST(bench.calls[note].status == 400U);
  BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(members_that_no_table_has_stay_behind) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(
      session,
      R"({"jsonrpc":"2.0","ID":9,"id":3,"Method":"x","method":"tools/call","params":{"name":"a","Name":"b","arguments":{"x":1},"roots":[]}})"));
  BOOST_TEST(has(bench.take_line(bench.tools[0].first), R"("method":"tools/call","params":{"name":"a","arguments":{"x":1}}})"));
}

BOOST_AUTO_TEST_CASE(roots_are_the_tools_own_and_never_the_clients) {
  McpBench bench(R"({"tools":[{"name":"files","allow":{},"ask":"none","roots":["/home/ann/my notes","/s\u00e9"]}]})");
  const auto begun = bench.post(kInitialize);
  const lnk_id tool = bench.tools[0].first;
  bench.started(tool);
  const auto line = bench.take_line(tool);
  BOOST_TEST(has(line, R"("capabilities":{"sampling":{},"roots":{}})"));
  bench.line(tool, result(line, R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}})"));
  const auto session = bench.calls[begun].fields["Mcp-Session-Id"];
  BOOST_TEST(bench.calls[bench.post_in(session, R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})")].status ==
             202U);
  BOOST_TEST(bench.take_lines(tool).empty());
  bench.line(tool, R"({"jsonrpc":"2.0","id":"r","method":"roots/list"})");
  BOOST_TEST(bench.take_line(tool) ==
             R"({"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///home/ann/my%20notes"},{"uri":"file:///s%C3%A9"}]}})");
  const auto claimed = bench.post_in(session, R"({"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///"}]}})");
  BOOST_TEST(bench.calls[claimed].status == 400U);
  BOOST_TEST(bench.take_lines(tool).empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_for_roots_is_told_no_where_there_are_none) {
  McpBench bench(kAsksNone);
  static_cast<void>(begin_session(bench));
  bench.line(bench.tools[0].first, R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  BOOST_TEST(has(bench.take_line(bench.tools[0].first), "-32601"));
}

BOOST_AUTO_TEST_CASE(what_a_server_asks_is_carried_in_and_only_its_answer_back) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, kCall);
  static_cast<void>(bench.take_line(tool));
  bench.line(tool, R"({"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[]}})");
  BOOST_TEST(has(bench.calls[call].body, R"("method":"sampling/createMessage")"));
  const auto sent = bench.calls[call].body;
  const auto number = number_of(sent.substr(sent.rfind("data: ")));
  BOOST_TEST(bench.calls[bench.post_in(session, R"({"jsonrpc":"2.0","id":"s1","result":{}})")].status == 400U);
  const auto good = R"({"jsonrpc":"2.0","id":)" + number + R"(,"result":{"role":"assistant"}})";
  BOOST_TEST(bench.calls[bench.post_in(session, good)].status == 202U);
  BOOST_TEST(bench.take_line(tool) == R"({"jsonrpc":"2.0","id":"s1","result":{"role":"assistant"}})");
  BOOST_TEST(bench.calls[bench.post_in(session, good)].status == 400U);
  bench.line(tool, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}})");
  BOOST_TEST(has(bench.take_line(tool), "-32601"));
}

BOOST_AUTO_TEST_CASE(progress_goes_to_its_request_under_the_clients_token) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto other = bench.post_in(session, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const auto call = bench.post_in(
      session, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"mine"}}})");
  static_cast<void>(bench.take_line(tool));
  const auto line = bench.take_line(tool);
  const auto number = number_of(line);
  BOOST_TEST(has(line, R"("progressToken":)" + number));
  const auto said = R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)";
  bench.line(tool, said + number + R"(,"progress":1}})");
  BOOST_TEST(has(bench.calls[call].body, R"("progressToken":"mine","progress":1)"));
  const auto before = bench.calls[other].body;
  bench.line(tool, std::string(said) + "999,\"progress\":1}}");
  BOOST_TEST(bench.calls[other].body == before);
}

BOOST_AUTO_TEST_CASE(a_stream_that_broke_is_resumed_with_its_own_events_alone) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto broken = bench.post_in(session, kCall);
  const auto first = bench.take_line(tool);
  const auto other = bench.post_in(session, R"({"jsonrpc":"2.0","id":8,"method":"tools/list"})");
  const auto second = bench.take_line(tool);
  bench.gone(broken);
  BOOST_TEST(bench.take_lines(tool).empty());  // a broken connection cancels nothing
  bench.line(tool, result(first, R"({"content":["one"]})"));
  bench.line(tool, result(second, R"({"tools":[]})"));
  BOOST_TEST(has(bench.calls[other].body, R"({"tools":[]})"));
  const Fields ask = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}, {"Last-Event-ID", "2-0"}};
  const auto resumed = bench.request("GET", ask);
  BOOST_TEST(bench.calls[resumed].status == 200U);
  BOOST_TEST(has(bench.calls[resumed].body, R"(id: 2-1)"));
  BOOST_TEST(has(bench.calls[resumed].body, R"({"content":["one"]})"));
  BOOST_TEST(!has(bench.calls[resumed].body, "tools"));
  BOOST_TEST(bench.calls[resumed].is_over);
  for (const char* last : {"99-1", "2-7", "x", "2", "-1", "02-0"}) {
    const auto refused =
        bench.request("GET", {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}, {"Last-Event-ID", last}});
    BOOST_TEST(bench.calls[refused].status == 400U, last);
  }
}

BOOST_AUTO_TEST_CASE(the_stream_of_no_request_gets_what_came_before_and_after) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
  const Fields fields = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}};
  const auto call = bench.request("GET", fields);
  BOOST_TEST(has(bench.calls[call].body, "id: 0-1\n"));
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/prompts/list_changed"})");
  BOOST_TEST(has(bench.calls[call].body, "id: 0-2\n"));
  BOOST_TEST(bench.calls[bench.request("GET", fields)].status == 409U);
  bench.gone(call);
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  const auto again = bench.request("GET", fields);
  BOOST_TEST(has(bench.calls[again].body, "id: 0-3\n"));
  BOOST_TEST(!has(bench.calls[again].body, "id: 0-2\ne"));
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/unknown"})");
  BOOST_TEST(!has(bench.calls[again].body, "unknown"));
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_ends_and_its_server_is_told_by_its_own_number) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, kCall);
  const auto line = bench.take_line(tool);
  const std::string cancel =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"changed my mind"}})";
  BOOST_TEST(bench.calls[bench.post_in(session, cancel)].status == 202U);
  BOOST_TEST(bench.take_line(tool) == R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                                          number_of(line) + R"(,"reason":"changed my mind"}})");
  BOOST_TEST(bench.calls[call].is_over);
  bench.line(tool, result(line, "{}"));
  BOOST_TEST(bench.calls[bench.post_in(session, cancel)].status == 202U);
  BOOST_TEST(bench.take_lines(tool).empty());
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_is_an_error_in_words_and_the_next_call_starts_it_with_the_kept_initialize) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const auto call = bench.post_in(session, kCall);
  bench.exited(bench.tools[0].first, 3);
  BOOST_TEST(has(bench.calls[call].body, "ended with exit code 3; the next call starts it again"));
  BOOST_TEST(bench.calls[call].is_over);
  const auto next = bench.post_in(session, kCall);
  BOOST_REQUIRE(bench.tools.size() == 2U);
  const lnk_id tool = bench.tools[1].first;
  bench.started(tool);
  const auto line = bench.take_line(tool);
  BOOST_TEST(has(line, R"("method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}})"));
  BOOST_TEST(bench.take_lines(tool).empty());
  bench.line(tool, result(line, R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}})"));
  BOOST_TEST(bench.take_line(tool) == R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  const auto sent = bench.take_line(tool);
  BOOST_TEST(has(sent, "tools/call"));
  bench.line(tool, result(sent, R"({"content":[]})"));
  BOOST_TEST(has(bench.calls[next].body, R"({"content":[]})"));
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_cant_start_or_speaks_another_revision_begins_no_session) {
  McpBench bench(kAsksNone);
  const auto call = bench.post(kInitialize);
  bench.started(bench.tools[0].first, LNK_E_UPSTREAM);
  BOOST_TEST(has(bench.calls[call].body, "could not be started outside"));
  const auto again = bench.post(kInitialize);
  const lnk_id tool = bench.tools.back().first;
  bench.started(tool);
  bench.line(tool, result(bench.take_line(tool), R"({"protocolVersion":"2031-01-01","capabilities":{},"serverInfo":{}})"));
  BOOST_TEST(has(bench.calls[again].body, "-32022"));
  BOOST_TEST(bench.stopped.size() == 1U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(lines_that_are_no_messages_are_dropped) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, kCall);
  const auto before = bench.calls[call].body;
  const auto number = number_of(bench.take_line(tool));
  for (const std::string& line : {std::string("Server running on stdio"), std::string(), std::string("[]"), std::string("{}"),
                                  "{\"jsonrpc\":\"2.0\",\"id\":" + number + "}",
                                  "{\"jsonrpc\":\"2.0\",\"id\":" + number + ",\"id\":" + number + ",\"result\":{}}",
                                  "{\"jsonrpc\":\"2.0\",\"id\":\"" + number + "\",\"result\":{}}",
                                  "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":" + number + ",\"result\":{}}"})
    bench.line(tool, line);
  BOOST_TEST(bench.calls[call].body == before);
  bench.pass(11 * 60 * 1000);
  BOOST_TEST(has(bench.calls[call].body, "said nothing of this for ten minutes; 7 of its lines could not be read"));
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_slow_client_pauses_its_server_and_gets_all_of_it) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, kCall);
  const auto line = bench.take_line(tool);
  bench.bench().answer_with(LNK_ACTION_STREAM, LNK_E_AGAIN);
  bench.line(tool, result(line, "{\"text\":\"" + std::string(5 * 1024 * 1024, 'x') + "\"}"));
  BOOST_REQUIRE(bench.paused.size() == 1U);
  BOOST_TEST(bench.calls[call].body.size() < 256U * 1024);
  bench.bench().answer_with(LNK_ACTION_STREAM, LNK_OK);
  bench.drained(call);
  BOOST_TEST(bench.calls[call].body.size() > 5U * 1024 * 1024);
  BOOST_TEST(bench.calls[call].is_over);
  BOOST_TEST(bench.resumed.size() == 1U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(sessions_are_limited_and_idle_ones_end) {
  McpBench bench(kAsksNone);
  std::vector<std::string> sessions;
  for (int i = 0; i < 16; ++i) sessions.push_back(begin_session(bench));
  const auto refused = bench.post(kInitialize);
  BOOST_TEST(bench.calls[refused].status == 503U);
  bench.pass(2 * 60 * 1000);
  BOOST_TEST(bench.calls[bench.post_in(sessions[0], R"({"jsonrpc":"2.0","method":"notifications/initialized"})")].status == 202U);
  // The oldest that is idle gives way; its server is still ending.
  static_cast<void>(bench.post(kInitialize));
  BOOST_TEST(bench.stopped.size() == 1U);
  BOOST_TEST(bench.calls[bench.post_in(sessions[1], kCall)].status == 404U);
  bench.exited(bench.stopped[0], 0);
  static_cast<void>(begin_session(bench));
  bench.pass(31 * 60 * 1000);
  BOOST_TEST(bench.stopped.size() >= 16U);
  BOOST_TEST(bench.calls[bench.post_in(sessions[0], kCall)].status == 404U);
  BOOST_TEST(bench.faults.empty());
}

BOOST_AUTO_TEST_CASE(a_quiet_stream_is_kept_alive) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  const auto call = bench.post_in(session, kCall);
  bench.pass(31 * 1000);
  BOOST_TEST(has(bench.calls[call].body, "\n\n:\n\n"));
}

BOOST_AUTO_TEST_CASE(requests_of_a_session_that_wait_are_limited) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  for (int i = 0; i < 64; ++i)
    static_cast<void>(bench.post_in(session, R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"ping"})"));
  BOOST_TEST(bench.take_lines(bench.tools[0].first).size() == 64U);
  const auto over = bench.post_in(session, R"({"jsonrpc":"2.0","id":64,"method":"ping"})");
  BOOST_TEST(has(bench.calls[over].body, "64 requests wait"));
  BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_reads_nothing_is_ended) {
  McpBench bench(kAsksNone);
  const auto session = begin_session(bench);
  bench.bench().answer_with(LNK_ACTION_TOOL_SEND, LNK_E_AGAIN);
  const std::string large(3 * 1024 * 1024, 'x');
  std::vector<lnk_id> calls;
  for (int i = 0; i < 8; ++i)
    calls.push_back(bench.post_in(session, R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
                                               R"(,"method":"tools/call","params":{"name":"w","arguments":{"x":")" + large +
                                               "\"}}}"));
  BOOST_TEST(bench.stopped.size() == 1U);
  BOOST_TEST(has(bench.calls[calls[0]].body, "doesn't read what it is sent"));
  BOOST_TEST(bench.faults.empty());
}
