// SPDX-License-Identifier: Apache-2.0
#include "policy.hpp"

#include <algorithm>
#include <array>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_model {
namespace {

constexpr std::size_t kModelBytesMax = 512;  ///< a Bedrock ARN has some 150

/// Models that search, or act outside, whatever a request asks; a * stands for any text. Folded, and without what stands before
/// a name (below).
/// date: 2026-11-29
/// source: openai 6.49.0, @google/genai 2.32.0, groq-sdk 1.6.0, @openrouter/sdk 1.3.19, @ai-sdk/perplexity 3.0.61 and
/// @ai-sdk/xai 3.0.138 (their types), console.groq.com/docs/compound, openrouter.ai's model pages
constexpr auto kSearching = std::to_array<std::string_view>({
    "*-search-preview*", "*-search-api*", "*deep-research*",  // OpenAI, Gemini, Qwen
    "antigravity*", "aqa",                                    // Gemini: an agent; answers from the web
    "sonar*", "*/sonar*", "perplexity/*",                     // Perplexity, and by others
    "compound", "compound-*", "*/compound", "*/compound-*",   // Groq
    "grok-*multi-agent*", "*/grok-*multi-agent*",             // xAI
    "*:online*", "openrouter/*", "@preset/*", "*/router", "*/router-*",  // OpenRouter: its search, its routers
    "nova-premier-web*"});

/// Betas that change how a model answers, or how a request is counted and kept for a moment. Whatever turns on what a provider
/// runs, reaches or keeps stays out: mcp-client, mcp-tunnels, code-execution, skills, files-api, advisor-tool, managed-agents,
/// agent-memory, dreaming, message-threads, message-batches, user-profiles, webhooks and all that isn't known.
/// date: 2026-11-24
/// source: @anthropic-ai/sdk 1.14.0, AnthropicBeta; Claude Code's own
constexpr auto kPlainBetas = std::to_array<std::string_view>({
    "advanced-tool-use-*", "cache-diagnosis-*", "claude-code-*", "compact-*", "computer-use-*", "context-1m-*",
    "context-management-*", "dev-full-thinking-*", "effort-*", "extended-cache-ttl-*", "fallback-credit-*", "fast-mode-*",
    "fine-grained-tool-streaming-*", "inline-tools-*", "interleaved-thinking-*", "mid-conversation-output-config-*",
    "mid-conversation-system-clear-at-*", "mid-conversation-tool-changes-*", "model-context-window-exceeded-*", "oauth-*",
    "output-*", "pdfs-*", "prompt-caching-*", "search-results-*", "server-side-fallback-*", "structured-outputs-*",
    "task-budgets-*", "thinking-*", "token-counting-*", "token-efficient-tools-*", "tool-examples-*", "tool-search-tool-*"});

bool fits(std::string_view pattern, std::string_view name) noexcept {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  if (pattern.empty()) return true;
  const auto until = pattern.substr(0, pattern.find('*'));
  for (auto at = name.find(until); at != std::string_view::npos; at = name.find(until, at + 1)) {
    const bool is_end = until.size() == pattern.size();
    const auto behind = name.substr(at + until.size());
    if (is_end ? behind.empty() : fits(pattern.substr(until.size()), behind)) return true;
  }
  return false;
}

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kModelBytesMax && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:/@#~+").find(c) != std::string_view::npos;
  });
}

/// Without what says where a model stands: models/, publishers/…/models/, accounts/…/models/, an ARN, a region, a ~.
std::string_view bare_name(std::string_view name) noexcept {
  constexpr std::string_view kModels = "models/";
  if (const auto at = name.rfind(kModels); at != std::string_view::npos) name.remove_prefix(at + kModels.size());
  if (name.starts_with("arn:")) name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  // OpenRouter's for the newest of a family.
  if (name.starts_with('~')) name.remove_prefix(1);
  for (const std::string_view region : {"us.", "us-gov.", "eu.", "apac.", "jp.", "au.", "ca.", "global."})
    if (name.starts_with(region)) return name.substr(region.size());
  return name;
}

bool is_listed(const Policy& policy, std::string_view name, std::string_view bare) {
  if (policy.models.empty()) return true;
  return std::any_of(policy.models.begin(), policy.models.end(), [&](const std::string& listed) {
    const auto pattern = folded(listed);
    return fits(pattern, name) || fits(pattern, bare);
  });
}

}  // namespace

std::optional<Denial> refuse_model(const Policy& policy, std::string_view name, std::string_view where) {
  const std::string place(where);
  if (!is_plain_name(name)) return Denial{400, "bad-body", place + " is no model's name"};
  const auto text = folded(name);
  const auto bare = bare_name(text);
  const auto is_it = [&](std::string_view pattern) { return fits(pattern, text) || fits(pattern, bare); };
  if (!policy.any_host && std::any_of(kSearching.begin(), kSearching.end(), is_it))
    return Denial{403, "model-searches",
                  place + " names a model that searches the web by nature, past this sandbox's hosts; trying again won't help. "
                          "Another model, or hosts = [\"*\"] under [network] in the sandbox's spec, would be allowed."};
  if (!is_listed(policy, text, bare))
    return Denial{403, "verb-off", place + " names a model that is not among models under [model] in the sandbox's spec; "
                                           "trying again won't help. Adding it there would allow it."};
  return std::nullopt;
}

bool is_plain_beta(std::string_view name) noexcept {
  constexpr std::size_t kBetaBytesMax = 100;
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.size() > kBetaBytesMax || !std::all_of(name.begin(), name.end(), is_part)) return false;
  return std::any_of(kPlainBetas.begin(), kPlainBetas.end(), [name](auto pattern) { return fits(pattern, name); });
}

}  // namespace lnk::verb_model
