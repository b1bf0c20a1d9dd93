// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "held_json.hpp"
#include "lnk/cpp/ascii.hpp"
#include "lnk/secret/base64.hpp"
#include "lnk/secret/constant_time.hpp"
#include "passed_names.hpp"

namespace lnk::verb_secret {
namespace {

using secret::equal_constant_time;
using secret::Place;

bool holds(std::string_view text, std::string_view part) noexcept { return text.find(part) != std::string_view::npos; }

/// The text of `value` where the template has {secret}. A scheme's letters count in any case (RFC 9110 11.1).
std::optional<std::string_view> inside_template(const secret::Template& around, std::string_view value) noexcept {
  if (value.size() < around.before.size() + around.after.size()) return std::nullopt;
  if (!same_folded(value.substr(0, around.before.size()), around.before) || !value.ends_with(around.after))
    return std::nullopt;
  value.remove_prefix(around.before.size());
  value.remove_suffix(around.after.size());
  return value;
}

/// The parameters of a query, each as sent.
std::vector<std::string_view> parameters(std::string_view query) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= query.size();) {
    const auto one = query.substr(at, std::min(query.find('&', at), query.size()) - at);
    out.push_back(one);
    at += one.size() + 1;
  }
  return out;
}

std::string_view name_of(std::string_view parameter) noexcept { return parameter.substr(0, parameter.find('=')); }

/// By its meaning: a server decodes names, so "app%69d" is "appid" to it.
bool is_rules_parameter(const Secret& secret, std::string_view parameter) {
  return same_folded(decoded_query_text(name_of(parameter)), secret.rule.field);
}

bool in_path(const Secret& secret, const HeadEvent& head, const route::Match& match) {
  const auto found = std::find_if(match.captures.begin(), match.captures.end(),
                                  [](const route::Capture& c) { return c.kind == route::Kind::Secret; });
  return found != match.captures.end() &&
         equal_constant_time(secret.placeholder, head.path.substr(found->at, found->size));
}

bool in_header(const Secret& secret, const HeadEvent& head) {
  if (head.fields.count(secret.rule.field) != 1) return false;
  const auto value = *head.fields.first(secret.rule.field);
  const auto is_it = [&](const secret::Template& around) {
    const auto given = inside_template(around, value);
    return given && equal_constant_time(secret.placeholder, *given);
  };
  return is_it(secret.rule.value) || std::any_of(secret.rule.accepted.begin(), secret.rule.accepted.end(), is_it);
}

/// The other part is the rule's, whatever the program wrote there.
bool in_basic(const Secret& secret, const HeadEvent& head) {
  constexpr std::string_view kScheme = "basic ";
  if (head.fields.count(secret.rule.field) != 1) return false;
  const auto value = *head.fields.first(secret.rule.field);
  if (value.size() < kScheme.size() || !same_folded(value.substr(0, kScheme.size()), kScheme)) return false;
  const auto decoded = secret::base64_decode(value.substr(kScheme.size()));
  if (!decoded) return false;
  const auto text = decoded->reveal();
  // A user has no ':', but the placeholder that stands for one may: the part that is not the placeholder is cut off.
  const auto colon = secret.rule.secret_is_user ? text.rfind(':') : text.find(':');
  if (colon == std::string_view::npos) return false;
  return equal_constant_time(secret.placeholder,
                             secret.rule.secret_is_user ? text.substr(0, colon) : text.substr(colon + 1));
}

bool in_query(const Secret& secret, const HeadEvent& head) {
  if (!head.query) return false;
  std::optional<std::string_view> found;
  for (const auto parameter : parameters(*head.query)) {
    if (!is_rules_parameter(secret, parameter)) continue;
    if (found || parameter.size() == name_of(parameter).size()) return false;
    found = parameter.substr(name_of(parameter).size() + 1);
  }
  if (!found) return false;
  const auto decoded = decoded_query_text(*found);
  const auto given = inside_template(secret.rule.value, decoded);
  return given && equal_constant_time(secret.placeholder, *given);
}

/// Lower case, with - for all that is neither a letter nor a digit. CGI, WSGI and Rack give a program - and _ as one
/// (RFC 3875, 4.1.18), and some servers make every other character of a name a _ as well, a dot above all.
std::string as_a_server_names_it(std::string_view name) {
  auto text = folded(name);
  const auto is_folded = [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); };
  std::replace_if(text.begin(), text.end(), is_folded, '-');
  return text;
}

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char folded_c = to_lower(c);
  return folded_c >= 'a' && folded_c <= 'f' ? folded_c - 'a' + 10 : -1;
}

}  // namespace

bool has_placeholder(const Secret& secret, const HeadEvent& head, const route::Match& match) {
  switch (secret.rule.place) {
    case Place::Path:
      return in_path(secret, head, match);
    case Place::Header:
      return in_header(secret, head);
    case Place::Basic:
      return in_basic(secret, head);
    case Place::Query:
      return in_query(secret, head);
  }
  return false;
}

bool is_dropped(const Secret& secret, const Field& field) {
  if (secret.rule.place != Place::Query && as_a_server_names_it(field.name) == as_a_server_names_it(secret.rule.field)) return true;
  if (!is_passed_field(secret.rule, field.name)) return true;
  return holds(field.name, secret.placeholder) || holds(field.value, secret.placeholder) ||
         holds(decoded_query_text(field.value), secret.placeholder);
}

std::string kept_query(const Secret& secret, std::string_view query) {
  std::string out;
  bool first = true;
  for (const auto parameter : parameters(query)) {
    if (secret.rule.place == Place::Query && is_rules_parameter(secret, parameter)) continue;
    if (holds(decoded_query_text(parameter), secret.placeholder)) continue;
    if (!first) out += '&';
    out += parameter;
    first = false;
  }
  return out;
}

std::optional<RefusedParameter> refused_parameter(const Secret& secret, std::string_view query) {
  const auto fault_of = [&secret](std::string_view one) {
    const auto value = one.substr(std::min(name_of(one).size() + 1, one.size()));
    return pair_fault(secret, decoded_query_text(name_of(one)), decoded_query_text(value));
  };
  for (const auto whole : parameters(query)) {
    if (const auto why = fault_of(whole); !why.empty()) return RefusedParameter{name_of(whole), why};
    // Servers that follow HTML 4.01 (B.2.2) end a parameter at a ';' too, others have it in the value: it must pass for both.
    for (std::size_t at = 0; at < whole.size();) {
      const auto one = whole.substr(at, std::min(whole.find(';', at), whole.size()) - at);
      if (const auto why = fault_of(one); !why.empty()) return RefusedParameter{name_of(one), why};
      at += one.size() + 1;
    }
  }
  return std::nullopt;
}

std::string_view pair_fault(const Secret& secret, std::string_view name, std::string_view value) {
  if (const auto fault = parameter_fault(secret.rule, name); !fault.empty()) return fault;
  return held_fault(secret.rule.held, name, value);
}

std::string decoded_query_text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool encoded =
        text[at] == '%' && at + 2 < text.size() && hex_value(text[at + 1]) >= 0 && hex_value(text[at + 2]) >= 0;
    if (encoded) {
      out += static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2]));
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

}  // namespace lnk::verb_secret
