// SPDX-License-Identifier: Apache-2.0
#include "cli/given_rules.hpp"

#include <algorithm>
#include <cerrno>

#include "lnk/posix/io.hpp"
#include "lnk/secret/rule.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

Status check_one(const Context& context, const std::string& given, const std::vector<GrantedSecret>& granted) {
  const auto equals = given.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == given.size())
    return fail(Code::Invalid, "--rule " + host::quoted(given) + ": write it NAME=FILE, as in --rule bot=./rule.json");
  const auto name = given.substr(0, equals);
  const auto rule = given.substr(equals + 1);
  const auto secret = std::find_if(granted.begin(), granted.end(), [&](const GrantedSecret& one) { return one.name == name; });
  if (secret == granted.end())
    return fail(Code::Invalid, "--rule names the secret " + host::quoted(name) + ", which the spec does not use; its [secrets] use would name it");
  LNK_TRY(const auto text, read_rule(context, rule));
  auto canonical = secret::canonical_rule(text);
  if (!canonical) return fail(std::move(canonical).error().within(shown(rule)));
  if (*canonical == secret->rule_json) return {};
  return fail(Code::Denied, "the secret " + host::quoted(name) + " is kept with another rule than " + host::quoted(rule) +
                                "; add it again with this one: lnk-sandbox secret add " + shown(name) + " --rule " + shown(rule) + " < FILE");
}

}  // namespace

Result<std::string> read_rule(const Context& context, const std::string& rule) {
  if (rule.find('/') != std::string::npos) return posix::read_file(rule, secret::kRuleBytesMax);
  auto text = posix::read_file(context.parts.share / "rules" / (rule + ".json"), secret::kRuleBytesMax);
  if (text || text.error().os_errno != ENOENT) return text;
  return fail(Code::Gone, "no rule " + host::quoted(rule) + " is shipped (" + shown((context.parts.share / "rules").native()) + " has those that are); a file of your own is named with a / in it, as in --rule " +
                              host::quoted("./" + rule));
}

Status check_given_rules(const Context& context, const std::vector<std::string>& given, const std::vector<GrantedSecret>& granted) {
  for (const auto& one : given) LNK_CHECK(check_one(context, one, granted));
  return {};
}

}  // namespace lnk::host
