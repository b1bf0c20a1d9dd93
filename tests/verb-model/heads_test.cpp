// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "asked.hpp"

using namespace lnk::verb_model::test;

namespace {

constexpr std::string_view kBody = R"({"model":"claude-x","messages":[]})";

std::string reason(const Ask& ask, const Policy& policy = {}) {
  const auto out = asked(ask, policy);
  return out.starts_with("deny ") ? out.substr(5, out.find(':') - 5) : "passes";
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_paths_by_which_a_model_is_asked_pass) {
  struct Row {
    std::string_view provider, path;
  };
  for (const auto& [provider, path] : {Row{"anthropic", "v1/messages"}, {"openai", "v1/chat/completions"}, {"openai", "v1/responses"}, {"gemini", "v1beta/models/gemini-x:streamGenerateContent"}, {"groq", "openai/v1/chat/completions"},
                                       {"xai", "v1/responses"}, {"deepseek", "chat/completions"}, {"openrouter", "api/v1/chat/completions"}, {"together", "v1/completions"}, {"fireworks", "inference/v1/chat/completions"},
                                       {"mistral", "v1/chat/completions"}, {"cohere", "v2/chat"}, {"azure", "openai/deployments/mine/chat/completions"}, {"azure", "openai/v1/responses"},
                                       {"bedrock", "model/x.y-v1:0/converse"}, {"bedrock", "model/arn%3Aaws%3Abedrock%3Aus-east-1%3A%3Afoundation-model%2Fx.y/converse"}, {"bedrock", "model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.x.y/converse"},
                                       {"vertex", "v1/projects/p/locations/l/publishers/google/models/gemini-x:generateContent"}})
    BOOST_TEST(reason({.provider = provider, .path = path, .body = R"({"model":"x","contents":[],"messages":[],"input":[]})"}) == "passes", provider << ' ' << path);
  for (const auto& [provider, path] :
       {Row{"anthropic", "v1/messages/batches"}, {"anthropic", "v1/files"}, {"anthropic", "v1/skills"}, {"anthropic", "v1/agents"}, {"anthropic", "v1/organizations/me"}, {"anthropic", "v1/oauth/token"}, {"anthropic", "api/event_logging/batch"},
        {"anthropic", ""}, {"anthropic", "v1/messages/"}, {"anthropic", "v1//messages"}, {"anthropic", "v1/./messages"}, {"anthropic", "v1/x/../messages"}, {"anthropic", "v1/%6dessages"}, {"anthropic", "v1/messages%2f"}, {"anthropic", "V1/Messages"},
        {"anthropic", "v1/messages;x"}, {"anthropic", "v1\\messages"}, {"openai", "v1/files"}, {"openai", "v1/realtime"}, {"openai", "v1/alpha/search"}, {"openai", "v1/images/generations"}, {"openai", "v1/responses/x"}, {"openai", "v1/conversations"},
        {"gemini", "v1beta/interactions"}, {"gemini", "v1beta/models/x:predict"}, {"gemini", "v1beta/models/x:batchGenerateContent"}, {"gemini", "v1beta/cachedContents"}, {"gemini", "v1beta/models/a%2f..%2f..%2ffiles:generateContent"},
        {"gemini", "v1beta/models/x%252fy:generateContent"}, {"gemini", "v1beta/models/x%20y:generateContent"}, {"gemini", "v1beta/models/x%3AgenerateContent"}, {"gemini", "v1beta/models/x/y:generateContent"}, {"gemini", "v1beta/models/:generateContent"},
        {"openrouter", "api/v1/presets/x/chat/completions"}, {"openrouter", "api/v1/key"}, {"openrouter", "api/v1/keys"}, {"together", "v1/tci/execute"}, {"cohere", "v1/chat"}, {"cohere", "v1/connectors"}, {"mistral", "v1/agents/completions"},
        {"mistral", "v1/conversations"}, {"groq", "openai/v1/batches"}, {"bedrock", "model/x/invoke-with-bidirectional-stream"}, {"bedrock", "async-invoke"}, {"bedrock", "model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aprompt%2FX/converse"},
        {"bedrock", "model/ARN%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aprompt%2FX/converse"}, {"bedrock", "model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aprompt%2FX%3Afoundation-model%2Fx/converse"}, {"bedrock", "model/arn%3Aaws/converse"},
        {"bedrock", "model/a%2f..%2fb/converse"}, {"bedrock", "model/a%00/converse"}, {"vertex", "v1/projects/p/locations/l/publishers/google/models/x:fetchPredictOperation"}, {"vertex", "v1/projects/p/locations/l/reasoningEngines/x:query"}, {"perplexity", "search"}})
    BOOST_TEST(reason({.provider = provider, .path = path, .body = kBody}) == "403 not-inference", provider << ' ' << path);
  BOOST_TEST(reason({.method = "PUT"}) == "405 bad-request");
  BOOST_TEST(reason({.method = "GET"}) == "405 bad-request");
  BOOST_TEST(reason({.provider = "perplexity", .path = "chat/completions", .body = kBody}) == "403 model-searches");
  BOOST_TEST(reason({.provider = "perplexity", .path = "chat/completions", .body = kBody}, {.any_host = true}) == "passes");
}

BOOST_AUTO_TEST_CASE(the_models_of_a_path_are_held) {
  BOOST_TEST(reason({.provider = "gemini", .path = "v1beta/models/deep-research-x:generateContent", .body = "{\"contents\":[]}"}) == "403 model-searches");
  BOOST_TEST(reason({.provider = "gemini", .path = "v1beta/models/de%65p-research-x:generateContent", .body = "{\"contents\":[]}"}) == "403 model-searches");
  BOOST_TEST(reason({.provider = "gemini", .path = "v1beta/models/other:generateContent", .body = "{\"contents\":[]}"}, {.models = R"("gemini-*")"}) == "403 verb-off");
  BOOST_TEST(reason({.provider = "azure", .path = "openai/deployments/mine/chat/completions", .body = "{\"messages\":[]}"}, {.models = R"("mine")"}) == "passes");
  BOOST_TEST(reason({.provider = "vertex", .path = "v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict", .body = kBody}, {.models = R"("claude-*")"}) == "passes");
  BOOST_TEST(asked({.provider = "groq", .path = "openai/v1/models/openai/gpt-oss-120b", .method = "GET"}) == "relay /openai/v1/models/openai/gpt-oss-120b");
  BOOST_TEST(asked({.path = "v1/models", .method = "GET", .query = "limit=20&key=x"}) == "relay /v1/models?limit=20");
}

BOOST_AUTO_TEST_CASE(the_placeholder_stands_in_the_providers_own_field) {
  const auto with = [](std::string_view provider, std::string_view path, std::string_view name, std::string_view value, std::string_view query = {}) {
    return reason({.provider = provider, .path = path, .method = "GET", .query = query, .fields = {{name, value}}, .bare = true});
  };
  const std::string bearer = "Bearer " + std::string(kPlaceholder);
  BOOST_TEST(with("anthropic", "v1/models", "x-api-key", kPlaceholder) == "passes");
  BOOST_TEST(with("anthropic", "v1/models", "X-Api-Key", kPlaceholder) == "passes");
  BOOST_TEST(with("anthropic", "v1/models", "Authorization", bearer) == "passes");
  BOOST_TEST(with("openai", "v1/models", "authorization", bearer) == "passes");
  BOOST_TEST(with("gemini", "v1beta/models", "x-goog-api-key", kPlaceholder) == "passes");
  BOOST_TEST(with("gemini", "v1beta/models", "x", "y", "key=" + std::string(kPlaceholder)) == "passes");
  for (const std::string& value : {std::string(), std::string("sk-real"), std::string(kPlaceholder) + "x", std::string(kPlaceholder).substr(1), "Basic " + std::string(kPlaceholder)}) {
    BOOST_TEST(with("anthropic", "v1/models", "x-api-key", value) == "401 wrong-placeholder", value);
    BOOST_TEST(with("openai", "v1/models", "authorization", "Bearer " + value) == "401 wrong-placeholder", value);
  }
  BOOST_TEST(with("openai", "v1/models", "x-api-key", kPlaceholder) == "401 wrong-placeholder");
  BOOST_TEST(with("openai", "v1/models", "x", "y", "key=" + std::string(kPlaceholder)) == "401 wrong-placeholder");
  BOOST_TEST(with("openai", "v1/models", "authorization", kPlaceholder) == "401 wrong-placeholder");
}

BOOST_AUTO_TEST_CASE(one_key_is_set_and_fields_pass_by_a_list) {
  const auto head = head_of({.body = kBody,
                             .query = "beta=true&x=y",
                             .fields = {{"anthropic-version", "2023-06-01"},
                                        {"anthropic-beta", "context-1m-2025-08-07, mcp-client-2025-11-20"},
                                        {"Anthropic-Beta", "skills-2025-10-02,compact-2026-01-12"},
                                        {"Cookie", "a=b"},
                                        {"X-Stainless-Lang", "js"},
                                        {"anthropic-workspace-id", "w"},
                                        {"X-Forwarded-For", "1.2.3.4"},
                                        {"User-Agent", kPlaceholder},
                                        {"Content-Encoding", "identity"}}});
  BOOST_TEST(head.starts_with("POST api.anthropic.com/v1/messages?beta=true\n"));
  for (const std::string_view gone : {"x-api-key", "api-key", "Authorization", "Cookie", "anthropic-workspace-id", "X-Forwarded-For", "User-Agent", "Content-Encoding", "anthropic-beta", "Anthropic-Beta", "Content-Type"})
    BOOST_TEST(head.find("remove " + std::string(gone) + "\n") != std::string::npos, gone);
  for (const std::string_view stays : {"anthropic-version", "X-Stainless-Lang"}) BOOST_TEST(head.find(std::string(stays)) == std::string::npos, stays);
  BOOST_TEST(head.find("set anthropic-beta: context-1m-2025-08-07,compact-2026-01-12\n") != std::string::npos);
  BOOST_TEST(head.find("set Accept-Encoding: identity\n") != std::string::npos);
  BOOST_TEST(head.find("set Content-Type: application/json\n") != std::string::npos);
  BOOST_TEST(head.find("set x-api-key: {key:anthropic}\n") != std::string::npos);
  BOOST_TEST(head.find("set authorization") == std::string::npos);
  BOOST_TEST(head.find(kPlaceholder) == std::string::npos);
  const auto later = head_of({.body = kBody, .fields = {{"anthropic-version", "2026-10-21"}}});
  BOOST_TEST(later.find("set authorization: Bearer {key:anthropic}\n") != std::string::npos);
  const auto google = head_of({.provider = "gemini", .path = "v1beta/models/gemini-x:streamGenerateContent", .body = "{\"contents\":[]}", .query = "key=" + std::string(kPlaceholder) + "&alt=sse&$httpMethod=DELETE"});
  BOOST_TEST(google.starts_with("POST generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent?alt=sse\n"));
  BOOST_TEST(google.find("set x-goog-api-key: {key:gemini}\n") != std::string::npos);
  BOOST_TEST(head_of({.provider = "azure", .path = "openai/v1/responses", .body = R"({"model":"m","input":"x"})"}).find("set api-key: {key:azure}\n") != std::string::npos);
  BOOST_TEST(head_of({.provider = "bedrock", .path = "model/m/converse", .body = "{\"messages\":[]}"}).find("set authorization: Bearer {key:bedrock}\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_parameter_that_passes_stands_once_and_is_plain) {
  BOOST_TEST(reason({.body = kBody, .query = "beta=true&beta=false"}) == "400 bad-request");
  BOOST_TEST(reason({.body = kBody, .query = "beta=%74rue"}) == "400 bad-request");
  BOOST_TEST(head_of({.body = kBody, .query = "b%65ta=true&key=1&;x"}).starts_with("POST api.anthropic.com/v1/messages\n"));
}
