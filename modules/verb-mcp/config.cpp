// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <utility>

#include "limits.hpp"
#include "lnk/jsonfilter/document.hpp"

namespace lnk::verb_mcp {
namespace {

using jsonfilter::Item;
using Json = jsonfilter::Value;

constexpr std::size_t kToolNameBytesMax = 40;  ///< as a secret's name
constexpr std::size_t kHashBytes = 64;

Failure wrong(std::string words) { return fail(Code::Invalid, "configuration: " + std::move(words)); }

bool is_tool_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kToolNameBytesMax && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_hash(std::string_view text) noexcept {
  return text.size() == kHashBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Status read_allowed(const Json& list, Tool& tool) {
  if (list.items().size() > kAllowedMax) return wrong(tool.name + ": 'allow' has more than 1024 names");
  for (const Item& item : list.items()) {
    if (item.key.empty() || item.key.size() > kNameBytesMax || !is_hash(item.value.text()))
      return wrong(tool.name + ": 'allow' is {\"name\":\"<sha256 in hex>\"}");
    tool.allowed.emplace(item.key, item.value.text());
  }
  return {};
}

Status read_roots(const Json& list, Tool& tool) {
  if (list.items().size() > kRootsMax) return wrong(tool.name + ": 'roots' has more than 64 folders");
  for (const Item& item : list.items()) {
    const auto path = item.value.text();
    const bool is_path = item.value.is_string() && path.starts_with('/') && path.size() <= kPathBytesMax &&
                         path.find('\0') == std::string_view::npos;
    if (!is_path) return wrong(tool.name + ": 'roots' holds what is no absolute path");
    tool.roots.emplace_back(path);
  }
  return {};
}

Result<Tool> read_tool(const Json& entry) {
  const auto* name = entry.find("name");
  const auto* allowed = entry.find("allow");
  const auto* ask = entry.find("ask");
  const auto* roots = entry.find("roots");
  const bool is_whole = name != nullptr && name->is_string() && allowed != nullptr && allowed->is_object() && ask != nullptr &&
                        ask->is_string() && roots != nullptr && roots->is_array() && entry.items().size() == 4;
  if (!is_whole) return wrong("a tool has name, allow, ask and roots");
  Tool tool;
  tool.name = name->text();
  if (!is_tool_name(tool.name)) return wrong("'name' is 1 to 40 of a-z, 0-9 and '-'");
  if (ask->text() != "all" && ask->text() != "none") return wrong(tool.name + ": 'ask' is \"all\" or \"none\"");
  tool.asks = ask->text() == "all";
  LNK_CHECK(read_allowed(*allowed, tool));
  LNK_CHECK(read_roots(*roots, tool));
  return tool;
}

}  // namespace

Result<std::vector<Tool>> parse_config(std::string_view text) {
  auto document = jsonfilter::parse(text);
  if (!document) return wrong(document.error().text);
  const auto* list = document->root().find("tools");
  if (list == nullptr || !list->is_array() || document->root().items().size() != 1) return wrong("is {\"tools\":[…]}");
  if (list->items().size() > kToolsMax) return wrong("has more than 64 tools");
  std::vector<Tool> tools;
  for (const Item& item : list->items()) {
    LNK_TRY(auto tool, read_tool(item.value));
    const bool is_twice = std::any_of(tools.begin(), tools.end(), [&](const Tool& other) { return other.name == tool.name; });
    if (is_twice) return wrong("tool " + tool.name + " stands in it twice");
    tools.push_back(std::move(tool));
  }
  return tools;
}

}  // namespace lnk::verb_mcp
