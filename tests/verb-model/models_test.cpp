// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "policy.hpp"

using lnk::verb_model::is_plain_beta;
using lnk::verb_model::Policy;
using lnk::verb_model::refuse_model;

namespace {

std::string why(std::string_view model, const Policy& policy = {}) {
  const auto denial = refuse_model(policy, model, "model");
  return denial ? std::string(denial->reason) : "may";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_model_that_searches_by_nature_is_refused_where_hosts_are_listed) {
  for (const std::string_view model :
       {"gpt-4o-search-preview", "gpt-4o-mini-search-preview-2025-03-11", "gpt-5-search-api", "o3-deep-research", "o4-mini-deep-research-2025-06-26", "deep-research-pro-preview-12-2025",
        "models/deep-research-preview-04-2026", "antigravity-preview-05-2026", "models/aqa", "sonar", "sonar-pro", "perplexity/sonar-reasoning", "groq/compound", "groq/compound-mini", "compound-beta",
        "openai/gpt-4o:online", "openrouter/auto", "openrouter/fusion", "@preset/mine", "qwen-deep-research", "grok-4.20-multi-agent-beta", "GPT-4o-Search-Preview", "publishers/google/models/deep-research-x",
        "switchpoint/router", "~openrouter/auto", "~perplexity/x"}) {
    BOOST_TEST(why(model) == "model-searches", model);
    BOOST_TEST(why(model, {.any_host = true}) == "may", model);
  }
  for (const std::string_view model : {"gpt-5", "claude-opus-4-1-20250805", "us.anthropic.claude-sonnet-4-20250514-v1:0", "models/gemini-3-pro", "meta-llama/llama-4:free", "accounts/fireworks/models/x",
                                       "relace/relace-search", "alibaba/tongyi-deepresearch-30b-a3b", "grok-4", "~anthropic/claude-latest", "command-a-03-2025", "compoundish"})
    BOOST_TEST(why(model) == "may", model);
}

BOOST_AUTO_TEST_CASE(a_list_of_models_is_held) {
  const Policy policy{.models = {"claude-*", "gpt-5"}};
  for (const std::string_view model : {"claude-x", "Claude-X", "gpt-5", "models/gpt-5", "publishers/anthropic/models/claude-x@1"}) BOOST_TEST(why(model, policy) == "may", model);
  for (const std::string_view model : {"gpt-5-mini", "xclaude-x", "anthropic.claude-x", "gpt-4", "claude"}) BOOST_TEST(why(model, policy) == "verb-off", model);
  BOOST_TEST(why("us.anthropic.claude-x", {.models = {"anthropic.claude-*"}}) == "may");
  BOOST_TEST(why("arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x", {.models = {"anthropic.claude-*"}}) == "may");
}

BOOST_AUTO_TEST_CASE(what_is_no_models_name_is_refused) {
  for (const std::string_view model : {"", " gpt-5", "gpt-5 ", "gpt 5", "gpt-5\n", "gpt-5\t:online", "caf\u00e9", "a,b", "a?b", "a%b", "a\\b", "\u200bsonar"}) BOOST_TEST(why(model) == "bad-body", model);
  BOOST_TEST(why(std::string(513, 'a')) == "bad-body");
}

BOOST_AUTO_TEST_CASE(betas_are_known_or_go) {
  for (const std::string_view beta : {"interleaved-thinking-2025-05-14", "context-1m-2025-08-07", "prompt-caching-2024-07-31", "computer-use-2025-11-24", "compact-2026-01-12", "structured-outputs-2025-11-13", "claude-code-20250219"})
    BOOST_TEST(is_plain_beta(beta), beta);
  for (const std::string_view beta : {"mcp-client-2025-11-20", "mcp-tunnels-2026-06-22", "code-execution-2025-05-22", "skills-2025-10-02", "files-api-2025-04-14", "advisor-tool-2026-03-01", "managed-agents-2026-04-01", "agent-memory-2026-07-22",
                                      "dreaming-2026-04-21", "message-threads-2026-08-12", "message-batches-2024-09-24", "of-tomorrow-2027-01-01", "", "Context-1m-2025-08-07", "context-1m-2025-08-07 ", "context-1m-,mcp-client"})
    BOOST_TEST(!is_plain_beta(beta), beta);
}
