// SPDX-License-Identifier: Apache-2.0
//
// Bodies held to a rule's fields: the first byte picks the kind, the rest is the body. Readers of our own, laxer than the verb's, are
// the oracle: in a body that passes they find no field that the rule refuses and no text that it does not allow.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "body.hpp"
#include "entry.hpp"

namespace lnk::fuzz {
namespace {

namespace json = boost::json;
using verb_secret::BodyType;

constexpr std::string_view kRule =
    R"({"host":"api.rig.test","methods":["POST"],"paths":["b{secret}/{name}"],"refuse_body":[{"name":"token"},)"
    R"({"name":"photo","values":["{name}","attach://{name}"],"json":true},{"name":"query","holds":["mutation"]}]})";

const verb_secret::Secret& secret() {
  static const verb_secret::Secret kSecret = [] {
    auto rule = secret::parse_rule(kRule);
    LNK_HOLDS(rule.has_value());
    return verb_secret::Secret{"rig", "PLACEHOLDERplaceholder", std::move(rule).value()};
  }();
  return kSecret;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return text;
}

/// A text of a field, by what the rule says of it in words.
void check_text(const std::string& name, const std::string& text) {
  LNK_HOLDS(name != "token");
  if (name == "query") LNK_HOLDS(lower(text).find("mutation") == std::string::npos);
  if (name != "photo" || text.empty()) return;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (text[first] == '{' || text[first] == '[')) return;
  LNK_HOLDS(text.find('.') == std::string::npos);
  LNK_HOLDS(text.find("://") == std::string::npos || text.starts_with("attach://"));
}

void check_json(const json::value& value, const std::string& name) {
  if (value.is_array())
    for (const auto& entry : value.as_array()) check_json(entry, name);
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      LNK_HOLDS(lower(std::string(key)) != "token");
      check_json(member, lower(std::string(key)));
    }
  }
  if (!value.is_string()) return;
  const std::string text(value.as_string());
  check_text(name, text);
  json::error_code error;
  const auto inner = json::parse(text, error);
  if (name == "photo" && !error) check_json(inner, name);
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && at + 2 < text.size()) {
      out += static_cast<char>(std::stoi(std::string(text.substr(at + 1, 2)), nullptr, 16));
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

void check_form(std::string_view body) {
  while (!body.empty()) {
    const auto one = body.substr(0, body.find('&'));
    body.remove_prefix(std::min(one.size() + 1, body.size()));
    const auto equals = std::min(one.find('='), one.size());
    check_text(lower(decoded(one.substr(0, equals))), decoded(one.substr(std::min(equals + 1, one.size()))));
  }
}

/// As a lax server would: a part begins at any boundary, its name is the first name="…" in it.
void check_parts(std::string_view body) {
  constexpr std::string_view kMark = "--B", kName = "name=\"";
  for (auto at = body.find(kMark); at != std::string_view::npos;) {
    const auto next = body.find(kMark, at + kMark.size());
    const auto part = body.substr(at + kMark.size(), next == std::string_view::npos ? next : next - at - kMark.size());
    at = next;
    const auto head = part.substr(0, part.find("\r\n\r\n"));
    const auto named = head.find(kName);
    if (named == std::string_view::npos || head.size() == part.size()) continue;
    const auto rest = head.substr(named + kName.size());
    const auto name = lower(std::string(rest.substr(0, rest.find('"'))));
    LNK_HOLDS(name != "token");
    auto content = std::string(part.substr(head.size() + 4));
    if (content.ends_with("\r\n")) content.resize(content.size() - 2);
    if (head.find("filename=") == std::string_view::npos) check_text(name, content);
  }
}

}  // namespace

void check(std::string_view input) {
  if (input.empty()) return;
  const auto body = input.substr(1);
  const auto kind = static_cast<BodyType::Kind>(static_cast<unsigned char>(input.front()) % 3);
  const BodyType type{kind, kind == BodyType::Kind::Parts ? "B" : ""};
  const auto fault = verb_secret::body_fault(secret(), type, body);
  if (fault) {
    LNK_HOLDS(!fault->why.empty());
    return;
  }
  if (body.empty()) return;
  if (kind == BodyType::Kind::Form) check_form(body);
  if (kind == BodyType::Kind::Parts) check_parts(body);
  if (kind != BodyType::Kind::Json) return;
  json::error_code error;
  json::parse_options lax;
  lax.max_depth = 128;
  const auto value = json::parse({body.data(), body.size()}, error, {}, lax);
  LNK_HOLDS(!error);
  check_json(value, {});
}

}  // namespace lnk::fuzz
