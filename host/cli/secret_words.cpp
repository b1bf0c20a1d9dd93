// SPDX-License-Identifier: Apache-2.0
#include "cli/secret_words.hpp"

#include "lnk/secret/rule.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string line;
  for (const auto& text : texts) line += (line.empty() ? "" : ", ") + shown(text);
  return line;
}

std::string joined(const std::vector<secret::RulePath>& paths) {
  std::string line;
  for (const auto& path : paths) {
    std::string text;
    for (const auto& method : path.methods) text += (text.empty() ? "" : ",") + shown(method);
    line += (line.empty() ? "" : ", ") + text + (text.empty() ? "" : " ") + shown(path.shape.text());
  }
  return line;
}

std::string in_words(const secret::HeldField& field) {
  std::string texts;
  for (const auto& word : field.holds) texts += (texts.empty() ? "" : ", ") + shown(word);
  if (!field.holds.empty()) return shown(field.name) + " that holds " + texts;
  for (const auto& value : field.values) texts += (texts.empty() ? "" : ", ") + shown(value.before + (value.has_name ? "{name}" : "") + value.after);
  if (field.is_json) texts += texts.empty() ? "JSON of such fields" : ", JSON of such fields";
  return shown(field.name) + (texts.empty() ? "" : " other than " + texts);
}

std::string joined(const std::vector<secret::HeldField>& fields) {
  std::string line;
  for (const auto& field : fields) line += (line.empty() ? "" : "; ") + in_words(field);
  return line;
}

std::string place_of(const secret::Rule& rule) {
  const std::string value = rule.value.before + "{secret}" + rule.value.after;
  switch (rule.place) {
    case secret::Place::Path: return "in the path";
    case secret::Place::Header: return "in the field " + shown(rule.field + ": " + value);
    case secret::Place::Query: return "in the parameter " + shown(rule.field + "=" + value);
    case secret::Place::Basic:
      return rule.secret_is_user ? "as the user of a basic field, with the password " + host::quoted_whole(rule.basic_other)
                                 : "as the password of a basic field, with the user " + host::quoted_whole(rule.basic_other);
  }
  return {};
}

}  // namespace

std::vector<std::string> secret_in_words(const GrantedSecret& secret) {
  const std::string name = "the secret " + host::quoted_whole(secret.name);
  const auto rule = secret::parse_rule(secret.rule_json);
  if (!rule) return {"uses     " + name + ", whose rule can't be read: " + rule.error().text};
  std::vector<std::string> lines = {"uses     " + name + " at " + shown(rule->host) + " alone, without holding it: " +
                                    joined(rule->methods) + "; " + place_of(*rule)};
  lines.push_back("uses     " + name + " on " + joined(rule->paths));
  if (!rule->fields.empty()) lines.push_back("uses     " + name + " beside the fields " + joined(rule->fields));
  if (!rule->parameters.empty()) lines.push_back("uses     " + name + " beside the parameters " + joined(rule->parameters));
  if (!rule->refuse.empty()) lines.push_back("but not  " + name + " on " + joined(rule->refuse));
  if (!rule->held.empty()) lines.push_back("but not  " + name + " with the body's or query's " + joined(rule->held));
  return lines;
}

}  // namespace lnk::host
