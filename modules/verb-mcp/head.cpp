// SPDX-License-Identifier: Apache-2.0
#include "head.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lnk/cpp/ascii.hpp"
#include "lnk/cpp/utf8.hpp"
#include "lnk/secret/base64.hpp"
#include "limits.hpp"

namespace lnk::verb_mcp {
namespace {

constexpr std::size_t kFieldBytesMax = 8192;  ///< the name of a resource is a URI

/// A page of the machine's own, whatever its port: what answers there is inside, as the program that asks is.
bool is_own_origin(std::string_view origin) noexcept {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const auto authority = origin.substr(scheme.size());
    for (const std::string_view host : {"localhost", "127.0.0.1", "[::1]"}) {
      if (!authority.starts_with(host)) continue;
      const auto port = authority.substr(host.size());
      const bool is_port = port.size() >= 2 && port.size() <= 6 && port[0] == ':' &&
                           std::all_of(port.begin() + 1, port.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (port.empty() || is_port) return true;
    }
  }
  return false;
}

/// Whether one of the types that `Accept` lists covers this one; a weight of 0 isn't looked for, as no client sends it.
bool accepts(const Fields& fields, std::string_view type) {
  const auto family = std::string(type.substr(0, type.find('/'))) + "/*";
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (!same_folded(fields[at].name, "accept")) continue;
    auto rest = fields[at].value;
    while (!rest.empty()) {
      const auto one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const auto named = trimmed(one.substr(0, one.find(';')));
      if (named == "*/*" || same_folded(named, family) || same_folded(named, type)) return true;
    }
  }
  return false;
}

bool is_json_type(std::string_view value) noexcept {
  if (!same_folded(trimmed(value.substr(0, value.find(';'))), "application/json")) return false;
  if (value.find(';') == std::string_view::npos) return true;
  const auto parameter = trimmed(value.substr(value.find(';') + 1));
  return parameter.empty() || same_folded(parameter, "charset=utf-8") || same_folded(parameter, "charset=\"utf-8\"");
}

/// The field's value where it is there once; a fault where it is there twice, since two readers could take another.
bool take_field(const Fields& fields, std::string_view name, std::optional<std::string>& into) {
  const auto count = fields.count(name);
  if (count == 0) return true;
  const auto value = trimmed(*fields.first(name));
  if (count > 1 || value.size() > kFieldBytesMax) return false;
  into = std::string(value);
  return true;
}

/// Text that a field can't hold stands in it as =?base64?…?=.
std::optional<std::string> decoded(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?";
  constexpr std::string_view kEnd = "?=";
  const auto is_plain = [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\t'; };
  if (!std::all_of(value.begin(), value.end(), is_plain)) return std::nullopt;
  const bool is_coded = value.size() >= kBegin.size() + kEnd.size() && value.starts_with(kBegin) && value.ends_with(kEnd);
  if (!is_coded) return std::string(value);
  const auto bytes = secret::base64_decode(value.substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size()));
  if (!bytes || !is_utf8(bytes->reveal())) return std::nullopt;
  return std::string(bytes->reveal());
}

std::optional<Refusal> read_fields(const HeadEvent& head, HeadFacts& facts) {
  const bool is_once = take_field(head.fields, "mcp-session-id", facts.session) &&
                       take_field(head.fields, "mcp-protocol-version", facts.version) &&
                       take_field(head.fields, "last-event-id", facts.last_event_id);
  if (!is_once) return Refusal{400, kRefused, "a field of MCP is there twice, or too long"};
  std::optional<std::string> name;
  if (!take_field(head.fields, "mcp-method", facts.method)) facts.fault = "Mcp-Method is there twice, or too long";
  if (!take_field(head.fields, "mcp-name", name)) facts.fault = "Mcp-Name is there twice, or too long";
  if (name) facts.name = decoded(*name);
  if (name && !facts.name) facts.fault = "Mcp-Name holds what can't be decoded";
  for (std::size_t at = 0; at < head.fields.size(); ++at) {
    const auto field = folded(head.fields[at].name);
    if (!field.starts_with(kParamPrefix)) continue;
    if (!facts.params.emplace(field, decoded(trimmed(head.fields[at].value))).second)
      facts.fault = "a field Mcp-Param-… is there twice";
  }
  return std::nullopt;
}

std::optional<Refusal> check_post(const HeadEvent& head) {
  const auto type = head.fields.first("content-type");
  if (!type || head.fields.count("content-type") != 1 || !is_json_type(*type))
    return Refusal{415, kRefused, "a message is JSON: send it with Content-Type: application/json"};
  if (head.fields.count("content-encoding") != 0)
    return Refusal{415, kRefused, "a message with a content coding isn't read here: send it as it is"};
  if (!accepts(head.fields, "application/json") || !accepts(head.fields, "text/event-stream"))
    return Refusal{406, kRefused, "the Accept field must list application/json and text/event-stream"};
  if (!head.has_body) return Refusal{400, kInvalidRequest, "a POST without a message"};
  return std::nullopt;
}

/// Revisions with sessions; the other has no GET and no DELETE.
std::optional<Refusal> check_session_request(const HeadFacts& facts, const HeadEvent& head) {
  if (facts.version && *facts.version == kStatelessVersion)
    return Refusal{405, kRefused, "revision 2026-07-28 takes POST alone"};
  if (facts.version && !is_session_version(*facts.version))
    return Refusal{400, kUnsupportedVersion, "the revision of MCP in MCP-Protocol-Version is not spoken here", {},
                   R"({"supported":)" + std::string(kAllVersionsJson) + '}'};
  if (facts.does == Does::Get && !accepts(head.fields, "text/event-stream"))
    return Refusal{406, kRefused, "the Accept field must list text/event-stream"};
  if (head.has_body) return Refusal{400, kRefused, "a GET or DELETE with a body"};
  if (!facts.session) return Refusal{400, kRefused, "Mcp-Session-Id is missing: a session begins with initialize"};
  return std::nullopt;
}

Refusal mismatch(std::string words, const Message& message) { return {400, kHeaderMismatch, std::move(words), message.id}; }

}  // namespace

std::variant<HeadFacts, Refusal> read_head(const HeadEvent& head) {
  HeadFacts facts;
  facts.route = head.route;
  if (head.fields.count("origin") > 1 || (head.fields.count("origin") == 1 && !is_own_origin(*head.fields.first("origin"))))
    return Refusal{403, kRefused, "a page of another origin may not speak to a tool"};
  if (head.query) return Refusal{400, kRefused, "a tool's address has no query"};
  if (head.method == "POST") {
    facts.does = Does::Post;
  } else if (head.method == "GET") {
    facts.does = Does::Get;
  } else if (head.method == "DELETE") {
    facts.does = Does::Delete;
  } else {
    return Refusal{405, kRefused, "MCP takes POST, GET and DELETE"};
  }
  if (auto refusal = read_fields(head, facts)) return *std::move(refusal);
  auto refusal = facts.does == Does::Post ? check_post(head) : check_session_request(facts, head);
  if (refusal) return *std::move(refusal);
  return facts;
}

std::optional<Refusal> check_stateless_fields(const HeadFacts& head, const Message& message, const Method* method) {
  if (!head.fault.empty()) return mismatch(head.fault, message);
  const Json* meta = message.params.find("_meta");
  const Json* version = meta == nullptr ? nullptr : meta->find("io.modelcontextprotocol/protocolVersion");
  if (!head.version) return mismatch("MCP-Protocol-Version is missing", message);
  if (version == nullptr || !version->is_string())
    return Refusal{400, kInvalidParams, "params._meta has no io.modelcontextprotocol/protocolVersion", message.id};
  if (version->text() != *head.version) return mismatch("MCP-Protocol-Version differs from the message's own", message);
  if (*head.version != kStatelessVersion) {
    std::string data = R"({"supported":["2026-07-28"],"requested":)";
    jsonfilter::append_string(data, *head.version);
    return Refusal{400, kUnsupportedVersion, "this revision of MCP is not spoken here", message.id, data + '}'};
  }
  if (!head.method) return mismatch("Mcp-Method is missing", message);
  if (*head.method != message.method) return mismatch("Mcp-Method differs from the message's own", message);
  if (method == nullptr || method->named_by.empty()) return std::nullopt;
  const Json* name = message.params.find(method->named_by);
  if (name == nullptr || !name->is_string())
    return Refusal{400, kInvalidParams, "params." + std::string(method->named_by) + " is missing", message.id};
  if (!head.name) return mismatch("Mcp-Name is missing", message);
  if (*head.name != name->text()) return mismatch("Mcp-Name differs from the message's own", message);
  return std::nullopt;
}

}  // namespace lnk::verb_mcp
