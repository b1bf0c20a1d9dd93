// SPDX-License-Identifier: Apache-2.0
//
// on-stop add, list and remove: what `stop` runs.
#include <boost/json.hpp>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "cli/typed_program.hpp"
#include "on_stop/on_stop.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

Result<bool> add(const Context& context, const OnStopAddCommand& command) {
  auto words = command.command;
  LNK_TRY(words.front(), typed_program(words.front()));
  return add_on_stop(context.settings, command.name, std::move(words));
}

}  // namespace

int on_stop_add(const Context& context, const OnStopAddCommand& command) {
  const auto replaced = add(context, command);
  if (!replaced) return say_refused(replaced.error());
  say("lnk-sandbox stop, and lnk-sandbox stop " + command.name + ", run it" + (*replaced ? " in place of the one before" : ""));
  return 0;
}

int on_stop_list(const Context& context, const OnStopListCommand& command) {
  const auto commands = list_on_stop(context.settings);
  if (!commands) return say_refused(commands.error());
  std::string text;
  json::array array;
  for (const auto& [name, words] : *commands) {
    text += shown(name) + " ";
    for (const auto& word : words) text += " " + host::quoted_whole(word);
    text += "\n";
    array.emplace_back(json::object{{"name", name}, {"command", json::array(words.begin(), words.end())}});
  }
  return print(command.json ? canonical_json(array) + "\n" : text) ? 0 : kRefused;
}

int on_stop_remove(const Context& context, const OnStopRemoveCommand& command) {
  const auto removed = remove_on_stop(context.settings, command.name);
  if (!removed) return say_refused(removed.error());
  if (!*removed)
    return say_refused({Code::Gone, "nothing is registered for " + host::quoted(command.name) +
                                        "; lnk-sandbox on-stop list names what is"});
  return 0;
}

}  // namespace lnk::host
