// SPDX-License-Identifier: Apache-2.0
#include "cli/command_slips.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

#include "spec/shown.hpp"
#include "spec/suggestion.hpp"

namespace lnk::host {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Of the command's own and those of all.
std::string nearest_option(const CLI::App& app, const CLI::App& command, const std::string& written) {
  std::vector<std::string> names;
  for (const auto* one : {&command, &app})
    for (const auto* option : one->get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return did_you_mean(written, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(sub->get_name());
  return names;
}

std::string named_command(const CLI::App& app) {
  std::string command;
  for (auto named = app.get_subcommands(); !named.empty(); named = named.front()->get_subcommands())
    command += " " + named.front()->get_name();
  return command;
}

std::size_t values_of(const CLI::App& app, const std::string& word) {
  const auto* option = app.get_option_no_throw(word.substr(0, word.find('=')));
  if (option == nullptr || word.find('=') != std::string::npos) return 0;
  return option->get_items_expected_min() > 0 ? 1 : 0;
}

std::string words_of(const CLI::App& app, const CLI::ParseError& error) {
  const std::string words = error.what();
  const auto name = shown(words.substr(0, words.find(": ")));
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const auto command = named_command(app);
    // What stands there may be the value itself, which is not shown again.
    if (command == " key add" || command == " secret add")
      return command.substr(1) + " takes no value as an argument; it comes by standard input (< FILE), or is typed at a terminal";
    std::string extras;
    for (const auto& extra : app.remaining(true)) extras += (extras.empty() ? "" : " ") + host::quoted(extra);
    return (command.empty() ? "lnk-sandbox" : command.substr(1)) + " takes no " + extras;
  }
  if (words == "A subcommand is required") return "name a command: " + list_of(commands_of(app));
  if (words.find("At Most 1 required") != std::string::npos) return name + " is given more than once";
  if (error.get_name() == "ArgumentMismatch" && words.ends_with(" missing")) return name + " takes a value, and none follows";
  if (error.get_name() == "ConversionError")
    return shown(words.substr(words.find("--"), words.find(" = ") - words.find("--"))) + " takes no value";
  // In words of its own: "--spec is required".
  return shown(words);
}

std::string unknown_option(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* named = &app;
  std::string command = "lnk-sandbox";
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with('-') || words[i] == "-") {
      const auto subs = named->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == words[i]; });
      if (subs.empty()) continue;
      named = subs.front();
      command += " " + named->get_name();
      continue;
    }
    const std::string option = words[i].substr(0, words[i].find('='));
    if (named->get_option_no_throw(option) == nullptr && app.get_option_no_throw(option) == nullptr)
      return "there is no option " + host::quoted(option) + " of " + command + nearest_option(app, *named, option) + "; see " +
             command + " --help";
    const std::size_t ours = values_of(*named, words[i]);
    i += ours != 0 ? ours : values_of(app, words[i]);
  }
  return {};
}

std::string group_slip(const std::vector<std::string>& words) {
  if (words.empty() || (words.front() != "secret" && words.front() != "on-stop" && words.front() != "key" && words.front() != "tool")) return {};
  const auto& group = words.front();
  if (words.size() == 1) {
    const std::string with = group == "secret" ? "secrets" : group == "key" ? "keys" : group == "tool" ? "tools" : "what stop runs";
    return "say what to do with " + with + ": add, list or remove; see lnk-sandbox " + group + " --help";
  }
  const auto& what = words[1];
  if (what.starts_with('-') || what == "add" || what == "list" || what == "remove") return {};
  constexpr std::array<std::string_view, 3> kKnown = {"add", "list", "remove"};
  const auto nearest = nearest_name(what, kKnown);
  return "there is no command " + host::quoted(group + " " + what) +
         (nearest.empty() ? "" : "; did you mean \"" + group + " " + std::string(nearest) + "\"?") +
         "; " + group + " takes add, list or remove";
}

/// An empty value is a variable that was not set, and would be read as something wider.
std::string value_slip(const CLI::App& app, const Arguments& arguments) {
  for (const auto* command : app.get_subcommands())
    for (const auto* option : command->get_options())
      for (const auto& value : option->results())
        if (value.empty()) return option->get_name() + " is empty";
  for (const auto& folder : arguments.module_dirs)
    if (!folder.starts_with('/') || folder.find('\n') != std::string::npos)
      return "--module-dir takes an absolute path on one line, not " + host::quoted(folder);
  const auto* launched = std::get_if<LaunchCommand>(&arguments.command);
  if (launched == nullptr || launched->settings.starts_with('/')) return {};
  return "--settings takes an absolute path, not " + host::quoted(launched->settings);
}

}  // namespace lnk::host
