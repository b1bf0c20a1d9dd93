// SPDX-License-Identifier: Apache-2.0
#include "snapshot/tool_grants_value.hpp"

#include <algorithm>
#include <utility>

#include "mcp_remote/url.hpp"
#include "snapshot/grant_lists.hpp"
#include "snapshot/grants_value.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kNameBytesMax = 40;

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kNameBytesMax &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

bool is_sha256(std::string_view text) noexcept {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::map<std::string, std::string> read_allow(const json::value& value) {
  std::map<std::string, std::string> allow;
  if (const auto* object = value.if_object())
    for (const auto& member : *object)
      if (const auto* hash = member.value().if_string())
        allow.emplace(member.key(), std::string(hash->data(), hash->size()));
  return allow;
}

Result<GrantedTool> read_tool(const json::value& value) {
  ObjectReader reader(value, "grants.tools[]");
  GrantedTool tool;
  tool.name = reader.text("name");
  tool.argv = reader.texts("argv");
  tool.url = reader.text("url");
  const auto& allow = reader.member("allow");
  tool.allow = read_allow(allow);
  if (!allow.is_object() || allow.get_object().size() != tool.allow.size())
    reader.fault("allow", "is no object of texts");
  tool.asks = reader.boolean("asks");
  tool.roots = reader.texts("roots");
  tool.headers = reader.texts("headers");
  tool.env = reader.texts("env");
  tool.env_sha256 = reader.text("env_sha256");
  LNK_CHECK(reader.end());
  if (auto checked = check_granted_tool(tool); !checked)
    return fail(std::move(checked).error().within("grants.tools[]"));
  return tool;
}

}  // namespace

Status check_granted_tool(const GrantedTool& tool) {
  const auto bad = [](std::string words) { return fail(Code::Invalid, std::move(words)); };
  if (!is_name(tool.name)) return bad("name is no tool's");
  if (tool.argv.empty() == tool.url.empty()) return bad("it has neither a command nor a URL, or both");
  if (!tool.argv.empty() && !is_clean_path(tool.argv.front()))
    return bad("argv doesn't begin with a clean absolute path");
  if (!tool.url.empty() && !remote::read_url(tool.url))
    return bad("url is neither https:// nor http:// on this machine");
  for (const auto& [name, hash] : tool.allow)
    if (name.empty() || !is_sha256(hash)) return bad("allow holds what is no tool with its hash");
  if (!std::all_of(tool.roots.begin(), tool.roots.end(), is_clean_path))
    return bad("roots holds what is not a clean absolute path");
  if (!is_in_order(tool.roots)) return bad("roots are not in order, each once");
  if (!is_in_order(tool.headers) || !is_in_order(tool.env)) return bad("headers or env are not in order, each once");
  if (!is_sha256(tool.env_sha256)) return bad("env_sha256 is no hash");
  return {};
}

json::array tools_json(const std::vector<GrantedTool>& tools) {
  json::array array;
  for (const auto& tool : tools) {
    json::object allow;
    for (const auto& [name, hash] : tool.allow) allow[name] = hash;
    array.emplace_back(json::object{{"name", tool.name},
                                    {"argv", strings_json(tool.argv)},
                                    {"url", tool.url},
                                    {"allow", std::move(allow)},
                                    {"asks", tool.asks},
                                    {"roots", strings_json(tool.roots)},
                                    {"headers", strings_json(tool.headers)},
                                    {"env", strings_json(tool.env)},
                                    {"env_sha256", tool.env_sha256}});
  }
  return array;
}

void read_tools(ObjectReader& reader, Grants& grants) {
  reader.each("tools", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto tool, read_tool(element));
    grants.tools.push_back(std::move(tool));
    return {};
  });
  if (!is_in_order(grants.tools, &GrantedTool::name)) reader.fault("tools", "are not in order, each once");
  if (!grants.tools.empty() && grants.network != NetworkMode::Wire) reader.fault("tools", "are named without a wire");
}

}  // namespace lnk::host
