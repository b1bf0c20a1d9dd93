// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "asked.hpp"

using namespace lnk::verb_model::test;

namespace {

std::string sent_chat(std::string_view members, const Policy& policy = {}, std::string_view provider = "openai") {
  const auto body = chat(members);
  return asked({.provider = provider, .path = provider == "openrouter" ? "api/v1/chat/completions" : "v1/chat/completions", .body = body}, policy);
}
std::string sent_responses(std::string_view members, const Policy& policy = {}) {
  const auto body = responses(members);
  return asked({.provider = "openai", .path = "v1/responses", .body = body}, policy);
}
std::string sent_items(std::string_view items) {
  const std::string body = R"({"model":"gpt-x","input":[)" + std::string(items) + R"(],"store":false})";
  return asked({.provider = "openai", .path = "v1/responses", .body = body});
}
std::string items(std::string_view list) { return R"({"model":"gpt-x","input":[)" + std::string(list) + R"(],"store":false})"; }

std::string kept(std::string_view members) { return responses(std::string(members) + (members.empty() ? "" : ",") + R"("store":false)"); }

constexpr std::string_view kFunction = R"({"type":"function","name":"f","parameters":{"type":"object"},"strict":false})";

}  // namespace

BOOST_AUTO_TEST_CASE(functions_and_custom_tools_of_a_chat_stay_and_all_others_go) {
  const std::string function = R"({"type":"function","function":{"name":"f","description":"d","parameters":{"type":"web_search"},"strict":true}})";
  const std::string custom = R"({"type":"custom","custom":{"name":"c","format":{"type":"grammar"}}})";
  const std::string own = R"("tools":[)" + function + "," + custom + R"(],"tool_choice":"required","parallel_tool_calls":true)";
  BOOST_TEST(sent_chat(own) == chat(own));
  for (const std::string type : {"web_search", "web_search_preview", "openrouter:web_search", "openrouter:datetime", "browser_search", "code_interpreter", "mcp", "live_search",
                                 "x_search", "file_search", "image_generation", "retrieval", "type_of_tomorrow"}) {
    const auto tool = R"({"type":")" + type + R"(","function":{"name":"f"},"server_url":"https://x.test"})";
    BOOST_TEST(sent_chat(R"("tools":[)" + tool + "," + custom + "]") == chat(R"("tools":[)" + custom + "]"), type);
    BOOST_TEST(sent_chat(R"("tools":[)" + tool + R"(],"tool_choice":"auto","parallel_tool_calls":false)") == chat(""), type);
    BOOST_TEST(sent_chat(R"("tools":[)" + tool + "]", {.server_tools = true}) == chat(R"("tools":[)" + tool + "]"), type);
  }
  BOOST_TEST(sent_chat(R"("tools":[{"type":"mcp"},)" + function + R"(],"tool_choice":{"type":"function","function":{"name":"g"}})") ==
             chat(R"("tools":[)" + function + R"(],"tool_choice":"auto")"));
  BOOST_TEST(sent_chat(R"("tools":[{"type":"mcp"},)" + function + R"(],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}},{"type":"mcp"}]}})") ==
             chat(R"("tools":[)" + function + R"(],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}})"));
}

BOOST_AUTO_TEST_CASE(fields_of_a_chat_that_turn_a_search_on_go) {
  for (const std::string_view members :
       {R"("web_search_options":{})", R"("search_parameters":{"mode":"on","sources":[{"type":"rss","links":["https://x.test"]}]})", R"("search_settings":{})",
        R"("compound_custom":{"tools":{"enabled_tools":["web_search"]}})", R"("data_sources":[{"type":"azure_search"}])", R"("enable_search":true)", R"("include_domains":["x"])", R"("of_tomorrow":true)"}) {
    BOOST_TEST(sent_chat(members) == chat(""), members);
    BOOST_TEST(sent_chat(members, {.server_tools = true}) == chat(members), members);
  }
  BOOST_TEST(sent_chat(R"("store":true,"metadata":{"a":"b"})") == chat(""));
  const std::string plain = R"("temperature":0.10,"stream":true,"stream_options":{"include_usage":true},"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"$ref":"https://x.test"}}},"seed":18446744073709551615)";
  BOOST_TEST(sent_chat(plain) == chat(plain));
}

BOOST_AUTO_TEST_CASE(media_of_a_chat_is_inline_or_refused) {
  const auto said = [](std::string_view part, const Policy& policy = {}) {
    const std::string body = R"({"model":"gpt-x","messages":[{"role":"user","content":[)" + std::string(part) + "]}]}";
    const auto out = asked({.provider = "openai", .path = "v1/chat/completions", .body = body}, policy);
    return out == body ? "kept" : out.substr(0, out.find(" has"));
  };
  BOOST_TEST(said(R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AA","detail":"low"}})") == "kept");
  BOOST_TEST(said(R"({"type":"image_url","image_url":{"url":"https://x.test"}})") == "deny 403 url-refused: messages[0].content[0].image_url.url");
  BOOST_TEST(said(R"({"type":"image_url","image_url":"https://x.test"})") == "deny 403 url-refused: messages[0].content[0].image_url");
  BOOST_TEST(said(R"({"type":"video_url","video_url":{"url":"https://x.test"}})") == "deny 403 url-refused: messages[0].content[0].video_url.url");
  BOOST_TEST(said(R"({"type":"audio_url","audio_url":{"url":"https://x.test"}})") == "deny 403 url-refused: messages[0].content[0].audio_url.url");
  BOOST_TEST(said(R"({"type":"document_url","document_url":"https://x.test"})") == "deny 403 url-refused: messages[0].content[0].document_url");
  BOOST_TEST(said(R"({"type":"file","file":{"file_data":"https://x.test/a.pdf"}})") == "deny 403 url-refused: messages[0].content[0].file.file_data");
  BOOST_TEST(said(R"({"type":"file","file":{"file_data":"data:application/pdf;base64,AA","filename":"a.pdf"}})") == "kept");
  BOOST_TEST(said(R"({"type":"file","file":{"file_data":"JVBERi0xLjQK"}})") == "kept");
  BOOST_TEST(said(R"({"type":"file","file":{"file_id":"file-1"}})").starts_with("deny 403 not-inference: messages[0].content[0].file.file_id"));
  BOOST_TEST(said(R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})") == "kept");
  BOOST_TEST(said(R"({"type":"image_url","image_url":{"url":"https://x.test"}})", {.any_host = true}) == "kept");
}

BOOST_AUTO_TEST_CASE(tools_of_responses_that_the_program_runs_stay) {
  const std::string all = std::string(kFunction) +
                          R"(,{"type":"custom","name":"c","format":{"type":"text"}},{"type":"namespace","name":"n","description":"d","tools":[)" + std::string(kFunction) +
                          R"(]},{"type":"tool_search","execution":"client","description":"d","parameters":{}},{"type":"apply_patch"},{"type":"local_shell"},{"type":"computer"},)"
                          R"({"type":"computer_use_preview","display_width":1,"display_height":1,"environment":"linux"},{"type":"shell","environment":{"type":"local"}})";
  const auto members = R"("tools":[)" + all + R"(],"tool_choice":{"type":"function","name":"f"})";
  BOOST_TEST(sent_responses(members) == kept(members));
}

BOOST_AUTO_TEST_CASE(tools_of_responses_that_the_provider_runs_go) {
  for (const std::string_view tool :
       {R"({"type":"web_search"})", R"({"type":"web_search_2025_08_26"})", R"({"type":"web_search_preview"})", R"({"type":"web_search","external_web_access":false})", R"({"type":"file_search","vector_store_ids":["v"]})",
        R"({"type":"code_interpreter","container":{"type":"auto"}})", R"({"type":"image_generation"})", R"({"type":"mcp","server_label":"x","server_url":"https://x.test"})",
        R"({"type":"mcp","server_label":"x","connector_id":"connector_gmail"})", R"({"type":"programmatic_tool_calling"})", R"({"type":"shell"})", R"({"type":"shell","environment":null})",
        R"({"type":"shell","environment":{"type":"container_auto","network_policy":{"type":"allowlist","allowed_domains":["x.test"]}}})", R"({"type":"shell","environment":{"type":"container_reference","container_id":"c"}})",
        R"({"type":"x_search"})", R"({"type":"of_tomorrow"})", R"({"name":"no_type"})", R"({"type":"namespace","name":"n","description":"d","tools":[{"type":"web_search"}]})",
        R"({"type":"namespace","name":"n","tools":[{"type":"namespace","name":"m","tools":[{"type":"mcp"}]}]})"}) {
    BOOST_TEST(sent_responses(R"("tools":[)" + std::string(tool) + "," + std::string(kFunction) + "]") == kept(R"("tools":[)" + std::string(kFunction) + "]"), tool);
    BOOST_TEST(sent_responses(R"("tools":[)" + std::string(tool) + R"(],"tool_choice":"required","parallel_tool_calls":true)") == kept(""), tool);
  }
  const std::string search = R"("tools":[{"type":"web_search"}])";
  BOOST_TEST(sent_responses(search, {.server_tools = true}) == kept(search));
  for (const std::string_view choice : {R"({"type":"web_search_preview"})", R"({"type":"mcp","server_label":"x"})", R"({"type":"function","name":"g"})", R"({"type":"allowed_tools","mode":"auto","tools":[{"type":"mcp","server_label":"x"}]})"}) {
    const auto out = sent_responses(R"("tools":[{"type":"web_search"},)" + std::string(kFunction) + R"(],"tool_choice":)" + std::string(choice));
    BOOST_TEST((out == kept(R"("tools":[)" + std::string(kFunction) + "]") || out == kept(R"("tools":[)" + std::string(kFunction) + R"(],"tool_choice":"auto")")), out);
  }
}

BOOST_AUTO_TEST_CASE(items_that_bring_tools_are_looked_through) {
  for (const std::string type : {"additional_tools", "tool_search_output"}) {
    const auto item = [&type](const std::string& tools) { return R"({"type":")" + type + R"(","tools":[)" + tools + "]}"; };
    BOOST_TEST(sent_items(item(std::string(kFunction) + R"(,{"type":"web_search"},{"type":"namespace","name":"n","tools":[{"type":"mcp"}]})")) == items(item(std::string(kFunction))), type);
    BOOST_TEST(sent_items(R"({"role":"user","content":"x"},)" + item(R"({"type":"mcp","server_url":"https://x.test"})")) == items(R"({"role":"user","content":"x"})"), type);
  }
}

BOOST_AUTO_TEST_CASE(media_and_kept_state_of_responses_are_refused_by_their_place) {
  const auto why = [](std::string_view list) {
    const auto out = sent_items(list);
    return out == items(list) ? "kept" : out.substr(0, out.find(" has"));
  };
  BOOST_TEST(why(R"({"role":"user","content":[{"type":"input_image","image_url":"https://x.test","detail":"auto"}]})").starts_with("deny 403 url-refused: input[0].content[0].image_url"));
  BOOST_TEST(why(R"({"role":"user","content":[{"type":"input_file","file_url":"https://x.test"}]})").starts_with("deny 403 url-refused: input[0].content[0].file_url"));
  BOOST_TEST(why(R"({"role":"user","content":[{"type":"input_file","file_id":"file-1"}]})").starts_with("deny 403 not-inference: input[0].content[0].file_id"));
  BOOST_TEST(why(R"({"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"https://x.test"}]})").starts_with("deny 403 url-refused: input[0].output[0].image_url"));
  BOOST_TEST(why(R"({"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_file","file_url":"https://x.test"}]})").starts_with("deny 403 url-refused: input[0].output[0].file_url"));
  BOOST_TEST(why(R"({"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"https://x.test"}})").starts_with("deny 403 url-refused: input[0].output.image_url"));
  BOOST_TEST(why(R"({"type":"item_reference","id":"rs_1"})").starts_with("deny 403 not-inference: input[0].id"));
  // An id alone is a reference too, its type left out, and no message.
  for (const std::string_view reference : {R"({"id":"msg_1"})", R"({"id":"msg_1","type":null})", R"({"id":"msg_1","role":null,"content":null})", R"({"id":"msg_1","type":"message","role":"user"})"})
    for (const bool left : {false, true}) {
      const std::string body = R"({"model":"gpt-x","input":[{"role":"user","content":"x"},)" + std::string(reference) + R"(],"store":false})";
      BOOST_TEST(asked({.provider = "openai", .path = "v1/responses", .body = body}, {.server_tools = left}) == items(R"({"role":"user","content":"x"})"), reference);
    }
  BOOST_TEST(why(R"({"id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"t"}]})") == "kept");
  BOOST_TEST(why(R"({"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AA","detail":"auto"},{"type":"input_file","file_data":"data:x;base64,AA","filename":"f"}]})") == "kept");
  BOOST_TEST(why(R"({"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"e"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"o"})") == "kept");
  for (const std::string_view members : {R"("previous_response_id":"r")", R"("conversation":"c")", R"("conversation":{"id":"c"})", R"("background":true)", R"("prompt":{"id":"p","variables":{"x":{"type":"input_image","image_url":"https://x.test"}}})"}) {
    BOOST_TEST(sent_responses(members).starts_with("deny 403 not-inference: "), members);
    BOOST_TEST(sent_responses(members, {.server_tools = true, .any_host = true}).starts_with("deny 403 not-inference: "), members);
  }
  BOOST_TEST(sent_responses(R"("background":false,"previous_response_id":null)") == kept(R"("background":false,"previous_response_id":null)"));
}

BOOST_AUTO_TEST_CASE(an_answer_is_never_kept_by_the_provider) {
  BOOST_TEST(sent_responses("") == kept(""));
  BOOST_TEST(sent_responses(R"("store":true)") == kept(""));
  BOOST_TEST(sent_responses(R"("include":["reasoning.encrypted_content","web_search_call.action.sources"])") == kept(R"("include":["reasoning.encrypted_content"])"));
  const auto compact = R"({"model":"gpt-x","input":[{"role":"user","content":"x"}]})";
  BOOST_TEST(asked({.provider = "openai", .path = "v1/responses/compact", .body = compact}) == compact);
}

BOOST_AUTO_TEST_CASE(openrouter_names_more_models_and_plugins) {
  const auto sent = [](std::string_view members, const Policy& policy = {}) { return sent_chat(members, policy, "openrouter"); };
  BOOST_TEST(sent(R"("plugins":[{"id":"web"},{"id":"response-healing"},{"id":"fusion"},{"id":"web-fetch"},{"id":"file-parser"},{"id":"auto-router"},{"id":"of-tomorrow"}])") == chat(R"("plugins":[{"id":"response-healing"}])"));
  BOOST_TEST(sent(R"("plugins":[{"id":"web"}])", {.server_tools = true}) == chat(R"("plugins":[{"id":"web"}])"));
  BOOST_TEST(sent(R"("models":["a/b","perplexity/sonar"])").starts_with("deny 403 model-searches: models[1] names"));
  BOOST_TEST(sent(R"("models":["a/b:online"])").starts_with("deny 403 model-searches"));
  BOOST_TEST(sent(R"("models":["a/b","c/d"])", {.models = R"("gpt-x","a/*")"}).starts_with("deny 403 verb-off: models[1]"));
  for (const bool left : {false, true}) {
    const Policy policy{.server_tools = left};
    BOOST_TEST(sent(R"("image_config":{"font_inputs":[{"font_url":"https://x.test/?a","text":"t"}]})", policy).starts_with("deny 403 url-refused: image_config.font_inputs[0].font_url"));
    BOOST_TEST(sent(R"("image_config":{"super_resolution_references":["https://x.test"]})", policy).starts_with("deny 403 url-refused: image_config.super_resolution_references[0]"));
  }
  const std::string image = R"("image_config":{"aspect_ratio":"16:9","super_resolution_references":["data:image/png;base64,AA"]})";
  BOOST_TEST(sent(image) == chat(image));
  BOOST_TEST(sent(R"("provider":{"only":["x"],"options":{"x":{"tools":[{"type":"web_search"}]}}})") == chat(R"("provider":{"only":["x"]})"));
  BOOST_TEST(sent(R"("stop_server_tools_when":[{}],"trace":{},"debug":{},"provider":{"order":["x"]})") == chat(R"("provider":{"order":["x"]})"));
  const std::string body = R"({"model":"a/b","messages":[],"tools":[{"type":"bash_20250124","name":"bash","engine":"openrouter"}]})";
  BOOST_TEST(asked({.provider = "openrouter", .path = "api/v1/messages", .body = body}) == R"({"model":"a/b","messages":[],"tools":[{"type":"bash_20250124","name":"bash"}]})");
}

BOOST_AUTO_TEST_CASE(a_part_without_a_type_is_held_as_one_that_has_it) {
  for (const bool left : {false, true}) {
    const Policy policy{.server_tools = left};
    const auto part = [&](std::string_view text) {
      const std::string body = R"({"model":"m","messages":[{"role":"user","content":[)" + std::string(text) + "]}]}";
      const auto out = asked({.provider = "together", .path = "v1/chat/completions", .body = body}, policy);
      return out == body ? "kept" : out;
    };
    BOOST_TEST(part(R"({"image_url":"https://x.test"})").starts_with("deny 403 url-refused: messages[0].content[0].image_url"));
    BOOST_TEST(part(R"({"video_url":{"url":"https://x.test"}})").starts_with("deny 403 url-refused: messages[0].content[0].video_url.url"));
    BOOST_TEST(part(R"({"image_url":{"url":"data:image/png;base64,AA"}},{"text":"t"})") == "kept");
  }
}

BOOST_AUTO_TEST_CASE(as_many_tools_and_choices_as_a_body_holds_are_compared_once) {
  // 300,000,000,000 comparisons of each with each would take the wire's one thread for minutes.
  constexpr int kTools = 80'000;
  std::string tools = R"({"type":"web_search"})";
  std::string choices;
  for (int i = 0; i < kTools; ++i) {
    tools += R"(,{"type":"function","name":"f)" + std::to_string(i) + R"("})";
    choices += (choices.empty() ? "" : ",") + std::string(R"({"type":"function","name":"g)") + std::to_string(i) + R"("})";
  }
  const auto out = sent_responses(R"("tools":[)" + tools + R"(],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[)" + choices + "]}");
  BOOST_TEST(out.find(R"("tool_choice":"auto")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(more_models_than_any_request_names_are_refused) {
  std::string models = R"("a/b")";
  for (int i = 1; i < 1023; ++i) models += R"(,"a/b")";
  BOOST_TEST(sent_chat(R"("models":[)" + models + "]", {}, "openrouter") == chat(R"("models":[)" + models + "]"));
  BOOST_TEST(sent_chat(R"("models":[)" + models + R"(,"a/b"])", {}, "openrouter").starts_with("deny 400 bad-body: the body names more than 1024"));
}
