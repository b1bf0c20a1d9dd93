// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/tool_headers.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "lnk/http/head.hpp"
#include "mcp_remote/limits.hpp"
#include "mcp_remote/message.hpp"

namespace lnk::host::remote {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "Mcp-Param-";

json::value parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  return error ? json::value() : value;
}

const json::value* member(const json::value* of, std::string_view name) {
  const auto* object = of == nullptr ? nullptr : of->if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

bool is_plain_type(const json::value* type) {
  const auto* name = type == nullptr ? nullptr : type->if_string();
  return name != nullptr && (*name == "string" || *name == "integer" || *name == "number" || *name == "boolean");
}

/// Empty: none, as of an object.
std::string text_of(const json::value& value) {
  if (value.is_string()) return field_text(std::string_view(value.get_string()));
  return value.is_bool() || value.is_number() ? json::serialize(value) : std::string();
}

}  // namespace

/// One tool's schema, walked along its properties alone.
class Scan {
 public:
  void walk(const json::value* schema, std::vector<std::string>& path) {
    const auto* properties = member(schema, "properties");
    const auto* object = properties == nullptr ? nullptr : properties->if_object();
    if (object == nullptr || path.size() >= kMirrorDepthMax) return;
    for (const auto& [name, property] : *object) {
      path.emplace_back(name);
      take(property, path);
      walk(&property, path);
      path.pop_back();
    }
  }

  bool is_valid = true;
  std::vector<ToolHeaders::Mirror> mirrors;

 private:
  void take(const json::value& property, const std::vector<std::string>& path) {
    const auto* named = member(&property, "x-mcp-header");
    if (named == nullptr) return;
    const auto* text = named->if_string();
    const std::string field = text == nullptr ? std::string() : std::string(kPrefix) + std::string(*text);
    const bool is_taken =
        std::any_of(mirrors.begin(), mirrors.end(), [&field](const auto& each) { return http::equals_folded(each.field, field); });
    const bool fits = text != nullptr && !text->empty() && http::is_token(field) && field.size() <= kMirrorNameBytesMax &&
                      mirrors.size() < kMirrorsMax;
    if (fits && !is_taken && is_plain_type(member(&property, "type"))) {
      mirrors.push_back({path, field});
    } else {
      is_valid = false;
    }
  }
};

void ToolHeaders::learn(std::string_view answer) {
  const json::value value = parse(answer);
  const auto* listed = member(member(&value, "result"), "tools");
  const auto* tools = listed == nullptr ? nullptr : listed->if_array();
  if (tools == nullptr) return;
  for (const auto& tool : *tools) {
    const auto* name = member(&tool, "name");
    if (name == nullptr || !name->is_string()) continue;
    Scan scan;
    std::vector<std::string> path;
    scan.walk(member(&tool, "inputSchema"), path);
    const std::string key(name->get_string());
    tools_.erase(key);
    const bool has_some = scan.is_valid && !scan.mirrors.empty();
    if (has_some && tools_.size() < kMirroredToolsMax) tools_.emplace(key, std::move(scan.mirrors));
  }
}

std::vector<std::pair<std::string, std::string>> ToolHeaders::of(std::string_view tool, std::string_view call) const {
  std::vector<std::pair<std::string, std::string>> fields;
  const auto found = tools_.find(tool);
  if (found == tools_.end()) return fields;
  const json::value value = parse(call);
  const auto* arguments = member(member(&value, "params"), "arguments");
  for (const auto& mirror : found->second) {
    const json::value* at = arguments;
    for (const auto& name : mirror.path) at = member(at, name);
    std::string text = at == nullptr ? std::string() : text_of(*at);
    const bool is_told = at != nullptr && (at->is_string() || !text.empty());
    if (is_told && text.size() <= kHeaderBytesMax) fields.emplace_back(mirror.field, std::move(text));
  }
  return fields;
}

}  // namespace lnk::host::remote
