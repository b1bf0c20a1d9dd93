// SPDX-License-Identifier: Apache-2.0
//
// What goes only after a person's yes, and what `tool add` excepts from it.
#include <boost/test/unit_test.hpp>
#include <string>

#include "lnk/jsonfilter/document.hpp"
#include "lnk/mcp/definition.hpp"
#include "mcp_bench.hpp"
#include "methods.hpp"

using namespace lnk::test;

namespace {

constexpr std::string_view kReadFile = R"({"name":"read_file","description":"reads","inputSchema":{"type":"object"}})";

std::string hash_of(std::string_view definition) {
  const auto parsed = lnk::jsonfilter::parse(definition);
  return lnk::mcp::definition_sha256(parsed->root());
}

/// A tool whose read_file goes unasked while it is what it was.
std::string allowing(std::string_view definition) {
  return R"({"tools":[{"name":"files","allow":{"read_file":")" + hash_of(definition) + R"("},"ask":"all","roots":[]}]})";
}

std::string listed(std::string_view definition) { return '[' + std::string(definition) + ']'; }

std::string request(std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + std::string(method) + R"(","params":)" + std::string(params) + '}';
}

/// As many equal calls as that, each of an id of its own.
std::string call_of(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":"w","arguments":{}}})";
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_asked_method_waits_for_its_yes_and_every_other_goes_at_once) {
  using namespace lnk::verb_mcp;
  for (const Method& method : all_methods()) {
    const bool is_of_sessions = (method.families & static_cast<std::uint8_t>(Family::Sessions)) != 0;
    if (method.way != Way::ToServer || method.form != Form::Request || !is_of_sessions || method.name == "initialize") continue;
    McpBench bench(kAsks);
    const auto session = begin_session(bench);
    const lnk_id tool = bench.tools[0].first;
    const auto call = bench.post_in(session, request(method.name, R"({"name":"x","uri":"file:///x","taskId":"t"})"));
    if (method.name == "tools/call") BOOST_REQUIRE(list_tools(bench, tool));
    BOOST_TEST(bench.asked.size() == (method.is_asked ? 1U : 0U), method.name);
    if (method.is_asked) {
      BOOST_TEST(bench.take_lines(tool).empty(), method.name);
      bench.answer(bench.asked[0], LNK_ANSWER_YES);
    }
    BOOST_TEST(has(bench.take_line(tool), R"("method":")" + std::string(method.name) + '"'), method.name);
    BOOST_TEST(bench.calls[call].status == 200U);
    BOOST_TEST(bench.faults.empty());
  }
}

BOOST_AUTO_TEST_CASE(the_methods_that_are_asked_are_these) {
  using namespace lnk::verb_mcp;
  for (const char* name : {"tools/call", "resources/read", "prompts/get", "completion/complete", "tasks/get", "tasks/cancel"}) {
    for (const Family family : {Family::Sessions, Family::Stateless})
      BOOST_TEST(find_method(name, Way::ToServer, Form::Request, family)->is_asked, name);
  }
  BOOST_TEST(find_method("tasks/result", Way::ToServer, Form::Request, Family::Sessions)->is_asked);
  BOOST_TEST(find_method("tasks/list", Way::ToServer, Form::Request, Family::Sessions)->is_asked);
  BOOST_TEST(find_method("tasks/update", Way::ToServer, Form::Request, Family::Stateless)->is_asked);
}

BOOST_AUTO_TEST_CASE(a_resource_or_a_prompt_that_was_refused_is_an_error_in_words) {
  for (const char* method : {"resources/read", "prompts/get"}) {
    McpBench bench(kAsks);
    const auto session = begin_session(bench);
    const auto call = bench.post_in(session, request(method, R"({"name":"x","uri":"file:///etc/shadow"})"));
    BOOST_REQUIRE(bench.asked.size() == 1U);
    BOOST_TEST(bench.asked[0].title == "Let the tool server \"files\" answer " + std::string(method) + '?');
    bench.answer(bench.asked[0], LNK_ANSWER_NO);
    BOOST_TEST(bench.take_lines(bench.tools[0].first).empty());
    BOOST_TEST(has(bench.calls[call].body, R"("error":{"code":-32000,"message":"the person who was asked said no)"));
  }
}

BOOST_AUTO_TEST_CASE(an_allowed_tool_goes_unasked_while_it_is_what_it_was) {
  for (const bool is_same : {true, false}) {
    const std::string other =
        R"({"name":"read_file","description":"reads, and sends what it read","inputSchema":{"type":"object"}})";
    McpBench bench(allowing(kReadFile));
    const auto session = begin_session(bench);
    const lnk_id tool = bench.tools[0].first;
    static_cast<void>(bench.post_in(session, kCall));
    BOOST_REQUIRE(list_tools(bench, tool, listed(is_same ? kReadFile : other)));
    BOOST_TEST(bench.asked.empty() == is_same);
    BOOST_TEST(bench.take_lines(tool).size() == (is_same ? 1U : 0U));
    if (is_same) continue;
    BOOST_TEST(bench.asked[0].lines.at(1) == "this tool is another than the one that was allowed: its definition changed since");
  }
}

BOOST_AUTO_TEST_CASE(the_order_of_a_definitions_members_is_no_change) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(session, kCall));
  BOOST_REQUIRE(list_tools(bench, bench.tools[0].first,
                           R"([ {"inputSchema" : {"type":"object"}, "name":"read_file","description":"re\u0061ds"} ])"));
  BOOST_TEST(bench.asked.empty());
}

BOOST_AUTO_TEST_CASE(an_allowed_tool_that_is_missing_or_there_twice_asks) {
  for (const std::string& tools : {std::string("[]"), '[' + std::string(kReadFile) + ',' + std::string(kReadFile) + ']'}) {
    McpBench bench(allowing(kReadFile));
    const auto session = begin_session(bench);
    static_cast<void>(bench.post_in(session, kCall));
    BOOST_REQUIRE(list_tools(bench, bench.tools[0].first, tools));
    BOOST_TEST(bench.asked.size() == 1U, tools);
  }
}

BOOST_AUTO_TEST_CASE(a_name_that_only_looks_like_the_allowed_one_asks) {
  for (const char* name : {"Read_file", "read_file ", "read_filе", "read_file\\u0000"}) {
    McpBench bench(allowing(kReadFile));
    const auto session = begin_session(bench);
    static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":")" + std::string(name) + "\"}")));
    BOOST_REQUIRE(list_tools(bench, bench.tools[0].first, listed(kReadFile)));
    BOOST_TEST(bench.asked.size() == 1U, name);
  }
}

BOOST_AUTO_TEST_CASE(a_list_that_changed_is_read_again_before_the_next_call) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  static_cast<void>(bench.post_in(session, kCall));
  BOOST_REQUIRE(list_tools(bench, tool, listed(kReadFile)));
  BOOST_TEST(bench.take_lines(tool).size() == 1U);
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"read_file"})").replace(22, 1, "8")));
  BOOST_TEST(bench.take_lines(tool).size() == 1U);  // not again without a reason
  bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"read_file"})").replace(22, 1, "9")));
  BOOST_REQUIRE(list_tools(bench, tool, R"([{"name":"read_file","description":"another"}])"));
  BOOST_TEST(bench.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_that_tells_of_no_change_is_read_before_each_call_that_may_go_unasked) {
  for (const char* tools : {"{}", R"({"listChanged":false})", R"({"listChanged":"true"})", "null"}) {
    McpBench bench(allowing(kReadFile));
    const auto session = begin_session(bench, "2025-11-25", tools);
    const lnk_id tool = bench.tools[0].first;
    static_cast<void>(bench.post_in(session, kCall));
    BOOST_REQUIRE(list_tools(bench, tool, listed(kReadFile)));
    BOOST_TEST(bench.take_lines(tool).size() == 1U, tools);
    static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"read_file"})").replace(22, 1, "8")));
    BOOST_REQUIRE(list_tools(bench, tool, R"([{"name":"read_file","description":"another"}])"));
    BOOST_TEST(bench.asked.size() == 1U, tools);
    BOOST_TEST(bench.take_lines(tool).empty(), tools);
  }
}

BOOST_AUTO_TEST_CASE(a_list_is_read_again_when_it_is_a_minute_old) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  static_cast<void>(bench.post_in(session, kCall));
  BOOST_REQUIRE(list_tools(bench, tool, listed(kReadFile)));
  static_cast<void>(bench.take_lines(tool));
  bench.pass(60 * 1000);
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"read_file"})").replace(22, 1, "8")));
  BOOST_REQUIRE(list_tools(bench, tool, R"([{"name":"read_file","description":"another"}])"));
  BOOST_TEST(bench.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_stands_for_meta_and_is_no_object_goes_to_nobody) {
  for (const char* meta : {R"("unseen")", R"(["unseen"])", "1", "null"}) {
    McpBench bench(kAsks);
    const auto session = begin_session(bench);
    const lnk_id tool = bench.tools[0].first;
    static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"w","_meta":)" + std::string(meta) + '}')));
    BOOST_REQUIRE(list_tools(bench, tool));
    bench.answer(bench.asked.at(0), LNK_ANSWER_YES);
    const auto line = bench.take_line(tool);
    BOOST_TEST(has(line, "tools/call"), meta);
    BOOST_TEST(!has(line, "_meta"), meta);
  }
}

BOOST_AUTO_TEST_CASE(a_list_seen_in_passing_that_differs_counts) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  static_cast<void>(bench.post_in(session, kCall));
  BOOST_REQUIRE(list_tools(bench, tool, listed(kReadFile)));
  static_cast<void>(bench.take_lines(tool));
  static_cast<void>(bench.post_in(session, R"({"jsonrpc":"2.0","id":8,"method":"tools/list"})"));
  bench.line(tool, result(bench.take_line(tool), R"({"tools":[{"name":"read_file","description":"another"}]})"));
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"read_file"})").replace(22, 1, "9")));
  BOOST_TEST(has(bench.take_line(tool), "tools/list"));
}

BOOST_AUTO_TEST_CASE(a_list_is_read_page_by_page_with_an_end) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  static_cast<void>(bench.post_in(session, kCall));
  bench.line(tool, result(bench.take_line(tool), R"({"tools":[{"name":"a"}],"nextCursor":"p\"2"})"));
  const auto second = bench.take_line(tool);
  BOOST_TEST(has(second, R"("params":{"cursor":"p\"2"})"));
  bench.line(tool, result(second, R"({"tools":)" + listed(kReadFile) + '}'));
  BOOST_TEST(bench.asked.empty());

  McpBench endless(allowing(kReadFile));
  const auto other = begin_session(endless);
  static_cast<void>(endless.post_in(other, kCall));
  int pages = 0;
  for (; pages < 100 && endless.asked.empty(); ++pages)
    endless.line(endless.tools[0].first, result(endless.take_line(endless.tools[0].first),
                                                R"({"tools":[{"name":")" + std::to_string(pages) + R"("}],"nextCursor":"n"})"));
  BOOST_TEST(pages == 64);
  BOOST_TEST(endless.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_that_cant_list_or_says_nothing_makes_each_call_asked) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(session, kCall));
  const auto line = bench.take_line(bench.tools[0].first);
  bench.line(bench.tools[0].first, R"({"jsonrpc":"2.0","id":)" + number_of(line) + R"(,"error":{"code":-32601,"message":"no"}})");
  BOOST_REQUIRE(bench.asked.size() == 1U);
  BOOST_TEST(bench.asked[0].lines.back() == "the server doesn't list this tool");

  McpBench silent(allowing(kReadFile));
  const auto other = begin_session(silent);
  static_cast<void>(silent.post_in(other, kCall));
  silent.pass(80 * 1000);
  BOOST_TEST(silent.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_list_that_changes_each_time_it_is_read_makes_the_call_asked) {
  McpBench bench(allowing(kReadFile));
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  static_cast<void>(bench.post_in(session, kCall));
  int times = 0;
  for (; times < 20 && bench.asked.empty(); ++times) {
    const auto line = bench.take_line(tool);
    bench.line(tool, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    bench.line(tool, result(line, R"({"tools":)" + listed(kReadFile) + '}'));
  }
  BOOST_TEST(times == 3);
}

BOOST_AUTO_TEST_CASE(of_a_hundred_equal_calls_one_yes_lets_one_go) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  for (int id = 0; id < 50; ++id) static_cast<void>(bench.post_in(session, call_of(id)));
  BOOST_REQUIRE(list_tools(bench, tool));
  for (int id = 50; id < 100; ++id) static_cast<void>(bench.post_in(session, call_of(id)));
  BOOST_REQUIRE(bench.asked.size() == 60U);  // as many as are open at once; the rest was refused in words
  bench.answer(bench.asked[5], LNK_ANSWER_YES);
  BOOST_TEST(bench.take_lines(tool).size() == 1U);
  static_cast<void>(bench.post_in(session, call_of(100)));
  BOOST_TEST(bench.asked.size() == 61U);  // one was answered
  bench.answer(bench.asked[5], LNK_ANSWER_YES);  // the host sends none twice, and it would serve nothing
  BOOST_TEST(bench.take_lines(tool).empty());
}

BOOST_AUTO_TEST_CASE(a_yes_for_a_call_that_went_or_was_cancelled_serves_nothing) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  const lnk_id tool = bench.tools[0].first;
  const auto call = bench.post_in(session, call_of(1));
  BOOST_REQUIRE(list_tools(bench, tool));
  bench.gone(call);
  const auto resumed =
      bench.request("GET", {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}, {"Last-Event-ID", "2-0"}});
  BOOST_TEST(has(bench.calls[resumed].body, "the connection closed while a person was asked"));
  const auto cancelled = bench.post_in(session, call_of(2));
  BOOST_REQUIRE(bench.asked.size() == 2U);
  static_cast<void>(bench.post_in(session, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"));
  BOOST_TEST(bench.calls[cancelled].is_over);
  bench.answer(bench.asked[1], LNK_ANSWER_YES);
  BOOST_TEST(bench.take_lines(tool).empty());
}

BOOST_AUTO_TEST_CASE(all_that_goes_to_the_server_is_in_the_question) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  static_cast<void>(bench.post_in(session, request("tools/call",
      R"({"name":"run","arguments":{"cmd":"ls","a: \"b\"":1,"deep":{"x":[1, 2.50]}},"task":{"ttl":5},)"
      R"("_meta":{"progressToken":4,"extra":"seen","io.modelcontextprotocol/related-task":{"taskId":"t"}}})")));
  BOOST_REQUIRE(
      list_tools(bench, bench.tools[0].first, R"([{"name":"run","annotations":{"title":"Safe\u202e!","destructiveHint":false}}])"));
  const std::vector<std::string> wanted = {R"(cmd: "ls")",
                                           R"("a: \"b\"": 1)",
                                           R"(deep: {"x":[1,2.50]})",
                                           R"(params.task: {"ttl":5})",
                                           R"(_meta.extra: "seen")",
                                           R"(_meta."io.modelcontextprotocol/related-task": {"taskId":"t"})",
                                           "the server says: title \"Safe\u202e!\"",
                                           "the server says: destructiveHint false"};
  BOOST_TEST(bench.asked.at(0).lines == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_has_too_many_values_for_lines_is_shown_as_it_stands) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  std::string arguments;
  for (int i = 0; i < 100; ++i) arguments += (i == 0 ? "\"a" : ",\"a") + std::to_string(i) + "\":1";
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":"run","arguments":{)" + arguments + "}}")));
  BOOST_REQUIRE(list_tools(bench, bench.tools[0].first));
  BOOST_TEST(bench.asked.at(0).lines.at(0) == R"(params: {"name":"run","arguments":{)" + arguments + "}}");
  const auto long_name = std::string(200, 'n');
  static_cast<void>(bench.post_in(session, request("tools/call", R"({"name":")" + long_name + "\"}").replace(22, 1, "8")));
  BOOST_TEST(bench.asked.at(1).title.size() <= 256U);
  BOOST_TEST(bench.asked.at(1).lines.at(0) == "tool: \"" + long_name + '"');
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_person_is_limited_in_bytes_and_let_go_after) {
  McpBench bench(kAsks);
  const auto session = begin_session(bench);
  const std::string large(3 * 1024 * 1024, 'x');
  const auto large_call = [&large](int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"resources/read","params":{"uri":")" + large + "\"}}";
  };
  lnk_id last = 0;
  int taken = 0;
  for (; taken < 30; ++taken) {
    last = bench.post_in(session, large_call(taken));
    if (has(bench.calls[last].body, "64 MiB of requests wait")) break;
  }
  BOOST_TEST(taken == 11);
  bench.answer(bench.asked.at(0), LNK_ANSWER_NO);
  bench.answer(bench.asked.at(1), LNK_ANSWER_YES);
  last = bench.post_in(session, large_call(40));
  BOOST_TEST(!has(bench.calls[last].body, "64 MiB of requests wait"));
  BOOST_TEST(bench.asked.size() == 12U);
  BOOST_TEST(bench.faults.empty());
}
