// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/rule.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <optional>
#include <utility>

#include "lnk/jsonfilter/document.hpp"
#include "rule_body.hpp"
#include "rule_lint.hpp"

namespace lnk::secret {
namespace {

namespace json = boost::json;

constexpr std::size_t kRuleDepthMax = 8;  ///< a rule is three deep

Failure wrong(std::string_view key, std::string_view words) {
  return fail(Code::Invalid, "rule: '" + std::string(key) + "' " + std::string(words));
}

constexpr auto kKeys = std::to_array<std::string_view>({"host", "methods", "paths", "refuse", "refuse_body", "header", "basic", "query",
                                                        "fields", "parameters", "placeholder", "date", "source", "$schema"});
using Keys = std::initializer_list<std::string_view>;

template <class Names>
std::string list_of(const Names& names) {
  std::string list;
  for (const auto name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

template <class Names>
Result<void> check_keys(const json::object& object, std::string_view where, const Names& known) {
  for (const auto& member : object) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return wrong(std::string(where) + std::string(key), "is not known; " + list_of(known) + " are");
    }
  }
  return {};
}

Result<std::string> text_at(const json::object& object, std::string_view key, std::string_view where = {}) {
  const auto* value = object.if_contains({key.data(), key.size()});
  const auto name = std::string(where) + std::string(key);
  if (value == nullptr) return wrong(name, "is missing");
  if (!value->is_string()) return wrong(name, "is a text");
  return std::string(value->as_string().c_str(), value->as_string().size());
}

Result<std::vector<std::string>> texts_at(const json::object& object, std::string_view key, std::size_t max) {
  const auto* value = object.if_contains({key.data(), key.size()});
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (!value->is_array()) return wrong(key, "is a list of texts");
  if (value->as_array().size() > max) return wrong(key, "has more than " + std::to_string(max) + " entries");
  for (const auto& entry : value->as_array()) {
    if (!entry.is_string()) return wrong(key, "is a list of texts");
    out.emplace_back(entry.as_string().c_str(), entry.as_string().size());
  }
  return out;
}

Result<void> read_host(const json::object& object, Rule& rule) {
  const auto* host = object.if_contains("host");
  if (host != nullptr && host->is_array()) return wrong("host", "is one name: the secret goes to no second host");
  if (host == nullptr) return wrong("host", host_fault({}));
  LNK_TRY(rule.host, text_at(object, "host"));
  if (const auto fault = host_fault(rule.host); !fault.empty()) return wrong("host", fault);
  return {};
}

Result<void> read_methods(const json::object& object, Rule& rule) {
  LNK_TRY(rule.methods, texts_at(object, "methods", kRuleMethodsMax));
  if (rule.methods.empty()) return wrong("methods", "is missing: name at least one");
  for (const auto& method : rule.methods) {
    if (const auto fault = method_fault(method); !fault.empty())
      return wrong("methods", "has '" + method + "', but each " + std::string(fault));
  }
  return {};
}

/// The methods that stand before a shape, which has no space: "GET,POST v1/{name}".
Result<std::vector<std::string>> take_methods(std::string_view& text, const Rule& rule, std::string_view key) {
  std::vector<std::string> out;
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return out;
  for (std::size_t at = 0; at <= space;) {
    const auto method = text.substr(at, std::min(text.find(',', at), space) - at);
    at += method.size() + 1;
    out.emplace_back(method);
    if (std::find(rule.methods.begin(), rule.methods.end(), method) == rule.methods.end())
      return wrong(key, "has a path for '" + out.back() + "', which is none of the rule's 'methods'");
    if (std::count(out.begin(), out.end(), out.back()) > 1) return wrong(key, "has a path with '" + out.back() + "' twice");
  }
  text.remove_prefix(space + 1);
  return out;
}

Result<std::vector<RulePath>> shapes_at(const json::object& object, const Rule& rule, std::string_view key) {
  LNK_TRY(const auto texts, texts_at(object, key, kRulePathsMax));
  std::vector<RulePath> out;
  for (std::string_view text : texts) {
    LNK_TRY(auto methods, take_methods(text, rule, key));
    if (text.starts_with('/')) text.remove_prefix(1);
    auto shape = route::PathShape::compile(text);
    if (!shape) return wrong(key, std::move(shape).error().text);
    out.push_back({std::move(methods), std::move(shape).value()});
  }
  return out;
}

Result<Template> field_template(std::string_view value, std::string_view key) {
  auto parts = parse_template(value);
  if (!parts) return wrong(key, parts.error().text);
  if (!is_field_text(value)) return wrong(key, "is printable ASCII");
  if (value.starts_with(' ') || value.ends_with(' ')) return wrong(key, "has no space at its ends");
  return parts;
}

Result<void> read_header(const json::object& place, Rule& rule) {
  LNK_CHECK(check_keys(place, "header.", Keys{"name", "value", "accept"}));
  LNK_TRY(rule.field, text_at(place, "name", "header."));
  if (const auto fault = header_fault(rule.field); !fault.empty()) return wrong("header.name", fault);
  LNK_TRY(const auto value, text_at(place, "value", "header."));
  LNK_TRY(rule.value, field_template(value, "header.value"));
  LNK_TRY(const auto others, texts_at(place, "accept", kRuleAcceptedMax));
  for (const auto& other : others) {
    LNK_TRY(auto accepted, field_template(other, "header.accept"));
    rule.accepted.push_back(std::move(accepted));
  }
  rule.place = Place::Header;
  return {};
}

Result<void> read_query(const json::object& place, Rule& rule) {
  LNK_CHECK(check_keys(place, "query.", Keys{"name", "value"}));
  LNK_TRY(rule.field, text_at(place, "name", "query."));
  if (const auto fault = query_name_fault(rule.field); !fault.empty()) return wrong("query.name", fault);
  std::string value = "{secret}";
  if (place.contains("value")) {
    LNK_TRY(value, text_at(place, "value", "query."));
  }
  auto parts = parse_template(value);
  if (!parts) return wrong("query.value", parts.error().text);
  if (!is_query_text(parts->before + parts->after))
    return wrong("query.value", "is letters, digits, '-', '.', '_' and '~' around {secret}");
  rule.value = std::move(parts).value();
  rule.place = Place::Query;
  return {};
}

Result<void> read_basic(const json::object& place, Rule& rule) {
  LNK_CHECK(check_keys(place, "basic.", Keys{"user", "password"}));
  LNK_TRY(auto user, text_at(place, "user", "basic."));
  LNK_TRY(auto password, text_at(place, "password", "basic."));
  rule.secret_is_user = user == "{secret}";
  if (rule.secret_is_user == (password == "{secret}"))
    return wrong("basic", "has {secret} as its user or its password, not both");
  rule.basic_other = rule.secret_is_user ? std::move(password) : std::move(user);
  // The first ':' ends the user (RFC 7617 section 2).
  if (!rule.secret_is_user && rule.basic_other.find(':') != std::string::npos) return wrong("basic.user", "has no ':'");
  if (rule.basic_other.size() > kTemplateBytesMax || !is_field_text(rule.basic_other) ||
      rule.basic_other.find_first_of("{}") != std::string::npos) {
    return wrong("basic", "is printable ASCII without braces, up to 256 bytes");
  }
  rule.field = "Authorization";
  rule.place = Place::Basic;
  return {};
}

/// The place of the secret, which must be one: two places are two ways for it to go astray.
Result<void> read_place(const json::object& object, Rule& rule) {
  constexpr std::array<std::string_view, 3> kPlaces = {"header", "basic", "query"};
  const auto in_path =
      std::count_if(rule.paths.begin(), rule.paths.end(), [](const auto& p) { return p.shape.has_secret(); });
  std::size_t places = in_path != 0 ? 1 : 0;
  const json::object* place = nullptr;
  std::string_view key;
  for (const auto name : kPlaces) {
    const auto* value = object.if_contains({name.data(), name.size()});
    if (value == nullptr) continue;
    if (!value->is_object()) return wrong(name, "is an object");
    place = &value->as_object();
    key = name;
    ++places;
  }
  if (places == 0)
    return wrong("header", "is missing: say where the secret goes (header, basic, query, or {secret} in each path)");
  if (places > 1) return wrong("paths", "and header, basic, query: the secret goes in one place, not in two");
  if (place == nullptr) {
    if (in_path != static_cast<std::ptrdiff_t>(rule.paths.size()))
      return wrong("paths", "has {secret} in each path or in none");
    rule.place = Place::Path;
    return {};
  }
  if (key == "header") return read_header(*place, rule);
  return key == "basic" ? read_basic(*place, rule) : read_query(*place, rule);
}

Result<void> read_paths(const json::object& object, Rule& rule) {
  LNK_TRY(rule.paths, shapes_at(object, rule, "paths"));
  if (rule.paths.empty()) return wrong("paths", "is missing: name at least one shape");
  LNK_TRY(rule.refuse, shapes_at(object, rule, "refuse"));
  return {};
}

Result<std::vector<std::string>> names_at(const json::object& object, std::string_view key,
                                          std::string_view (*fault_of)(std::string_view) noexcept) {
  LNK_TRY(auto names, texts_at(object, key, kRuleNamesMax));
  for (const auto& name : names)
    if (const auto fault = fault_of(name); !fault.empty()) return wrong(key, "has '" + name + "', which " + std::string(fault));
  return names;
}

Result<void> read_placeholder(const json::object& object, Rule& rule) {
  if (!object.contains("placeholder")) return {};
  LNK_TRY(rule.placeholder_form, text_at(object, "placeholder"));
  if (const auto fault = placeholder_form_fault(rule.placeholder_form); !fault.empty())
    return wrong("placeholder", fault);
  return {};
}

Result<json::object> read_object(std::string_view text) {
  if (text.size() > kRuleBytesMax) return fail(Code::Limit, "rule: is over 64 KiB");
  // Boost.JSON keeps the last of a key that stands twice, and another reader the first.
  if (auto sound = jsonfilter::parse(text, {kRuleDepthMax}); !sound) return fail(Code::Invalid, "rule: " + sound.error().text);
  json::error_code error;
  auto value = json::parse({text.data(), text.size()}, error);
  if (error || !value.is_object()) return fail(Code::Invalid, "rule: is no JSON object");
  return std::move(value.as_object());
}

Result<Rule> read_rule(const json::object& object) {
  LNK_CHECK(check_keys(object, {}, kKeys));
  Rule rule;
  LNK_CHECK(read_host(object, rule));
  LNK_CHECK(read_methods(object, rule));
  LNK_CHECK(read_paths(object, rule));
  LNK_CHECK(read_place(object, rule));
  LNK_TRY(rule.fields, names_at(object, "fields", &passed_field_fault));
  LNK_TRY(rule.parameters, names_at(object, "parameters", &query_name_fault));
  LNK_TRY(rule.held, read_held_fields(object));
  LNK_CHECK(read_placeholder(object, rule));
  return rule;
}

/// Boost.JSON keeps members in the order they came; canonical text has them sorted.
json::value sorted(const json::value& value) {
  if (value.is_array()) {
    json::array out;
    for (const auto& entry : value.as_array()) out.push_back(sorted(entry));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (const auto& member : value.as_object()) keys.emplace_back(member.key().data(), member.key().size());
  std::sort(keys.begin(), keys.end());
  json::object out;
  for (const auto& key : keys) out.emplace(key, sorted(value.as_object().at(key)));
  return out;
}

}  // namespace

std::vector<std::string_view> known_rule_keys() { return {kKeys.begin(), kKeys.end()}; }

Result<Rule> parse_rule(std::string_view text) {
  LNK_TRY(const auto object, read_object(text));
  return read_rule(object);
}

Result<std::string> canonical_rule(std::string_view text) {
  LNK_TRY(auto object, read_object(text));
  LNK_CHECK(read_rule(object));
  return json::serialize(sorted(json::value(std::move(object))));
}

}  // namespace lnk::secret
