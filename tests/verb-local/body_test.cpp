// SPDX-License-Identifier: Apache-2.0
//
// Bodies: each refusal beside its allowed twin, and what goes out of each.
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "body_filter.hpp"

using lnk::jsonfilter::Coding;
using lnk::verb_local::Denial;
using lnk::verb_local::filter_body;

namespace {

struct Told {
  std::uint32_t status = 0;
  std::string reason;
  std::string words;
};

/// What goes out, or "status reason: words".
std::string out_of(std::string_view body, const std::vector<std::string>& models = {}) {
  const auto filtered = filter_body(Coding::Identity, body, models);
  if (const auto* denial = std::get_if<Denial>(&filtered))
    return std::to_string(denial->status) + ' ' + std::string(denial->reason) + ": " + denial->words;
  return std::get<std::string>(filtered);
}

struct Twin {
  std::string_view refused;
  std::string_view begins;  ///< how the refusal does
  std::string_view passes;  ///< and is unchanged
};

void check(const Twin& twin) {
  const auto told = out_of(twin.refused);
  BOOST_TEST(told.substr(0, twin.begins.size()) == twin.begins, twin.refused << "\n" << told);
  BOOST_TEST(out_of(twin.passes) == twin.passes);
}

/// In a message's content.
std::string part(std::string_view json) {
  return R"({"messages":[{"role":"user","content":[)" + std::string(json) + "]}]}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(requests_of_real_clients_pass_as_they_are) {
  for (
      const auto* body :
      {R"({"model":"llama3.2","messages":[{"role":"user","content":"why?"}],"stream":true})",
       R"({"model":"llama3.2","messages":[{"role":"user","content":"see","images":["iVBORw0KGgo="]}],"options":{"temperature":0.1,"stop":["a"]}})",
       R"({"model":"m","prompt":"x","suffix":"y","format":{"type":"object","properties":{"image_url":{"type":"string"}}}})",
       R"({"model":"m","input":["a","b"],"truncate":true})", R"({"model":"m","input":[[1,2],[3]]})",
       R"({"prompt":[1,2,3],"n_predict":5,"dry_sequence_breakers":["\n"],"logit_bias":[[1,-1.5]]})",
       R"({"prompt":{"prompt_string":"x <__media__>","multimodal_data":["aGVsbG8="]}})",
       R"({"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"get","arguments":"{\"url\":\"https://a.example\"}"}}]},{"role":"tool","tool_call_id":"c","content":"https://a.example"}]})",
       R"({"model":"m","tools":[{"type":"function","function":{"name":"fetch","description":"d","parameters":{"type":"object","properties":{"image_url":{"type":"string"},"web_search":{"$ref":"#/$defs/a"}}}}}],"tool_choice":"auto"})",
       R"~({"model":"m","max_tokens":5,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"![](https://a.example/x.png)"}]}]}],"tools":[{"name":"bash","input_schema":{"type":"object"}}]})~",
       R"({"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"t"}]},{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"done"},{"type":"reasoning","summary":[],"encrypted_content":"x"}],"tools":[{"type":"function","name":"shell","parameters":{}}],"reasoning":{"effort":"low"},"text":{"format":{"type":"text"}}})",
       R"({"query":"q","documents":["a",{"text":"b"}],"top_n":1})", R"({"model":"m","verbose":true})"})
    BOOST_TEST(out_of(body) == body);
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_text) {
  constexpr std::string_view kBody = R"({"seed":12345678901234567890123,"temperature":1e-2,"top_p":0.10})";
  BOOST_TEST(out_of(kBody) == kBody);
}

BOOST_AUTO_TEST_CASE(what_a_runtime_would_fetch_is_refused_by_its_place) {
  const std::string data = "data:image/png;base64,aGVsbG8=";
  for (const auto* scheme : {"https://a.example/x.png", "http://127.0.0.1:9/x", "HTTPS://A.EXAMPLE",
                             " https://a.example", "file:///etc/passwd", "//a.example/x",
                             "DATA:image/png;base64,aGVsbG8=", " data:,x", "/etc/hostname", "x.png", ""}) {
    const std::string url = scheme;
    struct Form {
      std::string_view place, before, after;
    };
    for (const auto& [place, before, after] :
         {Form{"messages[0].content[0].image_url.url", R"({"type":"image_url","image_url":{"url":")", R"("}})"},
          Form{"messages[0].content[0].image_url", R"({"type":"image_url","image_url":")", R"("})"},
          Form{"messages[0].content[0].image_url", R"({"type":"input_image","image_url":")", R"("})"},
          Form{"messages[0].content[0].video_url.url", R"({"type":"video_url","video_url":{"url":")", R"("}})"},
          Form{"messages[0].content[0].audio_url.url", R"({"type":"audio_url","audio_url":{"url":")", R"("}})"},
          Form{"messages[0].content[0].file_url", R"({"type":"input_file","file_url":")", R"("})"},
          Form{"messages[0].content[0].content[0].image_url.url",
               R"({"type":"tool_result","content":[{"type":"image_url","image_url":{"url":")", R"("}}]})"}}) {
      const auto refused = part(std::string(before) + url + std::string(after));
      const auto begins = "403 url-refused: " + std::string(place) + " is for the runtime to fetch";
      const auto passes = part(std::string(before) + data + std::string(after));
      check({refused, begins, passes});
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_in_a_body_are_bytes_and_name_nothing) {
  for (const auto* other : {"https://a.example/x", "file:///x", "/etc/hostname", "x.png", "../x"}) {
    for (
        const auto* form :
        {R"({"images":["%"]})", R"({"messages":[{"role":"user","content":"c","images":["%"]}]})",
         R"({"image_data":"%"})", R"({"image_data":[["%"]]})",
         R"({"prompt":{"prompt_string":"p","multimodal_data":["%"]}})",
         R"({"messages":[{"content":[{"type":"input_audio","input_audio":{"data":"%","format":"wav"}}]}]})",
         R"({"messages":[{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%"}}]}]})",
         R"({"messages":[{"content":[{"type":"file","file":{"file_data":"%"}}]}]})"}) {
      const auto with = [form](std::string_view text) {
        return std::string(form).replace(std::string_view(form).find('%'), 1, text);
      };
      const auto refused = with(other);
      for (const auto* bytes : {"aGVsbG8=", "/9j/4AAQ", "data:image/png;base64,aGVsbG8="})
        check({refused, "403 url-refused: ", with(bytes)});
    }
  }
  check({R"({"audio_data":["aGVsbG8="]})", "403 url-refused: audio_data[0]",
         R"({"audio_data":["data:audio/wav;base64,aGVsbG8="]})"});
  check({R"({"messages":[{"content":[{"type":"image","source":{"type":"url","url":"https://a.example"}}]}]})",
         "403 url-refused: messages[0].content[0].source",
         R"({"messages":[{"content":[{"type":"document","source":{"type":"text","data":"t"}}]}]})"});
  check({R"~({"inputs":"see ![a](https://a.example/x.png)"})~", "403 url-refused: inputs",
         R"~({"inputs":"see [a](https://a.example/x.png)"})~"});
  check({R"~({"inputs":"see ![a](x.png)"})~", "403 url-refused: inputs",
         R"~({"inputs":"see ![a](data:image/png;base64,aGVsbG8=)"})~"});
}

BOOST_AUTO_TEST_CASE(a_tool_that_a_runtime_runs_is_refused_and_the_programs_own_pass) {
  for (const auto* type :
       {"web_search", "web_search_20250305", "web_search_preview", "mcp", "code_interpreter", "container",
        "image_generation", "file_search", "Function", "function ", "a_type_of_tomorrow", ""}) {
    const auto refused =
        R"({"tools":[{"type":"function","name":"a"},{"type":")" + std::string(type) + R"(","name":"x"}]})";
    check({refused, "403 tool-refused: tools[1] is a tool that the runtime would run",
           R"({"tools":[{"type":"function","name":"a"},{"type":"custom","name":"x"}]})"});
  }
  check({R"({"tools":[{"type":1}]})", "403 tool-refused: tools[0]", R"({"tools":[{"type":null,"name":"x"}]})"});
  check({R"({"tools":{"type":"mcp"}})", "403 tool-refused: tools", R"({"tools":null})"});
  check({R"({"tools":[{"type":"namespace","name":"n","tools":[{"type":"mcp"}]}]})",
         "403 tool-refused: tools[0].tools[0]",
         R"({"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"f"}]}]})"});
  check({R"({"tool_choice":{"type":"web_search_preview"}})", "403 tool-refused: tool_choice",
         R"({"tool_choice":{"type":"function","function":{"name":"f"}}})"});
  check({R"({"tool_choice":{"type":"allowed_tools","tools":[{"type":"mcp"}]}})",
         "403 tool-refused: tool_choice.tools[0]",
         R"({"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"}]}})"});
  for (const auto* name : {"mcp", "mcp_servers", "integrations", "plugins", "web_search_options", "search_parameters",
                           "tool_server", "container"})
    check({R"({")" + std::string(name) + R"(":{"a":1}})", "403 tool-refused: " + std::string(name),
           R"({"stream":true})"});
  // A place where a definition can stand in an API's own history.
  check({R"({"input":[{"type":"additional_tools","tools":[{"type":"mcp"}]}]})", "403 not-inference: input[0]",
         R"({"input":[{"role":"user","content":"c"}]})"});
  check({R"({"messages":[{"role":"system","content":[{"type":"tool_addition","tool":{}}]}]})",
         "403 not-inference: messages[0].content[0]",
         R"({"messages":[{"role":"system","content":[{"type":"text","text":"t"}]}]})"});
}

BOOST_AUTO_TEST_CASE(what_is_used_besides_the_model_is_refused_unless_it_asks_for_nothing) {
  for (const auto* name :
       {"adapters", "adapter", "draft_model", "lora", "lora_path", "template", "chat_template", "chat_template_kwargs",
        "mm_processor_kwargs", "logits_processors", "custom_logit_processor", "kv_transfer_params", "bootstrap_host",
        "models", "fallbacks", "previous_response_id", "conversation", "background"}) {
    const auto with = [name](std::string_view value) {
      return R"({"model":"m",")" + std::string(name) + "\":" + std::string(value) + "}";
    };
    for (const auto* value : {"\"x\"", "[\"x\"]", "{\"a\":1}", "true", "1"})
      BOOST_TEST(out_of(with(value)).starts_with("403 not-inference: " + std::string(name)), with(value));
    for (const auto* value : {"null", "false", "\"\"", "[]", "{}"})
      BOOST_TEST(out_of(with(value)) == R"({"model":"m"})", with(value));
  }
  check({R"({"parameters":{"adapter_id":"org/x"}})", "403 not-inference: parameters.adapter_id",
         R"({"parameters":{"max_new_tokens":5}})"});
  check({R"({"options":{"a":{"lora_path":"x"}}})", "403 not-inference: options.a.lora_path",
         R"({"options":{"a":{"b":1}}})"});
  check(
      {R"({"options":{"x":" https://a.example"}})", "403 url-refused: options.x", R"({"options":{"x":"a.example"}})"});
  check({R"({"prompt":{"id":"pmpt_1","variables":{}}})", "403 not-inference: prompt",
         R"({"prompt":{"prompt_string":"p"}})"});
  check({R"({"format":{"$ref":"https://a.example/s.json"}})", "403 url-refused: format.$ref",
         R"({"format":{"$ref":"#/x"}})"});
  check({R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"anyOf":[{"$ref":"s.json"}]}}}]})",
         "403 url-refused: tools[0].function.parameters",
         R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"anyOf":[{"$ref":"#"}]}}}]})"});
}

BOOST_AUTO_TEST_CASE(what_no_table_has_stays_behind_in_every_spelling) {
  BOOST_TEST(
      out_of(
          R"({"model":"m","keep_alive":0,"metadata":{"a":"https://a.example"},"store":true,"a_field_of_tomorrow":{"u":1}})") ==
      R"({"model":"m"})");
  // Readers that fold letters would take the second for the first (Go's encoding/json).
  BOOST_TEST(out_of(R"({"model":"m","MODEL":"x:cloud","Tools":[{"type":"mcp"}],"too\u006cs":[]})") ==
             R"({"model":"m","tools":[]})");
  BOOST_TEST(
      out_of(
          R"({"tools":[{"type":"function","TYPE":"web_search","server_label":"x","function":{"name":"f","Type":"mcp"}}]})") ==
      R"({"tools":[{"type":"function","function":{"name":"f"}}]})");
  BOOST_TEST(
      out_of(
          R"({"messages":[{"role":"user","content":[{"type":"text","text":"t","image_Url":"https://a.example","file_id":"f"}],"x":1}]})") ==
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"t"}]}]})");
  BOOST_TEST(
      out_of(R"({"messages":[{"role":"user","content":[{"type":"text","text":"t","image_url":"https://a.example"}]}]})")
          .starts_with("403 url-refused"));
  // An escape is the key it spells.
  BOOST_TEST(out_of(R"({"mc\u0070":[1]})").starts_with("403 tool-refused: mcp"));
}

BOOST_AUTO_TEST_CASE(a_form_that_is_not_known_is_refused) {
  for (const auto* body : {R"({"messages":{}})", R"({"messages":[{"content":{}}]})",
                           R"({"messages":[{"content":[{"image_url":{"url":"https://a.example"}}]}]})",
                           R"({"messages":[{"content":[{"type":"video","video":"https://a.example"}]}]})",
                           R"({"model":["x:cloud"]})", R"({"model":1})", R"({"temperature":{"a":1}})",
                           R"({"prompt":[[[[1]]]]})", R"({"input":[{"type":"item_reference","id":"x"}]})",
                           R"({"messages":[{"content":[{"type":"image_url","image_url":["https://a.example"]}]}]})"})
    BOOST_TEST(out_of(body).starts_with("403 not-inference: "), body << "\n" << out_of(body));
}

BOOST_AUTO_TEST_CASE(models_are_held_to_the_spec_by_every_name_of_theirs) {
  for (const auto* key : {"model", "name"}) {
    const auto with = [key](std::string_view name) {
      return "{\"" + std::string(key) + "\":\"" + std::string(name) + "\"}";
    };
    BOOST_TEST(out_of(with("x:cloud")).starts_with("403 not-inference: " + std::string(key) + ": \"x:cloud\""));
    BOOST_TEST(out_of(with("x:8b")) == with("x:8b"));
    BOOST_TEST(out_of(with("org/x")).starts_with("403 not-inference: "));
    BOOST_TEST(out_of(with("org/x"), {"org/*"}) == with("org/x"));
    BOOST_TEST(out_of(with("x:8b"), {"org/*"}).starts_with("403 not-inference: "));
  }
  BOOST_TEST(out_of(R"({"model":null})") == R"({"model":null})");
}

BOOST_AUTO_TEST_CASE(a_body_of_two_readings_is_no_body) {
  for (const auto* body : {"", "[]", "1", "{", R"({"model":"a","model":"b"})", R"({"model":"a","mode\u006c":"b"})",
                           "\xef\xbb\xbf{}", "{} {}", "{\"a\":NaN}", "{\"a\":\"\xff\"}"})
    BOOST_TEST(out_of(body).starts_with("400 bad-body: "), body);
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += "[";
  BOOST_TEST(out_of("{\"prompt\":" + deep).starts_with("4"));
  const auto coded = filter_body(Coding::Gzip, "{}", {});
  BOOST_TEST(std::get<Denial>(coded).status == 400U);
}
