// SPDX-License-Identifier: Apache-2.0
#include "header_params.hpp"

#include <charconv>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_mcp {
namespace {

constexpr std::size_t kDepthMax = 8;    ///< objects within objects
constexpr std::size_t kKeyBytesMax = 256;
constexpr std::size_t kParamsMax = 64;  ///< a request has at most 100 fields

void collect(const Json& schema, std::vector<std::string>& path, std::vector<DeclaredParam>& found) {
  const Json* properties = schema.find("properties");
  if (properties == nullptr || path.size() == kDepthMax) return;
  for (const auto& item : properties->items()) {
    if (item.key.size() > kKeyBytesMax) continue;
    path.emplace_back(item.key);
    const Json* field = item.value.find("x-mcp-header");
    if (field != nullptr && field->is_string() && found.size() < kParamsMax)
      found.push_back({std::string(kParamPrefix) + folded(field->text()), path});
    collect(item.value, path, found);
    path.pop_back();
  }
}

const Json* value_at(const Json& arguments, const std::vector<std::string>& path) {
  const Json* value = &arguments;
  for (const std::string& key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Whole numbers are compared as such, so that 42.0 is 42.
bool says(std::string_view field, const Json& value) {
  switch (value.kind()) {
    case jsonfilter::Kind::String: return field == value.text();
    case jsonfilter::Kind::True: return field == "true";
    case jsonfilter::Kind::False: return field == "false";
    case jsonfilter::Kind::Number: {
      const auto sent = number_of(field);
      return sent && sent == number_of(value.text());
    }
    default: return false;
  }
}

}  // namespace

std::vector<DeclaredParam> declared_params(const Json& tool) {
  std::vector<DeclaredParam> found;
  std::vector<std::string> path;
  if (const Json* schema = tool.find("inputSchema")) collect(*schema, path, found);
  return found;
}

std::string param_fault(const std::vector<DeclaredParam>& declared, const SentParams& sent, std::string_view params_json) {
  if (declared.empty()) return {};
  const auto params = jsonfilter::parse(params_json);
  const Json* arguments = params ? params->root().find("arguments") : nullptr;
  const Json none;
  for (const DeclaredParam& param : declared) {
    const Json* value = value_at(arguments == nullptr ? none : *arguments, param.path);
    const auto field = sent.find(param.field);
    const bool is_wanted = value != nullptr && !value->is_null();
    if (field == sent.end() && !is_wanted) continue;
    if (field == sent.end()) return "a field Mcp-Param-… that the tool's schema asks for is missing";
    if (!field->second) return "a field Mcp-Param-… holds what can't be decoded";
    if (!is_wanted || !says(*field->second, *value)) return "a field Mcp-Param-… differs from the message's own value";
  }
  return {};
}

}  // namespace lnk::verb_mcp
