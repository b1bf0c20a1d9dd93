// SPDX-License-Identifier: Apache-2.0
//
// key add, list and remove: the keys of hosted models.
#include <algorithm>
#include <boost/json.hpp>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "cli/typed_value.hpp"
#include "lnk/provider/provider.hpp"
#include "secrets/keys.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// The host that the key goes to, by the one option that its provider takes.
Result<std::string> host_for(const KeyAddCommand& command) {
  const auto& known = *provider::find(command.provider);
  const auto takes = provider::part_name(known.part);
  const auto refuse_other = [&](std::string_view option, const std::string& value) -> Status {
    if (value.empty() || option == takes) return {};
    return fail(Code::Invalid, "--" + std::string(option) + " is none of " + command.provider +
                                   (takes.empty() ? ", whose host is " + std::string(known.hosts.front()) : ", which takes --" + std::string(takes)));
  };
  LNK_CHECK(refuse_other("resource", command.resource));
  LNK_CHECK(refuse_other("region", command.region));
  const auto& part = command.resource.empty() ? command.region : command.resource;
  auto host = provider::host_of(known, part);
  if (host || part.empty()) return host;
  return fail(Code::Invalid, "--" + std::string(takes) + " " + host::quoted(part) + " " + host.error().text);
}

Status add(const Context& context, const KeyAddCommand& command, const std::string& host) {
  LNK_TRY(const auto value, read_typed_value("The key"));
  if (value.empty())
    return fail(Code::Invalid, "no key came on standard input; give it from a file: lnk-sandbox key add " + command.provider +
                                   " … < FILE, or type it at a terminal, where it is not shown");
  return add_key(context.settings, command.provider, host, value);
}

}  // namespace

int key_add(const Context& context, const KeyAddCommand& command) {
  const auto host = host_for(command);
  if (!host) {
    say(host.error().text);
    return kWrongCommandLine;
  }
  const auto before = list_keys(context.settings);
  if (!before) return say_refused(before.error());
  const bool replaces = std::find(before->begin(), before->end(), command.provider) != before->end();
  if (const auto added = add(context, command, *host); !added) return say_refused(added.error());
  say("the key of " + command.provider + (replaces ? " replaces the one before it" : " is kept") + " and goes to " + *host +
      " alone; a spec uses it by [model] providers = [\"" + command.provider + "\"]");
  return 0;
}

int key_list(const Context& context, const KeyListCommand& command) {
  const auto names = list_keys(context.settings);
  if (!names) return say_refused(names.error());
  std::string text;
  json::array array;
  for (const auto& name : *names) {
    const auto kept = load_key(context.settings, name);
    const std::string host = kept ? kept->host : std::string();
    const std::string fault = kept ? std::string() : kept.error().text;
    text += kept ? name + "  for " + host + "\n" : name + "  can't be used: " + fault + "; lnk-sandbox key remove " + name + " removes it\n";
    array.emplace_back(json::object{{"provider", name}, {"host", host}, {"fault", fault}});
  }
  return print(command.json ? canonical_json(array) + "\n" : text) ? 0 : kRefused;
}

int key_remove(const Context& context, const KeyRemoveCommand& command) {
  const auto removed = remove_key(context.settings, command.provider);
  if (!removed) return say_refused(removed.error());
  if (!*removed)
    return say_refused({Code::Gone, "no key of " + command.provider + " is kept; lnk-sandbox key list names those that are"});
  return 0;
}

}  // namespace lnk::host
