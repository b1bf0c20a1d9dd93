// SPDX-License-Identifier: Apache-2.0
#include "body_shapes.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace lnk::verb_local {
namespace {

template <std::size_t N>
consteval std::array<Member, N> in_order(std::array<Member, N> members) {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
  return members;
}

template <std::size_t N>
consteval std::array<Member, N> table(const Member (&members)[N]) {
  return in_order(std::to_array(members));
}

bool content(Filter& filter, Value& value, const Place& place);
bool tools(Filter& filter, Value& value, const Place& place);

/// An object told apart by its "type".
struct Kind {
  std::string_view type;
  std::span<const Member> members;
};

const Kind* kind_of(std::span<const Kind> kinds, const Value& object) noexcept {
  const auto* type = object.find("type");
  if (type == nullptr || !type->is_string()) return nullptr;
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [type](const Kind& one) { return one.type == type->text(); });
  return found == kinds.end() ? nullptr : &*found;
}

/// A list whose texts and numbers are kept, and whose objects are `check`ed.
bool list_of(Filter& filter, Value& value, const Place& place, Check check) {
  std::size_t at = 0;
  for (Item& item : value.items()) {
    const Place below{&place, {}, at++};
    if (!(item.value.is_object() ? check : simple)(filter, item.value, below)) return false;
  }
  return true;
}

// ---- parts of a message: OpenAI's chat and responses, Anthropic's messages ----

bool source(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kBase64 = table({{"data", inline_data}, {"media_type", simple}, {"type", simple}});
  static constexpr auto kText = table({{"data", simple}, {"media_type", simple}, {"type", simple}});
  static constexpr auto kContent = table({{"content", content}, {"type", simple}});
  static constexpr std::array<Kind, 3> kKinds = {{{"base64", kBase64}, {"text", kText}, {"content", kContent}}};
  const auto* kind = kind_of(kKinds, value);
  return kind == nullptr ? refuse_url(filter, place) : members(filter, value, place, kind->members);
}

bool audio(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kAudio = table({{"data", inline_data}, {"format", simple}});
  return members(filter, value, place, kAudio);
}

bool file(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kFile = table({{"file_data", inline_data}, {"file_url", data_url}, {"filename", simple}});
  return members(filter, value, place, kFile);
}

constexpr auto kText = table({{"cache_control", settings}, {"text", simple}, {"type", simple}});
constexpr auto kRefusal = table({{"refusal", simple}, {"type", simple}});
constexpr auto kThinking = table({{"signature", simple}, {"thinking", simple}, {"type", simple}});
constexpr auto kRedacted = table({{"data", simple}, {"type", simple}});
constexpr auto kImageUrl = table({{"cache_control", settings}, {"image_url", media}, {"type", simple}});
constexpr auto kVideoUrl = table({{"type", simple}, {"video_url", media}});
constexpr auto kAudioUrl = table({{"audio_url", media}, {"type", simple}});
constexpr auto kInputImage = table({{"detail", simple}, {"image_url", data_url}, {"type", simple}});
constexpr auto kInputAudio = table({{"input_audio", audio}, {"type", simple}});
constexpr auto kInputFile =
    table({{"file_data", inline_data}, {"file_url", data_url}, {"filename", simple}, {"type", simple}});
constexpr auto kFilePart = table({{"file", file}, {"type", simple}});
constexpr auto kSourced =
    table({{"cache_control", settings}, {"context", simple}, {"source", source}, {"title", simple}, {"type", simple}});
constexpr auto kToolUse =
    table({{"cache_control", settings}, {"id", simple}, {"input", keep}, {"name", simple}, {"type", simple}});
constexpr auto kToolResult = table({{"cache_control", settings},
                                    {"content", content},
                                    {"is_error", simple},
                                    {"tool_use_id", simple},
                                    {"type", simple}});
constexpr auto kToolReference = table({{"tool_name", simple}, {"type", simple}});

constexpr std::array<Kind, 21> kParts = {{
    {"text", kText},
    {"input_text", kText},
    {"output_text", kText},
    {"reasoning_text", kText},
    {"summary_text", kText},
    {"refusal", kRefusal},
    {"thinking", kThinking},
    {"redacted_thinking", kRedacted},
    {"image_url", kImageUrl},
    {"video_url", kVideoUrl},
    {"audio_url", kAudioUrl},
    {"input_image", kInputImage},
    {"input_audio", kInputAudio},
    {"input_file", kInputFile},
    {"file", kFilePart},
    {"image", kSourced},
    {"document", kSourced},
    {"tool_use", kToolUse},
    {"tool_result", kToolResult},
    {"tool_reference", kToolReference},
    // A model's own word for its text, in what some clients send back.
    {"reasoning", kText},
}};

bool part(Filter& filter, Value& value, const Place& place) {
  const auto* kind = kind_of(kParts, value);
  return kind == nullptr ? refuse_form(filter, place) : members(filter, value, place, kind->members);
}

/// A text, or parts.
bool content(Filter& filter, Value& value, const Place& place) {
  if (value.is_object()) return refuse_form(filter, place);
  return list_of(filter, value, place, part);
}

// ---- messages, and the items of OpenAI's responses ----

constexpr auto kMessage = table({{"cache_control", settings},
                                 {"content", content},
                                 {"function_call", keep},
                                 {"id", simple},
                                 {"images", inline_data},
                                 {"name", simple},
                                 {"phase", simple},
                                 {"prefix", simple},
                                 {"reasoning", simple},
                                 {"reasoning_content", simple},
                                 {"refusal", simple},
                                 {"role", simple},
                                 {"status", simple},
                                 {"thinking", simple},
                                 {"tool_call_id", simple},
                                 {"tool_calls", keep},
                                 {"tool_name", simple},
                                 {"type", simple}});
constexpr auto kCall = table({{"action", keep},
                              {"arguments", keep},
                              {"call_id", simple},
                              {"id", simple},
                              {"input", keep},
                              {"name", simple},
                              {"namespace", simple},
                              {"status", simple},
                              {"type", simple}});
constexpr auto kOutput =
    table({{"call_id", simple}, {"id", simple}, {"output", content}, {"status", simple}, {"type", simple}});
constexpr auto kReasoning = table({{"content", content},
                                   {"encrypted_content", simple},
                                   {"id", simple},
                                   {"status", simple},
                                   {"summary", content},
                                   {"type", simple}});

constexpr std::array<Kind, 8> kItems = {{
    {"message", kMessage},
    {"function_call", kCall},
    {"custom_tool_call", kCall},
    {"local_shell_call", kCall},
    {"function_call_output", kOutput},
    {"custom_tool_call_output", kOutput},
    {"local_shell_call_output", kOutput},
    {"reasoning", kReasoning},
}};

bool item(Filter& filter, Value& value, const Place& place) {
  const auto* type = value.find("type");
  if (type == nullptr || type->is_null()) return members(filter, value, place, kMessage);
  const auto* kind = kind_of(kItems, value);
  return kind == nullptr ? refuse_form(filter, place) : members(filter, value, place, kind->members);
}

/// Messages, items, or what is to be embedded: texts and tokens.
bool items(Filter& filter, Value& value, const Place& place) {
  if (value.is_object()) return refuse_form(filter, place);
  return list_of(filter, value, place, item);
}

// ---- prompts and texts ----

bool prompt_object(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kPrompt = table({{"multimodal_data", inline_data}, {"prompt_string", simple}});
  // Without it, it is a prompt that is kept elsewhere (OpenAI's responses), with tools of its own.
  if (value.find("prompt_string") == nullptr) return refuse_form(filter, place);
  return members(filter, value, place, kPrompt);
}

bool prompt(Filter& filter, Value& value, const Place& place) {
  return value.is_object() ? prompt_object(filter, value, place) : list_of(filter, value, place, prompt_object);
}

bool text_object(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kTexts =
      table({{"content", content}, {"filename", simple}, {"id", simple}, {"text", simple}, {"title", simple}});
  return members(filter, value, place, kTexts);
}

bool texts(Filter& filter, Value& value, const Place& place) {
  return value.is_object() ? text_object(filter, value, place) : list_of(filter, value, place, text_object);
}

/// ![…](http…): TGI fetches what a prompt has as a picture in Markdown.
bool has_fetched_picture(std::string_view text) noexcept {
  if (text.find("![") == std::string_view::npos) return false;
  for (auto at = text.find("]("); at != std::string_view::npos; at = text.find("](", at + 1))
    if (!text.substr(at + 2).starts_with("data:")) return true;
  return false;
}

bool inputs(Filter& filter, Value& value, const Place& place) {
  if (value.is_string() && has_fetched_picture(value.text())) return refuse_url(filter, place);
  return texts(filter, value, place);
}

/// Of one member two APIs make a text (SGLang) and a format (OpenAI's responses).
bool text_or_format(Filter& filter, Value& value, const Place& place) {
  return value.is_object() ? schema(filter, value, place) : texts(filter, value, place);
}

// ---- tools ----

/// Those that the program runs, by the types of OpenAI's and Anthropic's APIs. Any other is a runtime's.
constexpr auto kProgramsTools = std::to_array<std::string_view>(
    {"function", "custom", "namespace", "local_shell", "apply_patch", "bash_20241022", "bash_20250124",
     "text_editor_20241022", "text_editor_20250124", "text_editor_20250429", "text_editor_20250728",
     "computer_20241022", "computer_20250124", "computer_20251124", "memory_20250818"});
constexpr auto kChoices =
    std::to_array<std::string_view>({"auto", "any", "none", "required", "tool", "function", "custom", "allowed_tools"});

/// Its type is one of these, or it has none.
bool is_of(std::span<const std::string_view> types, const Value& object) noexcept {
  const auto* type = object.find("type");
  if (type == nullptr || type->is_null()) return true;
  return type->is_string() && std::find(types.begin(), types.end(), type->text()) != types.end();
}

bool function(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kFunction =
      table({{"description", simple}, {"name", simple}, {"parameters", schema}, {"strict", simple}});
  return members(filter, value, place, kFunction);
}

bool tool(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kTool = table({{"cache_control", settings},
                                       {"custom", schema},
                                       {"description", simple},
                                       {"display_height_px", simple},
                                       {"display_number", simple},
                                       {"display_width_px", simple},
                                       {"format", schema},
                                       {"function", function},
                                       {"input_schema", schema},
                                       {"max_characters", simple},
                                       {"name", simple},
                                       {"parameters", schema},
                                       {"strict", simple},
                                       {"tools", tools},
                                       {"type", simple}});
  return is_of(kProgramsTools, value) ? members(filter, value, place, kTool) : refuse_tool(filter, place);
}

bool tools(Filter& filter, Value& value, const Place& place) {
  if (value.is_null()) return true;
  if (!value.is_array()) return refuse_tool(filter, place);
  std::size_t at = 0;
  for (Item& one : value.items())
    if (!tool(filter, one.value, Place{&place, {}, at++})) return false;
  return true;
}

bool tool_choice(Filter& filter, Value& value, const Place& place) {
  static constexpr auto kAllowed = table({{"mode", simple}, {"tools", tools}});
  static constexpr Check allowed = [](Filter& f, Value& v, const Place& p) { return members(f, v, p, kAllowed); };
  static constexpr auto kChoice = table({{"allowed_tools", allowed},
                                         {"custom", settings},
                                         {"disable_parallel_tool_use", simple},
                                         {"function", settings},
                                         {"mode", simple},
                                         {"name", simple},
                                         {"tools", tools},
                                         {"type", simple}});
  if (!value.is_object()) return simple(filter, value, place);
  return is_of(kChoices, value) ? members(filter, value, place, kChoice) : refuse_tool(filter, place);
}

// ---- the request ----

constexpr auto kTyped = std::to_array<Member>({{"model", model},
                                               {"name", model},
                                               {"messages", items},
                                               {"input", items},
                                               {"system", content},
                                               {"prompt", prompt},
                                               {"tools", tools},
                                               {"tool_choice", tool_choice},
                                               {"functions", schema},
                                               {"function_call", settings},
                                               {"documents", texts},
                                               {"texts", texts},
                                               {"query", texts},
                                               {"queries", texts},
                                               {"text_1", texts},
                                               {"text_2", texts},
                                               {"data_1", texts},
                                               {"data_2", texts},
                                               {"items", texts},
                                               {"inputs", inputs},
                                               {"text", text_or_format},
                                               {"input_extra", texts},
                                               {"images", inline_data},
                                               {"image_data", inline_data},
                                               {"audio_data", data_urls},
                                               {"video_data", data_urls},
                                               {"response_format", schema},
                                               {"format", schema},
                                               {"json_schema", schema},
                                               {"structured_outputs", schema},
                                               {"output_config", schema},
                                               {"guided_json", schema},
                                               {"stream_options", settings},
                                               {"logit_bias", settings},
                                               {"options", settings},
                                               {"sampling_params", settings},
                                               {"parameters", settings},
                                               {"thinking", settings},
                                               {"reasoning", settings}});

/// What says how, in texts and numbers.
constexpr auto kPlainNames = std::to_array<std::string_view>(
    {// What is looked at, compared and completed.
     "modalities", "input_prefix", "input_suffix", "input_ids", "suffix", "instruction", "instructions", "content",
     "token", "tokens", "context",
     // Its form.
     "guided_regex", "guided_choice", "guided_grammar", "grammar", "regex", "ebnf", "encoding_format",
     "embedding_types", "dimensions", "input_type", "truncate", "truncation", "truncate_prompt_tokens", "normalize",
     "embd_normalize", "return_documents", "return_text", "top_n", "verbosity", "include", "response_fields", "verbose",
     // How it is streamed, and what is told beside it.
     "stream", "logprobs", "top_logprobs", "prompt_logprobs", "n_probs", "post_sampling_probs", "return_logprob",
     "logprob_start_len", "top_logprobs_num", "return_text_in_logprobs", "return_tokens", "timings_per_token",
     "return_progress", "echo", "details", "decoder_input_details", "return_full_text",
     // How far, and by which chance.
     "max_tokens", "max_completion_tokens", "max_output_tokens", "max_new_tokens", "min_tokens", "min_new_tokens",
     "n_predict", "t_max_predict_ms", "stop", "stop_sequences", "stop_token_ids", "ignore_eos",
     "include_stop_str_in_output", "no_stop_trim", "bad_words", "n", "best_of", "use_beam_search", "length_penalty",
     "early_stopping", "seed", "temperature", "top_p", "top_k", "top_a", "min_p", "min_keep", "typical_p", "tfs_z",
     "top_n_sigma", "presence_penalty", "frequency_penalty", "repetition_penalty", "repetition_context_size",
     "repeat_penalty", "repeat_last_n", "penalize_nl", "dry_multiplier", "dry_base", "dry_allowed_length",
     "dry_penalty_last_n", "dry_sequence_breakers", "xtc_probability", "xtc_threshold", "mirostat", "mirostat_tau",
     "mirostat_eta", "dynatemp_range", "dynatemp_exponent", "samplers", "n_keep", "n_indent", "n_discard", "id_slot",
     "cache_prompt", "prompt_cache_key", "skip_special_tokens", "spaces_between_special_tokens", "add_special_tokens",
     "add_special", "parse_special", "with_pieces", "add_generation_prompt", "continue_final_message", "watermark",
     "do_sample", "typical",
     // Thinking, and whose request it is.
     "think", "reasoning_effort", "reasoning_format", "thinking_budget_tokens", "separate_reasoning",
     "stream_reasoning", "include_reasoning", "parse_tool_calls", "parallel_tool_calls", "max_tool_calls", "raw",
     "user", "safety_identifier"});

consteval auto all_members() {
  std::array<Member, kTyped.size() + kPlainNames.size()> all = {};
  std::copy(kTyped.begin(), kTyped.end(), all.begin());
  std::transform(kPlainNames.begin(), kPlainNames.end(), all.begin() + kTyped.size(), [](std::string_view name) {
    return Member{name, simple};
  });
  return in_order(all);
}
constexpr auto kRequest = all_members();

}  // namespace

bool check_request(Filter& filter, Value& body) { return members(filter, body, Place{}, kRequest); }

}  // namespace lnk::verb_local
