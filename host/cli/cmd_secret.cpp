// SPDX-License-Identifier: Apache-2.0
//
// secret add, list and remove. A value comes from standard input or a terminal without echo, never from an argument.
#include <algorithm>
#include <cerrno>
#include <boost/json.hpp>

#include "cli/commands.hpp"
#include "cli/given_rules.hpp"
#include "cli/say.hpp"
#include "cli/typed_value.hpp"
#include "secrets/store.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// The host that it goes to.
Result<std::string> add(const Context& context, const SecretAddCommand& command) {
  const auto& name = command.name;
  LNK_TRY(const auto rule, read_rule(context, command.rule));
  auto parsed = secret::parse_rule(rule);
  if (!parsed) return fail(std::move(parsed).error().within(shown(command.rule)));
  LNK_TRY(const auto value, read_typed_value("The secret's value"));
  if (value.empty())
    return fail(Code::Invalid, "no value came on standard input; give it from a file: lnk-sandbox secret add " + name + " --rule " +
                                   shown(command.rule) + " < FILE, or type it at a terminal, where it is not shown");
  LNK_CHECK(add_secret(context.settings, name, rule, value));
  return parsed->host;
}

}  // namespace

int secret_add(const Context& context, const SecretAddCommand& command) {
  const auto before = list_secrets(context.settings);
  if (!before) return say_refused(before.error());
  const bool replaces = std::find(before->begin(), before->end(), command.name) != before->end();
  const auto host = add(context, command);
  if (!host) return say_refused(host.error());
  say("the secret " + shown(command.name) + (replaces ? " replaces the one of that name" : " is kept") + " and goes to " + *host +
      " alone; a spec uses it by [secrets] use = [\"" + shown(command.name) + "\"]");
  return 0;
}

int secret_list(const Context& context, const SecretListCommand& command) {
  const auto names = list_secrets(context.settings);
  if (!names) return say_refused(names.error());
  std::string text;
  json::array array;
  for (const auto& name : *names) {
    const auto kept = load_secret(context.settings, name);
    const std::string host = kept ? kept->rule.host : std::string();
    const std::string fault = kept ? std::string() : kept.error().text;
    text += kept ? name + "  for " + host + "\n" : name + "  can't be used: " + fault + "; lnk-sandbox secret remove " + name + " removes it\n";
    array.emplace_back(json::object{{"name", name}, {"host", host}, {"fault", fault}});
  }
  return print(command.json ? canonical_json(array) + "\n" : text) ? 0 : kRefused;
}

int secret_remove(const Context& context, const SecretRemoveCommand& command) {
  const auto removed = remove_secret(context.settings, command.name);
  if (!removed) return say_refused(removed.error());
  if (!*removed)
    return say_refused({Code::Gone, "no secret " + host::quoted(command.name) + " is kept; lnk-sandbox secret list names those that are"});
  return 0;
}

}  // namespace lnk::host
