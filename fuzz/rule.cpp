// SPDX-License-Identifier: Apache-2.0
//
// Rules of secrets: an accepted rule has one host, one place for the secret, and one text.
#include "lnk/secret/rule.hpp"

#include <algorithm>
#include <string>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

void check_rule(const secret::Rule& rule) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  LNK_HOLDS(!rule.host.empty() && std::all_of(rule.host.begin(), rule.host.end(), fits));
  LNK_HOLDS(!rule.methods.empty() && !rule.paths.empty());
  for (const auto& path : rule.paths) {
    LNK_HOLDS(path.shape.has_secret() == (rule.place == secret::Place::Path));
    for (const auto& method : path.methods)
      LNK_HOLDS(std::find(rule.methods.begin(), rule.methods.end(), method) != rule.methods.end());
  }
  for (const auto& field : rule.held) {
    LNK_HOLDS(!field.letters.empty() && secret::is_held(rule.held, field.name));
    LNK_HOLDS(field.holds.empty() || (field.values.empty() && !field.is_json));
    LNK_HOLDS(!secret::may_stand(rule.held, field.name) == field.is_refused());
  }
  if (rule.place == secret::Place::Header) {
    std::string field = rule.field;
    std::transform(field.begin(), field.end(), field.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    for (const auto* kept : {"host", "content-length", "transfer-encoding", "connection", "user-agent", "referer"}) {
      LNK_HOLDS(field != kept);
    }
    for (const auto& part : {rule.value.before, rule.value.after})
      LNK_HOLDS(part.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
}

}  // namespace

void check(std::string_view input) {
  const auto rule = secret::parse_rule(input);
  const auto canonical = secret::canonical_rule(input);
  LNK_HOLDS(rule.has_value() == canonical.has_value());
  if (!rule) {
    LNK_HOLDS(!rule.error().text.empty());
    return;
  }
  check_rule(*rule);
  const auto again = secret::canonical_rule(*canonical);
  LNK_HOLDS(again.has_value() && *again == *canonical);
}

}  // namespace lnk::fuzz
