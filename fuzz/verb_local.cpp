// SPDX-License-Identifier: Apache-2.0
//
// A local runtime's requests: the first line is method, path and query ("-": none), the rest a body. What goes out,
// read by Boost.JSON, asks for nothing but inference: nothing is fetched, no tool is the runtime's, no model is run
// elsewhere; and filtered once more it stays as it is.
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "body_filter.hpp"
#include "decision.hpp"
#include "entry.hpp"
#include "runtimes.hpp"

namespace lnk::fuzz {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 7> kFetched = {"image_url",  "video_url",  "audio_url", "file_url",
                                                      "image_data", "audio_data", "images"};
constexpr std::array<std::string_view, 9> kNeverThere = {"adapters",     "draft_model",   "mcp_servers",
                                                         "integrations", "chat_template", "template",
                                                         "lora_path",    "server_url",    "kv_transfer_params"};
/// What the program alone reads, and schemas, whose names are a program's.
constexpr std::array<std::string_view, 16> kFree = {"arguments",
                                                    "input",
                                                    "parameters",
                                                    "input_schema",
                                                    "function_call",
                                                    "tool_calls",
                                                    "action",
                                                    "format",
                                                    "text",
                                                    "json_schema",
                                                    "guided_json",
                                                    "functions",
                                                    "structured_outputs",
                                                    "response_format",
                                                    "custom",
                                                    "output_config"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_fetchable(std::string_view text) {
  return !text.starts_with("data:") &&
         (text.find(':') != std::string_view::npos || text.find('.') != std::string_view::npos);
}

void check_fetched(const json::value& value) {
  if (const auto* text = value.if_string()) LNK_HOLDS(!is_fetchable(std::string_view(text->data(), text->size())));
  if (const auto* list = value.if_array())
    for (const auto& each : *list) check_fetched(each);
  if (const auto* object = value.if_object())
    if (const auto* url = object->if_contains("url")) check_fetched(*url);
}

void check_tools(const json::value& value) {
  const auto* list = value.if_array();
  for (const auto& each : list == nullptr ? json::array() : *list) {
    const auto* type = each.as_object().if_contains("type");
    if (type == nullptr || type->is_null()) continue;
    const auto& text = type->as_string();
    const std::string_view word(text.data(), text.size());
    LNK_HOLDS(word.find("search") == word.npos && word.find("mcp") == word.npos &&
              word.find("interpreter") == word.npos && word.find("fetch") == word.npos && word != "container" &&
              word != "shell");
    if (const auto* below = each.as_object().if_contains("tools")) check_tools(*below);
  }
}

void check_model(const json::value& value) {
  const auto* text = value.if_string();
  if (text == nullptr) return;
  std::string name(text->data(), text->size());
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  LNK_HOLDS(!name.ends_with(":cloud") && !name.ends_with("-cloud") && name.find('/') == name.npos &&
            name.find("..") == name.npos);
}

void check_value(const json::value& value, bool is_root) {
  if (const auto* list = value.if_array())
    for (const auto& each : *list) check_value(each, false);
  const auto* object = value.if_object();
  if (object == nullptr) return;
  for (const auto& member : *object) {
    const std::string_view key(member.key().data(), member.key().size());
    LNK_HOLDS(!is_one_of(key, kNeverThere));
    if (is_one_of(key, kFetched)) check_fetched(member.value());
    if (key == "tools") check_tools(member.value());
    if (is_root && (key == "model" || key == "name")) check_model(member.value());
    // The items of OpenAI's responses stand under a name that a tool's call has for its arguments.
    if (!is_one_of(key, kFree) || (is_root && key == "input")) check_value(member.value(), false);
  }
}

void check_body(std::string_view body) {
  static const std::vector<std::string> kNoModels;
  const auto filtered = verb_local::filter_body(jsonfilter::Coding::Identity, body, kNoModels);
  if (const auto* denial = std::get_if<verb_local::Denial>(&filtered)) {
    LNK_HOLDS(denial->status >= 400 && denial->words.size() <= 512);
    for (const char c : denial->words) LNK_HOLDS(c >= 0x20 && c < 0x7f);
    return;
  }
  const auto& out = std::get<std::string>(filtered);
  json::parse_options options;
  options.max_depth = 128;
  json::error_code error;
  const auto value = json::parse({out.data(), out.size()}, error, {}, options);
  LNK_HOLDS(!error && value.is_object());
  check_value(value, true);
  const auto again = verb_local::filter_body(jsonfilter::Coding::Identity, out, kNoModels);
  LNK_HOLDS(std::holds_alternative<std::string>(again) && std::get<std::string>(again) == out);
}

std::string_view take(std::string_view& text, char end) {
  const auto part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

}  // namespace

void check(std::string_view input) {
  std::string_view rest = input;
  auto line = take(rest, '\n');
  HeadEvent head;
  head.method = take(line, ' ');
  head.path = take(line, ' ');
  if (line != "-") head.query = line;
  const auto decision = verb_local::decide(head);
  if (const auto* passage = std::get_if<verb_local::Passage>(&decision)) {
    LNK_HOLDS(passage->target.starts_with('/') && passage->target.find("//") == std::string::npos);
    LNK_HOLDS(passage->target.find_first_of("%;\\#") == std::string::npos &&
              passage->target.find("..") == std::string::npos);
    LNK_HOLDS(!verb_local::is_refused(head.method, head.path));
  }
  check_body(rest);
}

}  // namespace lnk::fuzz
