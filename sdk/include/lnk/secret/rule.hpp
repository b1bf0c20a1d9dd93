// SPDX-License-Identifier: Apache-2.0
//
// A secret's rule: data that says to which one host a secret goes, in which place, and with which requests. The plugin
// that knows a service writes it as JSON; whoever reads one holds it to the checks here.
//
//   {"host":"api.telegram.org","methods":["GET","POST"],"paths":["bot{secret}/{name}"],"refuse":["bot{secret}/close"]}
//
// The place is exactly one of: {secret} in every path, or one of the members
//   "header": {"name":"Authorization","value":"Bearer {secret}"}   and "accept":["token {secret}"] for what clients write else
//   "basic":  {"user":"x-access-token","password":"{secret}"}      {secret} in one of the two
//   "query":  {"name":"appid","value":"{secret}"}
// "fields" and "parameters" name fields and query parameters that pass beside the secret though others of their kind don't.
// A path may name the methods it is for: "GET,POST v1/{name}". "refuse_body" names fields of a body and parameters of a query
// that are refused, or held to certain texts; a rule with one has the bodies of its requests read.
// "placeholder" is the form of what stands for the secret inside: {placeholder} for 32 random bytes, {id} for the
// value's text before its first ':'. "date" and "source" say where the rule comes from, for people.
//
// Guarantees: a rule that parses has one host and one place, and puts the secret in no field that names a host, frames
// the message or is commonly logged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/route/path_shape.hpp"
#include "lnk/secret/held_field.hpp"

namespace lnk::secret {

inline constexpr std::size_t kRuleBytesMax = 64 * 1024;  ///< written by hand, and part of every snapshot that uses it
inline constexpr std::size_t kRulePathsMax = 256;
inline constexpr std::size_t kRuleMethodsMax = 8;
inline constexpr std::size_t kRuleNamesMax = 64;  ///< as many fields as a client sends
inline constexpr std::size_t kRuleAcceptedMax = 8;
inline constexpr std::size_t kTemplateBytesMax = 256;

enum class Place : std::uint8_t { Path, Header, Basic, Query };

/// Text around the place of the secret.
struct Template {
  std::string before;
  std::string after;
};

struct RulePath {
  std::vector<std::string> methods;  ///< none: each of the rule's
  route::PathShape shape;

  [[nodiscard]] bool takes(std::string_view method) const noexcept {
    return methods.empty() || std::find(methods.begin(), methods.end(), method) != methods.end();
  }
};

struct Rule {
  std::string host;  ///< one DNS name, lower case; spoken to on port 443 with TLS
  std::vector<std::string> methods;
  std::vector<RulePath> paths;
  std::vector<RulePath> refuse;  ///< compared in any case, before the paths
  Place place = Place::Path;
  std::string field;           ///< Header: its name; Query: the parameter's
  Template value;              ///< Header, Query
  std::vector<Template> accepted;  ///< Header: other texts around the placeholder; the value goes out
  bool secret_is_user = false; ///< Basic: else it is the password
  std::string basic_other;     ///< Basic: the text of the other part
  std::vector<std::string> fields;      ///< that pass beside those which always do
  std::vector<std::string> parameters;  ///< that pass though they read like a credential
  std::vector<HeldField> held;          ///< of bodies and queries; where there is one, bodies are read
  std::string placeholder_form = "{placeholder}";
};

/// Parses and checks a rule.
/// errors: Invalid, with the key and what to write; Limit.
Result<Rule> parse_rule(std::string_view json);

/// The keys that a rule may have.
[[nodiscard]] std::vector<std::string_view> known_rule_keys();

/// The same JSON with sorted keys and no white space, so that one rule has one text.
/// errors: as parse_rule, of which it is a part.
Result<std::string> canonical_rule(std::string_view json);

}  // namespace lnk::secret
