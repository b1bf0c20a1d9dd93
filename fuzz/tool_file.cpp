// SPDX-License-Identifier: Apache-2.0
//
// Files of tools: what is read is written as it was, so that a tool has one text, and what is approved of it holds none
// of its values.
#include <boost/json.hpp>
#include <string>

#include "entry.hpp"
#include "snapshot/tool_grants_value.hpp"
#include "tools/definition.hpp"

namespace lnk::fuzz {
namespace {

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

void check_tool(const host::ToolDefinition& tool) {
  LNK_HOLDS(tool.argv.empty() != tool.url.empty());
  LNK_HOLDS(tool.argv.empty() || tool.argv.front().starts_with('/'));
  for (const auto& word : tool.argv) LNK_HOLDS(!holds_nul(word));
  for (const auto& [name, value] : tool.env) {
    LNK_HOLDS(!name.empty() && name.find('=') == std::string::npos && !holds_nul(name) && !holds_nul(value));
  }
  for (const auto& [name, value] : tool.headers) {
    LNK_HOLDS(!tool.url.empty());
    LNK_HOLDS(name.find_first_of(": \r\n") == std::string::npos && value.find_first_of("\r\n") == std::string::npos &&
              !holds_nul(value));
  }
  for (const auto& root : tool.roots) LNK_HOLDS(root.starts_with('/'));
}

}  // namespace

void check(std::string_view input) {
  const auto tool = host::read_tool_text(input);
  if (!tool) {
    LNK_HOLDS(!tool.error().text.empty());
    return;
  }
  check_tool(*tool);
  const auto text = host::tool_text(*tool);
  LNK_HOLDS(text.has_value() && *text == input);
  const auto granted = host::granted_of(*tool);
  LNK_HOLDS(host::check_granted_tool(granted).has_value());
  // Other values of fields are the same tool.
  auto other = *tool;
  for (auto& [name, value] : other.headers) value = "another";
  LNK_HOLDS(host::granted_of(other) == granted);
  for (auto& [name, value] : other.env) {
    value += 'x';
    LNK_HOLDS(!(host::granted_of(other) == granted));
  }
}

}  // namespace lnk::fuzz
