// SPDX-License-Identifier: Apache-2.0
#include "choice.hpp"

#include <algorithm>

namespace lnk::verb_model {
namespace {

using jsonfilter::Document;
using jsonfilter::Item;
using jsonfilter::Value;
using Kept = std::vector<std::string_view>;

void erase(Value& object, std::string_view key) {
  object.erase_if([key](const Item& item) { return item.key == key; });
}

std::string_view text_at(const Value& object, std::string_view key) {
  const auto* value = object.find(key);
  return value == nullptr ? std::string_view() : value->text();
}

/// Sorted by mend_choice: a body may hold some 100,000 tools, and a choice among as many.
bool is_kept(const Kept& kept, std::string_view name) { return std::binary_search(kept.begin(), kept.end(), name); }

/// The tool that a choice or one of its list names; of a kind that has no name, its type.
std::string_view named_by(const Value& choice) {
  if (const auto name = text_at(choice, "name"); !name.empty()) return name;
  for (const auto* inner : {"function", "custom"}) {
    const auto* named = choice.find(inner);
    if (named != nullptr) return text_at(*named, "name");
  }
  return text_at(choice, "type");
}

void mend_anthropic(const Kept& kept, Document& document) {
  auto& root = document.root();
  const auto* choice = root.find("tool_choice");
  if (choice == nullptr) return;
  if (kept.empty()) return erase(root, "tool_choice");
  if (text_at(*choice, "type") == "tool" && !is_kept(kept, text_at(*choice, "name")))
    document.set(root, "tool_choice", document.make_object({{"type", Value::string("auto")}}));
}

void mend_openai(const Kept& kept, Document& document) {
  auto& root = document.root();
  if (kept.empty()) {
    erase(root, "tool_choice");
    return erase(root, "parallel_tool_calls");
  }
  auto* choice = root.find("tool_choice");
  if (choice == nullptr || !choice->is_object()) return;
  bool is_good = false;
  if (text_at(*choice, "type") == "allowed_tools") {
    auto* nested = choice->find("allowed_tools");
    auto* list = (nested != nullptr ? nested : choice)->find("tools");
    if (list != nullptr) list->erase_if([&](const Item& item) { return !is_kept(kept, named_by(item.value)); });
    is_good = list != nullptr && !list->items().empty();
  } else {
    is_good = is_kept(kept, named_by(*choice));
  }
  if (!is_good) document.set(root, "tool_choice", Value::string("auto"));
}

void mend_gemini(Document& document) {
  auto& root = document.root();
  if (root.find("tools") != nullptr) return;
  erase(root, "toolConfig");
  erase(root, "tool_config");
}

void mend_bedrock(const Kept& kept, Document& document) {
  auto& root = document.root();
  auto* config = root.find("toolConfig");
  if (config == nullptr) return;
  if (kept.empty()) return erase(root, "toolConfig");
  const auto* choice = config->find("toolChoice");
  const auto* tool = choice == nullptr ? nullptr : choice->find("tool");
  if (tool != nullptr && !is_kept(kept, text_at(*tool, "name")))
    document.set(*config, "toolChoice", document.make_object({{"auto", document.make_object({})}}));
}

}  // namespace

void mend_choice(Choice form, Kept kept, Document& document) {
  std::sort(kept.begin(), kept.end());
  if (form == Choice::Anthropic) mend_anthropic(kept, document);
  if (form == Choice::OpenAi) mend_openai(kept, document);
  if (form == Choice::Gemini) mend_gemini(document);
  if (form == Choice::Bedrock) mend_bedrock(kept, document);
}

}  // namespace lnk::verb_model
