// SPDX-License-Identifier: Apache-2.0
//
// The model verb's bodies, a first line saying whose: what goes out is read by Boost.JSON and by a small reader of its own, which
// knows none of the tables' shapes, and holds no type of tool beside those that a program runs itself, no URL where a provider
// would fetch one, no name of what a provider runs or keeps, and is what the verb makes of it again.
#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "decision.hpp"
#include "entry.hpp"

namespace lnk::fuzz {
namespace {

namespace json = boost::json;
using verb_model::Denial;
using verb_model::Policy;

struct Target {
  std::string_view provider;
  std::string_view method_path;
};
/// One of each family of shapes; the first letter of an input chooses.
constexpr std::array<Target, 12> kTargets = {{{"anthropic", "v1/messages"},
                                              {"openai", "v1/chat/completions"},
                                              {"openai", "v1/responses"},
                                              {"gemini", "v1beta/models/{model}:generateContent"},
                                              {"bedrock", "model/{model}/converse"},
                                              {"cohere", "v2/chat"},
                                              {"mistral", "v1/chat/completions"},
                                              {"openrouter", "api/v1/chat/completions"},
                                              {"openrouter", "api/v1/messages"},
                                              {"openrouter", "api/v1/responses"},
                                              {"bedrock", "model/{model}/invoke"},
                                              {"openai", "v1/moderations"}}};

/// What only the program reads, or what says what its own tools take: any name and text may stand there.
constexpr auto kOpaque = std::to_array<std::string_view>(
    {"input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema", "responseJsonSchema", "response_json_schema", "responseSchema", "response_schema", "responseFormat", "response_format", "response", "inputSchema",
     "input_examples", "output_schema", "input", "args", "partialArgs", "partial_args", "arguments", "json", "data", "metadata", "client_metadata", "labels", "requestMetadata", "logit_bias", "format", "schema",
     "cache_control", "citations", "thinking", "output_config", "output_format", "outputConfig", "caller", "configs", "trigger", "keep", "clear_at_least", "clear_tool_inputs", "exclude_tools", "compaction", "transformations",
     "tabs", "state_changes", "annotations", "logprobs", "prompt_cache_breakpoint", "prompt_cache_options", "stream_options", "context_management", "reasoning", "text", "action", "actions", "operation", "output",
     "pending_safety_checks", "acknowledged_safety_checks", "reasoning_details", "safetySettings", "safety_settings", "thinkingConfig", "thinking_config", "speechConfig", "speech_config", "videoMetadata", "video_metadata",
     "mediaResolution", "media_resolution", "partMetadata", "part_metadata", "cachePoint", "reasoningContent", "citationsContent", "inferenceConfig", "guardrailConfig", "performanceConfig", "serviceTier", "reasoning_config",
     "reasoningConfig", "provider", "usage", "image_config", "citation_options", "reference_ids", "fallback_credit_token", "auto", "any", "parametersJson", "closed", "signature", "query", "audio", "prompt"});

/// Every type that may go out, of tools and of what messages hold; a type of none of these is the provider's.
constexpr auto kTypes = std::to_array<std::string_view>(
    {"custom", "function", "bash_20241022", "bash_20250124", "text_editor_20241022", "text_editor_20250124", "text_editor_20250429", "text_editor_20250728", "computer_20241022", "computer_20250124", "computer_20251124",
     "computer_toolset_20260801", "browser_toolset_20260801", "memory_20250818", "tool_search_tool_regex_20251119", "tool_search_tool_bm25_20251119", "tool_search_tool_regex", "tool_search_tool_bm25", "namespace", "tool_search",
     "apply_patch", "local_shell", "computer", "computer_use", "computer_use_preview", "shell", "local", "auto", "any", "tool", "none", "allowed_tools", "text", "image", "document", "search_result", "thinking", "redacted_thinking",
     "tool_use", "tool_result", "tool_reference", "browser_state", "compaction", "tool_addition", "tool_removal", "fallback", "server_tool_use", "tool_search_tool_result", "tool_search_tool_search_result",
     "tool_search_tool_result_error", "tool_definition", "base64", "content", "url", "clear_tool_uses_20250919", "clear_thinking_20251015", "compact_20260112", "refusal", "input_text", "output_text", "image_url", "input_audio",
     "audio_url", "video_url", "file", "document_url", "reference", "message", "function_call", "custom_tool_call", "function_call_output", "custom_tool_call_output", "tool_search_call", "tool_search_output", "additional_tools",
     "reasoning", "compaction_summary", "compaction_trigger", "computer_call", "computer_call_output", "local_shell_call", "shell_call", "local_shell_call_output", "shell_call_output", "apply_patch_call",
     "apply_patch_call_output", "summary_text", "reasoning_text", "input_image", "input_file", "computer_screenshot", "encrypted_content"});

/// Where a provider would fetch.
constexpr auto kUrls = std::to_array<std::string_view>({"url", "image_url", "file_url", "video_url", "audio_url", "document_url", "fileUri", "file_uri", "uri", "server_url", "image", "images"});
/// What a provider runs, reaches or keeps, by its member.
constexpr auto kGone = std::to_array<std::string_view>(
    {"mcp_servers", "container", "web_search_options", "search_parameters", "search_settings", "compound_custom", "data_sources", "enable_search", "connectors", "googleSearch", "google_search", "googleSearchRetrieval",
     "google_search_retrieval", "urlContext", "url_context", "codeExecution", "code_execution", "googleMaps", "google_maps", "fileSearch", "file_search", "mcpServers", "retrieval", "enterpriseWebSearch", "systemTool",
     "vector_store_ids", "connector_id", "toolCall", "executableCode", "webhook_config"});
/// These may be there where they say nothing.
constexpr auto kState = std::to_array<std::string_view>({"file_id", "previous_response_id", "conversation", "background", "thread", "cachedContent", "cached_content", "promptVariables", "container_id"});

template <class List>
bool is_in(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string_view text(const json::string& value) { return {value.data(), value.size()}; }

void look(const json::value& value, std::string_view key) {
  if (is_in(kUrls, key) && value.is_string()) LNK_HOLDS(text(value.as_string()).starts_with("data:"));
  if (value.is_array()) {
    for (const auto& each : value.as_array()) look(each, key);
    return;
  }
  if (!value.is_object()) return;
  for (const auto& member : value.as_object()) {
    const std::string_view name(member.key().data(), member.key().size());
    LNK_HOLDS(!is_in(kGone, name));
    if (is_in(kState, name)) LNK_HOLDS(member.value().is_null() || (member.value().is_bool() && !member.value().as_bool()));
    if (name == "store") LNK_HOLDS(member.value().is_bool() && !member.value().as_bool());
    if (name == "type" && member.value().is_string()) LNK_HOLDS(is_in(kTypes, text(member.value().as_string())));
    // A list is looked through even where its name is one that may hold anything: tools stand in input, parts in output.
    if (!is_in(kOpaque, name)) look(member.value(), name);
  }
}

/// Boost.JSON's reading of text: the keys of OpenAI's input and outputs are looked through too.
void look_through(const json::value& root) {
  LNK_HOLDS(root.is_object());
  look(root, {});
  const auto* items = root.as_object().if_contains("input");
  if (items == nullptr || !items->is_array()) return;
  look(*items, {});
  for (const auto& item : items->as_array()) {
    const auto* output = item.is_object() ? item.as_object().if_contains("output") : nullptr;
    const auto* type = item.is_object() ? item.as_object().if_contains("type") : nullptr;
    const bool is_call = type != nullptr && type->is_string() && type->as_string().find("call_output") != std::string::npos && type->as_string().find("shell") == std::string::npos;
    if (output != nullptr && is_call) look(*output, {});
  }
}

/// A reader that knows nothing but JSON's quotes: every text of a member "type", and of a member of kUrls, by its bytes. `written` has no
/// white space, so that a key is what stands between a quote and ":.
void scan(std::string_view written) {
  int open = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < written.size(); ++at) {
    const char c = written[at];
    if (in_text) {
      LNK_HOLDS(static_cast<unsigned char>(c) >= 0x20);
      if (c == '\\') ++at;
      if (c == '"') in_text = false;
      continue;
    }
    LNK_HOLDS(c != ' ' && c != '\n' && c != '\t' && c != '\r');
    if (c == '"') in_text = true;
    if (c == '{' || c == '[') ++open;
    if (c == '}' || c == ']') --open;
    LNK_HOLDS(open >= 0 && open <= 64);
  }
  LNK_HOLDS(open == 0 && !in_text);
}

}  // namespace

void check(std::string_view input) {
  static const auto tables = verb_model::read_tables();
  LNK_HOLDS(tables.has_value());
  if (input.empty()) return;
  const auto& target = kTargets[static_cast<unsigned char>(input.front()) % kTargets.size()];
  const auto* provider = tables->providers.find(target.provider);
  const auto found = std::find_if(provider->endpoints.begin(), provider->endpoints.end(), [&](const auto& one) { return one.path == target.method_path; });
  LNK_HOLDS(found != provider->endpoints.end());
  verb_model::Passage passage;
  passage.endpoint = &*found;
  const Policy policy;
  const auto made = verb_model::decide_body(*tables, policy, passage, input.substr(1));
  if (const auto* denial = std::get_if<Denial>(&made)) {
    LNK_HOLDS(!denial->words.empty() && denial->words.size() <= 512);
    LNK_HOLDS(std::all_of(denial->words.begin(), denial->words.end(), [](char c) { return c >= 0x20 && c < 0x7f; }));
    return;
  }
  const auto& written = std::get<std::string>(made);
  scan(written);
  json::parse_options options;
  options.max_depth = 100;
  json::error_code error;
  const auto read = json::parse({written.data(), written.size()}, error, {}, options);
  LNK_HOLDS(!error);
  look_through(read);
  const auto again = verb_model::decide_body(*tables, policy, passage, written);
  LNK_HOLDS(std::holds_alternative<std::string>(again) && std::get<std::string>(again) == written);
}

}  // namespace lnk::fuzz
