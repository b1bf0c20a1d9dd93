// SPDX-License-Identifier: Apache-2.0
#include "tools/definition.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "digest/sha256.hpp"
#include "lnk/cpp/ascii.hpp"
#include "lnk/http/head.hpp"
#include "snapshot/canonical.hpp"
#include "snapshot/object_reader.hpp"
#include "snapshot/tool_grants_value.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeaderValueBytesMax = 8192;  // tokens of some services have 4 KiB

json::object texts_object(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [name, value] : texts) object[name] = value;
  return object;
}

std::map<std::string, std::string> texts_of(ObjectReader& reader, std::string_view key) {
  std::map<std::string, std::string> texts;
  const auto* object = reader.member(key).if_object();
  if (object == nullptr) reader.fault(key, "is not an object");
  for (const auto& member : object == nullptr ? json::object() : *object) {
    const auto* text = member.value().if_string();
    if (text == nullptr) reader.fault(key, "holds what is not a text");
    if (text != nullptr) texts.emplace(member.key(), std::string(text->data(), text->size()));
  }
  return texts;
}

/// A C program's words and variables end at a NUL.
bool holds_nul(std::string_view text) noexcept { return text.find('\0') != std::string_view::npos; }

void check_env(ObjectReader& reader, const std::map<std::string, std::string>& env) {
  for (const auto& [name, value] : env)
    if (name.empty() || name.find('=') != std::string::npos || holds_nul(name) || holds_nul(value))
      reader.fault("env", "holds what is no variable");
}

}  // namespace

Status check_tool_header(std::string_view name) {
  // Hop-by-hop fields and those that the transport gives (RFC 9110, 7.6.1; MCP's streamable HTTP).
  constexpr std::array<std::string_view, 14> kOurs = {"accept",
                                                      "accept-encoding",
                                                      "connection",
                                                      "content-length",
                                                      "content-type",
                                                      "expect",
                                                      "host",
                                                      "keep-alive",
                                                      "last-event-id",
                                                      "origin",
                                                      "proxy-authorization",
                                                      "te",
                                                      "transfer-encoding",
                                                      "upgrade"};
  if (!http::is_token(name))
    return fail(Code::Invalid, host::quoted(name) + " is no field's name; write one, as Authorization");
  const auto field = folded(name);
  if (std::find(kOurs.begin(), kOurs.end(), field) != kOurs.end() || field.starts_with("mcp-"))
    return fail(Code::Invalid,
                "the field " + host::quoted(name) + " is the transport's own; name another, as Authorization");
  return {};
}

Status check_tool_header_value(std::string_view value) {
  if (value.empty()) return fail(Code::Invalid, "the value is empty");
  if (value.size() > kHeaderValueBytesMax)
    return fail(Code::Limit, "the value is longer than " + std::to_string(kHeaderValueBytesMax) + " bytes");
  const auto is_unfit = [](char c) { return c < 0x20 || c >= 0x7f; };
  if (std::any_of(value.begin(), value.end(), is_unfit))
    return fail(Code::Invalid, "the value has a control character or a byte beyond ASCII");
  if (value.front() == ' ' || value.back() == ' ') return fail(Code::Invalid, "the value begins or ends with a space");
  return {};
}

Result<std::string> tool_text(const ToolDefinition& tool) {
  auto text = canonical_json(json::object{{"version", kVersion},
                                          {"name", tool.name},
                                          {"argv", json::array(tool.argv.begin(), tool.argv.end())},
                                          {"url", tool.url},
                                          {"headers", texts_object(tool.headers)},
                                          {"allow", texts_object(tool.allow)},
                                          {"ask", tool.asks ? "all" : "none"},
                                          {"roots", json::array(tool.roots.begin(), tool.roots.end())},
                                          {"env", texts_object(tool.env)},
                                          {"added", tool.added}});
  if (text.size() > kToolFileBytesMax)
    return fail(Code::Limit, "the tool's command, environment and allowed tools are larger than " +
                                 std::to_string(kToolFileBytesMax) + " bytes");
  return text;
}

Result<ToolDefinition> read_tool_text(std::string_view text) {
  if (text.size() > kToolFileBytesMax) return fail(Code::Limit, "is larger than a tool's file");
  LNK_TRY(const auto value, parse_canonical_json(text));
  ObjectReader reader(value, "the tool");
  ToolDefinition tool;
  const auto* version = reader.member("version").if_int64();
  if (version == nullptr || *version != static_cast<std::int64_t>(kVersion))
    reader.fault("version", "is not one this program knows");
  tool.name = reader.text("name");
  tool.argv = reader.texts("argv");
  tool.url = reader.text("url");
  tool.headers = texts_of(reader, "headers");
  tool.allow = texts_of(reader, "allow");
  const auto ask = reader.text("ask");
  tool.asks = ask != "none";
  if (tool.asks && ask != "all") reader.fault("ask", "is neither all nor none");
  tool.roots = reader.texts("roots");
  tool.env = texts_of(reader, "env");
  check_env(reader, tool.env);
  tool.added = reader.text("added");
  for (const auto& [name, secret] : tool.headers)
    if (!check_tool_header(name) || !check_tool_header_value(secret))
      reader.fault("headers", "holds what is no field that may be sent");
  if (!tool.headers.empty() && tool.url.empty()) reader.fault("headers", "are named without a url");
  if (std::any_of(tool.argv.begin(), tool.argv.end(), holds_nul)) reader.fault("argv", "holds what is no word");
  LNK_CHECK(reader.end());
  LNK_CHECK(check_granted_tool(granted_of(tool)));
  return tool;
}

GrantedTool granted_of(const ToolDefinition& tool) {
  GrantedTool granted;
  granted.name = tool.name;
  granted.argv = tool.argv;
  granted.url = tool.url;
  granted.allow = tool.allow;
  granted.asks = tool.asks;
  granted.roots = tool.roots;
  for (const auto& [name, value] : tool.headers) granted.headers.push_back(name);
  for (const auto& [name, value] : tool.env) granted.env.push_back(name);
  granted.env_sha256 = sha256_hex(canonical_json(texts_object(tool.env)));
  return granted;
}

}  // namespace lnk::host
