// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "asked.hpp"

using namespace lnk::verb_model::test;

namespace {

constexpr std::string_view kGenerate = "v1beta/models/gemini-x:generateContent";

std::string gemini(std::string_view body, const Policy& policy = {}) { return asked({.provider = "gemini", .path = kGenerate, .body = body}, policy); }
std::string converse(std::string_view body, const Policy& policy = {}) {
  return asked({.provider = "bedrock", .path = "model/anthropic.claude-x/converse", .body = body}, policy);
}

}  // namespace

BOOST_AUTO_TEST_CASE(gemini_keeps_functions_and_drops_what_google_runs_in_both_spellings) {
  const std::string own = R"({"contents":[{"role":"user","parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"googleSearch":{}}}]},{"computerUse":{"environment":"E"}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}})";
  BOOST_TEST(gemini(own) == own);
  const std::string snake = R"({"system_instruction":{"parts":[{"text":"s"}]},"contents":[{"parts":[{"inline_data":{"mime_type":"image/png","data":"AA"}}]}],"tools":[{"function_declarations":[{"name":"f","parameters_json_schema":{}}]}],"generation_config":{"max_output_tokens":1}})";
  BOOST_TEST(gemini(snake) == snake);
  for (const std::string name : {"googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval", "urlContext", "url_context", "codeExecution", "code_execution", "googleMaps", "google_maps",
                                 "fileSearch", "mcpServers", "mcp_servers", "retrieval", "enterpriseWebSearch", "exaAiSearch", "parallelAiSearch", "ofTomorrow", "GoogleSearch", "Functiondeclarations"}) {
    const auto tool = '"' + name + R"(":{})";
    BOOST_TEST(gemini(R"({"contents":[],"tools":[{)" + tool + R"(},{"functionDeclarations":[],)" + tool + "}]}") == R"({"contents":[],"tools":[{"functionDeclarations":[]}]})", name);
    BOOST_TEST(gemini(R"({"contents":[],"tools":[{)" + tool + R"(}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}})") == R"({"contents":[]})", name);
  }
  BOOST_TEST(gemini(R"({"contents":[],"tools":[{"googleSearch":{}}]})", {.server_tools = true}) == R"({"contents":[],"tools":[{"googleSearch":{}}]})");
  BOOST_TEST(gemini(R"({"tools":[{"googleSearch":{}}],"systemInstruction":{"parts":[]},"system_instruction":{"parts":[]}})").starts_with("deny 400 bad-body: "));
}

BOOST_AUTO_TEST_CASE(gemini_fetches_nothing_and_uses_nothing_kept) {
  const auto why = [](std::string_view body) { return gemini(body).substr(0, 75); };
  BOOST_TEST(why(R"({"contents":[{"parts":[{"fileData":{"fileUri":"https://youtu.be/x"}}]}]})").starts_with("deny 403 url-refused: contents[0].parts[0].fileData.fileUri"));
  BOOST_TEST(why(R"({"contents":[{"parts":[{"file_data":{"file_uri":"gs://b/o"}}]}]})").starts_with("deny 403 url-refused: contents[0].parts[0].file_data.file_uri"));
  BOOST_TEST(why(R"({"contents":[{"parts":[{"functionResponse":{"name":"f","parts":[{"fileData":{"fileUri":"files/x"}}]}}]}]})").starts_with("deny 403 url-refused"));
  BOOST_TEST(why(R"({"systemInstruction":{"parts":{"fileData":{"fileUri":"https://x.test"}}}})").starts_with("deny 403 url-refused: systemInstruction.parts.fileData"));
  BOOST_TEST(why(R"({"cachedContent":"cachedContents/x"})").starts_with("deny 403 not-inference: cachedContent"));
  BOOST_TEST(why(R"({"cached_content":"cachedContents/x"})").starts_with("deny 403 not-inference: cached_content"));
  BOOST_TEST(gemini(R"({"contents":{"parts":[{"executableCode":{"code":"x"}},{"text":"a"},{"toolCall":{}}]},"generationConfig":{"routingConfig":{"manualMode":{"modelName":"m"}}},"of_tomorrow":1})") ==
             R"({"contents":{"parts":[{"text":"a"}]},"generationConfig":{}})");
  BOOST_TEST(asked({.provider = "gemini", .path = "v1beta/models/gemini-x:countTokens", .body = R"({"generateContentRequest":{"model":"models/gemini-x","contents":[],"tools":[{"googleSearch":{}}]}})"}) ==
             R"({"generateContentRequest":{"model":"models/gemini-x","contents":[]}})");
  BOOST_TEST(asked({.provider = "gemini", .path = "v1beta/models/e:batchEmbedContents", .body = R"({"requests":[{"model":"models/e","content":{"parts":[{"text":"x"}]}}]})"}, {.models = R"("e")"}) ==
             R"({"requests":[{"model":"models/e","content":{"parts":[{"text":"x"}]}}]})");
}

BOOST_AUTO_TEST_CASE(bedrock_keeps_specs_of_tools_and_fetches_from_no_bucket) {
  const std::string own = R"({"messages":[{"role":"user","content":[{"text":"x"},{"image":{"format":"png","source":{"bytes":"AA"}}},{"toolUse":{"toolUseId":"t","name":"f","input":{"a":1}}}]}],"system":[{"text":"s"},{"cachePoint":{"type":"default"}}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},{"cachePoint":{"type":"default"}}],"toolChoice":{"tool":{"name":"f"}}},"inferenceConfig":{"maxTokens":1}})";
  BOOST_TEST(converse(own) == own);
  BOOST_TEST(converse(R"({"messages":[],"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}},{"toolSpec":{"name":"f"}}],"toolChoice":{"tool":{"name":"nova_grounding"}}}})") ==
             R"({"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"f"}}],"toolChoice":{"auto":{}}}})");
  BOOST_TEST(converse(R"({"messages":[],"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}],"toolChoice":{"any":{}}}})") == R"({"messages":[]})");
  BOOST_TEST(converse(R"({"messages":[{"role":"user","content":[{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/o"}}}}]}]})").starts_with("deny 403 url-refused: messages[0].content[0].video.source.s3Location.uri"));
  BOOST_TEST(converse(R"({"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"document":{"name":"d","source":{"s3Location":{"uri":"s3://b/o"}}}}]}}]}]})").starts_with("deny 403 url-refused"));
  BOOST_TEST(converse(R"({"additionalModelRequestFields":{"tools":[{"type":"web_search_20250305"}],"mcp_servers":[],"top_k":1,"anthropic_beta":["context-1m-2025-08-07","mcp-client-2025-11-20"]}})") ==
             R"({"additionalModelRequestFields":{"top_k":1,"anthropic_beta":["context-1m-2025-08-07"]}})");
}

BOOST_AUTO_TEST_CASE(anthropics_bodies_are_held_wherever_they_go) {
  const std::string body = R"({"anthropic_version":"v","anthropic_beta":["interleaved-thinking-2025-05-14","code-execution-2025-05-22"],"messages":[],"max_tokens":1,"tools":[{"type":"web_search_20250305","name":"w"}]})";
  const std::string held = R"({"anthropic_version":"v","anthropic_beta":["interleaved-thinking-2025-05-14"],"messages":[],"max_tokens":1})";
  for (const std::string_view path : {"model/anthropic.claude-x-v1%3A0/invoke", "model/us.anthropic.claude-x/invoke-with-response-stream"})
    BOOST_TEST(asked({.provider = "bedrock", .path = path, .body = body}) == held, path);
  for (const std::string_view verb : {"rawPredict", "streamRawPredict"}) {
    const auto path = "v1/projects/p-1/locations/us-east5/publishers/anthropic/models/claude-x@20250101:" + std::string(verb);
    BOOST_TEST(asked({.provider = "vertex", .path = path, .body = body}) == held, path);
  }
  const auto azure = anthropic(R"("tools":[{"type":"web_fetch_20250910","name":"w"}])");
  BOOST_TEST(asked({.provider = "azure", .path = "anthropic/v1/messages", .body = azure}) == anthropic(""));
  BOOST_TEST(asked({.provider = "deepseek", .path = "anthropic/v1/messages", .body = azure}) == anthropic(""));
}

BOOST_AUTO_TEST_CASE(cohere_and_what_is_simpler) {
  const std::string own = R"({"model":"command-x","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"tools":[{"type":"function","function":{"name":"f"}}],"documents":["d",{"id":"1","data":{"url":"x"}}],"citation_options":{"mode":"off"}})";
  BOOST_TEST(asked({.provider = "cohere", .path = "v2/chat", .body = own}) == own);
  BOOST_TEST(asked({.provider = "cohere", .path = "v2/chat", .body = R"({"model":"command-x","messages":[],"connectors":[{"id":"web-search"}],"search_queries_only":true})"}) == R"({"model":"command-x","messages":[]})");
  BOOST_TEST(asked({.provider = "cohere", .path = "v2/embed", .body = R"({"model":"embed-x","images":["https://x.test"]})"}).starts_with("deny 403 url-refused: images[0]"));
  const std::string embedding = R"({"model":"e","input":["a",[1,2,3]],"dimensions":8})";
  for (const std::string_view provider : {"openai", "mistral", "together", "perplexity"})
    BOOST_TEST(asked({.provider = provider, .path = "v1/embeddings", .body = embedding}) == embedding, provider);
  BOOST_TEST(asked({.provider = "openai", .path = "v1/moderations", .body = R"({"input":[{"type":"image_url","image_url":{"url":"https://x.test"}}]})"}).starts_with("deny 403 url-refused: input[0].image_url.url"));
  const std::string fim = R"({"model":"codestral","prompt":"a","suffix":"b","random_seed":1})";
  BOOST_TEST(asked({.provider = "mistral", .path = "v1/fim/completions", .body = fim}) == fim);
}
