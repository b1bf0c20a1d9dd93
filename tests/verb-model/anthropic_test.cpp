// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "asked.hpp"

using namespace lnk::verb_model::test;

namespace {

std::string sent(std::string_view members, const Policy& policy = {}) {
  const auto body = anthropic(members);
  return asked({.body = body}, policy);
}

/// One message of the user's with these blocks.
std::string said(std::string_view blocks, const Policy& policy = {}) {
  const std::string body = R"({"model":"claude-x","messages":[{"role":"user","content":[)" + std::string(blocks) + "]}]}";
  return asked({.body = body}, policy);
}
std::string message(std::string_view blocks) {
  return R"({"model":"claude-x","messages":[{"role":"user","content":[)" + std::string(blocks) + "]}]}";
}

constexpr std::string_view kCustom = R"({"name":"f","input_schema":{"type":"object"}})";

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_program_runs_itself_stays_as_it_is) {
  for (const std::string& tools : std::initializer_list<std::string>
       {std::string(kCustom), std::string(R"({"type":"custom","name":"f","description":"d","input_schema":{"type":"object","properties":{"type":{"enum":["web_search_20250305"]}}},"cache_control":{"type":"ephemeral"},"strict":true,"defer_loading":false,"input_examples":[{"url":"https://x.test"}]})"),
        std::string(R"({"type":null,"name":"f","input_schema":{}})"), std::string(R"({"type":"bash_20250124","name":"bash"})"),
        std::string(R"({"type":"text_editor_20250728","name":"str_replace_based_edit_tool","max_characters":1000})"),
        std::string(R"({"type":"computer_20251124","name":"computer","display_width_px":1,"display_height_px":1,"enable_zoom":true})"),
        std::string(R"({"type":"computer_toolset_20260801","configs":{"zoom":{"enabled":false}}})"), std::string(R"({"type":"browser_toolset_20260801"})"),
        std::string(R"({"type":"memory_20250818","name":"memory"})"), std::string(R"({"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"})")}) {
    const std::string members = R"("tools":[)" + tools + R"(],"tool_choice":{"type":"any"})";
    BOOST_TEST(sent(members) == anthropic(members));
  }
}

BOOST_AUTO_TEST_CASE(a_tool_that_the_provider_runs_goes_known_or_not_and_stays_where_the_spec_leaves_them) {
  for (const std::string_view type :
       {"web_search_20250305", "web_search_20260318", "web_fetch_20250910", "web_fetch_20260318", "code_execution_20250522",
        "code_execution_20260521", "mcp_toolset", "advisor_20260301", "a_type_of_tomorrow_20270101", "Custom", "custom ", "bash_20990101", "-"}) {
    const auto tool = R"({"type":")" + std::string(type) + R"(","name":"t","input_schema":{},"max_uses":1})";
    const auto both = R"("tools":[)" + tool + "," + std::string(kCustom) + "]";
    BOOST_TEST(sent(both) == anthropic(R"("tools":[)" + std::string(kCustom) + "]"), type);
    BOOST_TEST(sent(R"("tools":[)" + tool + R"(],"tool_choice":{"type":"tool","name":"t"})") == anthropic(""), type);
    BOOST_TEST(sent(both, {.server_tools = true}) == anthropic(both), type);
  }
  for (const std::string_view odd : {"1", "\"web_search\"", "[]", R"([{"type":"web_search_20250305"}])", "null", "true", R"({"type":1})", R"({"type":["custom"]})"})
    BOOST_TEST(sent(R"("tools":[)" + std::string(odd) + "," + std::string(kCustom) + "]") == anthropic(R"("tools":[)" + std::string(kCustom) + "]"), odd);
}

BOOST_AUTO_TEST_CASE(a_type_is_read_as_it_means_and_a_key_stands_once) {
  BOOST_TEST(sent(R"("tools":[{"t\u0079pe":"web\u005fsearch_20250305","name":"w"}])") == anthropic(""));
  BOOST_TEST(sent(R"("tools":[],"\u0074ools":[{"type":"web_search_20250305"}])") == "deny 400 bad-body: the body has the key 'tools' twice");
  BOOST_TEST(sent(R"("Tools":[{"type":"web_search_20250305","name":"w"}],"TOOLS":[],"tools ":[])") == anthropic(""));
  BOOST_TEST(sent(R"("Tools":[1],"t_ools":[1],"ＴＯＯＬＳ":[1],"tool\u017f":[1])", {.server_tools = true}) == anthropic(""));
}

BOOST_AUTO_TEST_CASE(a_definition_is_looked_for_inside_messages_too) {
  const std::string search = R"({"type":"web_search_20250305","name":"w"})";
  const auto addition = [](const std::string& tool) { return R"({"type":"tool_addition","tool":{"type":"tool_definition","definition":)" + tool + "}}"; };
  BOOST_TEST(said(R"({"type":"text","text":"a"},)" + addition(search)) == message(R"({"type":"text","text":"a"})"));
  BOOST_TEST(said(addition(std::string(kCustom))) == message(addition(std::string(kCustom))));
  const auto compaction = [](const std::string& change) { return R"({"type":"compaction","content":"c","tool_changes":[)" + change + "]}"; };
  BOOST_TEST(said(compaction(addition(search))) == message(R"({"type":"compaction","content":"c"})"));
  BOOST_TEST(said(compaction(addition(std::string(kCustom)))) == message(compaction(addition(std::string(kCustom)))));
  BOOST_TEST(said(R"({"type":"tool_addition","tool":{"type":"mcp_toolset_reference","server_name":"s"}},{"type":"text","text":"a"})") ==
             message(R"({"type":"text","text":"a"})"));
}

BOOST_AUTO_TEST_CASE(a_choice_of_a_tool_that_went_is_mended) {
  const std::string gone = R"({"type":"web_search_20250305","name":"w"})";
  const std::string left = R"("tools":[)" + std::string(kCustom) + "]";
  const std::string both = R"("tools":[)" + gone + "," + std::string(kCustom) + "]";
  BOOST_TEST(sent(both + R"(,"tool_choice":{"type":"tool","name":"w"})") == anthropic(left + R"(,"tool_choice":{"type":"auto"})"));
  BOOST_TEST(sent(both + R"(,"tool_choice":{"type":"tool","name":"f"})") == anthropic(left + R"(,"tool_choice":{"type":"tool","name":"f"})"));
  BOOST_TEST(sent(both + R"(,"tool_choice":{"type":"any"})") == anthropic(left + R"(,"tool_choice":{"type":"any"})"));
  BOOST_TEST(sent(R"("tools":[{"name":"f","input_schema":{},"allowed_callers":["direct","code_execution_20260120"]}])") ==
             anthropic(R"("tools":[{"name":"f","input_schema":{},"allowed_callers":["direct"]}])"));
  BOOST_TEST(sent(R"("tools":[{"name":"f","input_schema":{},"allowed_callers":["code_execution_20260120"]}])") ==
             anthropic(R"("tools":[{"name":"f","input_schema":{}}])"));
}

BOOST_AUTO_TEST_CASE(fields_outside_tools_that_turn_a_provider_on_go) {
  for (const std::string_view members : {R"("mcp_servers":[{"type":"url","url":"https://x.test","name":"x"}])", R"("container":"c_1")",
                                         R"("container":{"id":null,"skills":[{"type":"anthropic","skill_id":"pdf"}]})", R"("a_field_of_tomorrow":{"url":"https://x.test"})",
                                         R"("user_profile_id":"p")", R"("workspace_id":"w")", R"("billing_policy":{})", R"("diagnostics":{"previous_message_id":"m"})"}) {
    BOOST_TEST(sent(members) == anthropic(""), members);
    BOOST_TEST(sent(members, {.server_tools = true}) == anthropic(members), members);
  }
  const std::string plain =
      R"("max_tokens":1,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"stream":true,"thinking":{"type":"enabled","budget_tokens":1},)"
      R"("metadata":{"user_id":"u"},"stop_sequences":["x"],"temperature":1.0,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]},"output_config":{"effort":"low"})";
  BOOST_TEST(sent(plain) == anthropic(plain));
}

BOOST_AUTO_TEST_CASE(a_url_that_the_provider_would_fetch_is_refused_by_its_place) {
  for (const std::string_view url : {"https://x.test/a.png", "http://x.test", "HTTPS:x", " data:image/png;base64,AA", "DATA:x", "file:///etc/passwd", "//x.test", "", "gs://b/o", "\\u0000data:"}) {
    const auto block = R"({"type":"image","source":{"type":"url","url":")" + std::string(url) + "\"}}";
    BOOST_TEST(said(block).starts_with("deny 403 url-refused: messages[0].content[0].source.url has the provider fetch a URL"), url);
    BOOST_TEST(said(block, {.server_tools = true}).starts_with("deny 403 url-refused"), url);
    BOOST_TEST(said(block, {.any_host = true}) == message(block), url);
  }
  const std::string_view nested[] = {
      R"({"type":"document","source":{"type":"url","url":"https://x.test"}})",
      R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"url","url":"https://x.test"}}]})",
      R"({"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"https://x.test"}}]}})",
      R"({"type":"search_result","source":"s","title":"t","content":[{"type":"image","source":{"type":"url","url":"https://x.test"}}]})"};
  for (const auto block : nested) BOOST_TEST(said(block).starts_with("deny 403 url-refused: messages[0].content[0]."), block);
  const std::string inlined = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"aHR0cHM6Ly94"}},{"type":"image","source":{"type":"url","url":"data:image/png;base64,AA"}})";
  BOOST_TEST(said(inlined) == message(inlined));
  const std::string in_text = R"({"type":"text","text":"see https://x.test"},{"type":"tool_use","id":"t","name":"f","input":{"source":{"type":"url","url":"https://x.test"}}})";
  BOOST_TEST(said(in_text) == message(in_text));
}

BOOST_AUTO_TEST_CASE(what_the_provider_keeps_is_refused) {
  for (const std::string_view block : {R"({"type":"image","source":{"type":"file","file_id":"file_1"}})", R"({"type":"document","source":{"type":"file","file_id":"file_1"}})",
                                       R"({"type":"container_upload","file_id":"file_1"})"}) {
    BOOST_TEST(said(block).starts_with("deny 403 not-inference: messages[0].content[0]."), block);
    BOOST_TEST(said(block, {.server_tools = true, .any_host = true}).starts_with("deny 403 not-inference"), block);
  }
  BOOST_TEST(sent(R"("thread":{"type":"continue","previous_message_id":"m"})").starts_with("deny 403 not-inference: thread "));
  BOOST_TEST(sent(R"("thread":null)") == anthropic(R"("thread":null)"));
}

BOOST_AUTO_TEST_CASE(what_a_providers_tools_came_to_goes_but_for_the_search_of_the_requests_own_list) {
  for (const std::string_view block :
       {R"({"type":"server_tool_use","id":"s","name":"web_fetch","input":{"url":"https://x.test"}})", R"({"type":"web_search_tool_result","tool_use_id":"s","content":[]})",
        R"({"type":"web_fetch_tool_result","tool_use_id":"s","content":{"type":"web_fetch_result","url":"u","content":{"type":"document","source":{"type":"url","url":"https://x.test"}}}})",
        R"({"type":"code_execution_tool_result","tool_use_id":"s","content":{}})", R"({"type":"mcp_tool_use","id":"m","name":"n","server_name":"s","input":{}})", R"({"type":"block_of_tomorrow","url":"https://x.test"})"})
    BOOST_TEST(said(R"({"type":"text","text":"a"},)" + std::string(block)) == message(R"({"type":"text","text":"a"})"), block);
  const std::string search = R"({"type":"server_tool_use","id":"s","name":"tool_search_tool_regex","input":{"q":"x"}},)"
                             R"({"type":"tool_search_tool_result","tool_use_id":"s","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"f"}]}})";
  BOOST_TEST(said(search) == message(search));
}

BOOST_AUTO_TEST_CASE(a_model_is_held_wherever_it_is_named) {
  const Policy claude{.models = R"("claude-*")"};
  BOOST_TEST(sent(R"("fallbacks":[{"model":"claude-y","max_tokens":1}])", claude) == anthropic(R"("fallbacks":[{"model":"claude-y","max_tokens":1}])"));
  BOOST_TEST(sent(R"("fallbacks":[{"model":"other"}])", claude).starts_with("deny 403 verb-off: fallbacks[0].model names a model"));
  BOOST_TEST(sent(R"("fallbacks":"default")", claude) == anthropic(""));
  BOOST_TEST(asked({.body = R"({"messages":[]})"}) == "deny 400 bad-body: the body names no model");
  BOOST_TEST(asked({.body = R"({"model":["claude-x"],"messages":[]})"}) == "deny 400 bad-body: the body names no model");
  BOOST_TEST(asked({.body = R"({"model":null,"messages":[]})"}) == "deny 400 bad-body: the body names no model");
  BOOST_TEST(asked({.body = R"({"model":"gpt-x","messages":[]})"}, claude).starts_with("deny 403 verb-off: model names"));
}
