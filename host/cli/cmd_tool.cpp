// SPDX-License-Identifier: Apache-2.0
//
// tool add, list and remove: MCP tools that run outside.
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "cli/tool_words.hpp"
#include "cli/typed_program.hpp"
#include "cli/typed_value.hpp"
#include "launch/tool_look.hpp"
#include "lnk/cpp/utf8.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "spec/suggestion.hpp"
#include "tools/store.hpp"
#include "tools/tool_url.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kAdding =
    "tool-adding";  // settings of their own, for a server that reads what is not kept yet
constexpr std::string_view kLock = "tool-adding.lock";

/// What the command line says of itself. Empty: no slip.
std::string slip_of(const ToolAddCommand& command) {
  const bool has_command = !command.command.empty();
  if (has_command && command.command.front().empty()) return "the command's program is empty";
  if (has_command && !command.url.empty())
    return "a tool is a command or a URL: give --url, or a command behind --, and not both";
  if (!has_command && command.url.empty()) return "name what the tool runs, behind --, or where it is, with --url";
  if (!command.header.empty() && command.url.empty())
    return "--header is of a tool at a URL; a command is given a value with --env";
  if (!command.env.empty() && !command.url.empty())
    return "--env is of a command; a tool at a URL is sent a value with --header";
  if (command.ask != "all" && command.ask != "none") return "--ask takes all or none, not " + host::quoted(command.ask);
  if (command.ask == "none" && !command.allow.empty())
    return "--ask none lets every call go unasked, so --allow would say nothing; give one of them";
  return {};
}

std::string today() {
  const time_t now = ::time(nullptr);
  tm parts{};
  std::array<char, 16> text{};
  if (::gmtime_r(&now, &parts) == nullptr) return {};
  return {text.data(), ::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

Status add_variable(const std::string& typed, ToolDefinition& tool) {
  const auto equals = typed.find('=');
  const auto name = typed.substr(0, equals);
  if (name.empty())
    return fail(Code::Invalid, "--env " + host::quoted(typed) + " names no variable; write it NAME or NAME=VALUE");
  const char* own = std::getenv(name.c_str());
  if (equals == std::string::npos && own == nullptr)
    return fail(Code::Gone, "--env " + host::quoted(name) + ": there is no such variable here; set it, or write " +
                                shown(name) + "=VALUE");
  const std::string value = equals == std::string::npos ? own : typed.substr(equals + 1);
  if (!is_utf8(name) || !is_utf8(value))
    return fail(Code::Invalid, "--env " + host::quoted(name) + " isn't UTF-8, which the settings can't hold");
  tool.env[name] = value;
  return {};
}

Status add_root(const std::string& typed, ToolDefinition& tool) {
  std::error_code error;
  const auto folder = std::filesystem::canonical(typed, error);
  if (error || !std::filesystem::is_directory(folder, error))
    return fail(Code::Gone, "--root " + host::quoted(typed) + " is no folder that is there");
  if (!is_utf8(folder.native()))
    return fail(Code::Invalid, "--root " + host::quoted(typed) + " isn't UTF-8, which the settings can't hold");
  tool.roots.push_back(folder.native());
  return {};
}

/// All but what the server says of itself.
Result<ToolDefinition> define(const ToolAddCommand& command) {
  ToolDefinition tool;
  tool.name = command.name;
  tool.asks = command.ask == "all";
  tool.added = today();
  tool.argv = command.command;
  tool.url = command.url;
  for (const auto& word : tool.argv)
    if (!is_utf8(word)) return fail(Code::Invalid, "a word of the command isn't UTF-8, which the settings can't hold");
  if (!tool.argv.empty()) {
    LNK_TRY(tool.argv.front(), typed_program(tool.argv.front()));
    if (auto trusted = check_trusted_by_links(tool.argv.front()); !trusted)
      return fail(std::move(trusted).error().within("the tool's program"));
  }
  if (!tool.url.empty()) LNK_CHECK(check_tool_url(tool.url));
  for (const auto& variable : command.env) LNK_CHECK(add_variable(variable, tool));
  for (const auto& root : command.roots) LNK_CHECK(add_root(root, tool));
  std::sort(tool.roots.begin(), tool.roots.end());
  tool.roots.erase(std::unique(tool.roots.begin(), tool.roots.end()), tool.roots.end());
  if (command.header.empty()) return tool;
  LNK_CHECK(check_tool_header(command.header));
  LNK_TRY(const auto value, read_typed_value("The value of " + command.header));
  if (value.empty())
    return fail(Code::Invalid, "no value came on standard input; give it from a file: lnk-sandbox tool add " +
                                   command.name + " … --header " + command.header +
                                   " < FILE, or type it at a terminal, where it is not shown");
  LNK_CHECK(check_tool_header_value(value.reveal()));
  tool.headers.emplace(command.header, std::string(value.reveal()));
  return tool;
}

/// A server at a URL reads what to send from its tool's file, and that is kept only once all is known.
Result<std::map<std::string, std::string>> look_beside(const Context& context, const ToolDefinition& tool) {
  LNK_TRY(const auto lock, context.settings.lock(kLock));
  LNK_CHECK(context.settings.make_folder(kAdding));
  LNK_TRY(const auto adding, Settings::open(context.settings.folder() / kAdding, Settings::Missing::Refuse));
  // One that was killed here left its field's value: whoever has the lock now clears that first.
  LNK_TRY(const auto left, list_tools(adding));
  for (const auto& name : left) LNK_CHECK(remove_tool(adding, name));
  LNK_CHECK(keep_tool(adding, tool));
  auto offered = look_at_tool({context.parts, context.settings, tool, tool_command(context.parts, adding, tool)});
  LNK_CHECK(adding.remove("tools/" + tool.name + ".json"));
  LNK_CHECK(adding.remove_folder("tools"));
  LNK_CHECK(context.settings.remove_folder(kAdding));
  return offered;
}

Status add_allowed(const Context& context, const ToolAddCommand& command, ToolDefinition& tool) {
  if (command.allow.empty()) return {};
  say("starting " + host::quoted(tool.name) + " once, to learn how it defines what is allowed");
  auto offered =
      tool.url.empty() ? look_at_tool({context.parts, context.settings, tool, tool.argv}) : look_beside(context, tool);
  if (!offered) return fail(std::move(offered).error().within("the tool " + host::quoted(tool.name)));
  std::string names;
  std::vector<std::string_view> known;
  for (const auto& [name, hash] : *offered) {
    names += (names.empty() ? "" : ", ") + shown(name);
    known.push_back(name);
  }
  for (const auto& allowed : command.allow) {
    const auto found = offered->find(allowed);
    if (found == offered->end())
      return fail(Code::Gone, "--allow " + host::quoted(allowed) + ": the tool " + host::quoted(tool.name) +
                                  " has none of that name" + did_you_mean(allowed, known) +
                                  (names.empty() ? "; it offers nothing" : "; it has " + names));
    tool.allow[allowed] = found->second;
  }
  return {};
}

Result<ToolDefinition> add(const Context& context, const ToolAddCommand& command) {
  LNK_TRY(auto tool, define(command));
  LNK_CHECK(add_allowed(context, command, tool));
  LNK_CHECK(keep_tool(context.settings, tool));
  return tool;
}

json::object value_of(const ToolDefinition& tool) {
  const auto granted = granted_of(tool);
  json::array allow;
  for (const auto& [name, hash] : tool.allow) allow.emplace_back(name);
  const auto array = [](const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); };
  return {{"name", tool.name},         {"command", array(tool.argv)},       {"url", tool.url},
          {"allow", std::move(allow)}, {"ask", tool.asks ? "all" : "none"}, {"roots", array(tool.roots)},
          {"env", array(granted.env)}, {"headers", array(granted.headers)}, {"added", tool.added}};
}

std::string line_of(const ToolDefinition& tool) {
  std::string unasked;
  for (const auto& [name, hash] : tool.allow) unasked += (unasked.empty() ? "  unasked: " : ", ") + shown(name);
  if (!tool.asks) unasked = "  unasked: all";
  return tool.name + "  " + tool_command_in_words(granted_of(tool)) + unasked + "\n";
}

}  // namespace

int tool_add(const Context& context, const ToolAddCommand& command) {
  if (const auto slip = slip_of(command); !slip.empty()) {
    say(slip);
    return kWrongCommandLine;
  }
  const auto before = list_tools(context.settings);
  if (!before) return say_refused(before.error());
  const bool replaces = std::find(before->begin(), before->end(), command.name) != before->end();
  const auto tool = add(context, command);
  if (!tool) return say_refused(tool.error());
  const std::string asked =
      tool->asks ? tool->allow.empty() ? "each call of it asks you" : "each call but the allowed ones asks you"
                 : "no call of it asks you";
  say("the tool " + host::quoted(tool->name) + (replaces ? " replaces the one of that name" : " is kept") +
      " and runs outside as you; " + asked + "; a spec uses it by [tools] use = [\"" + tool->name + "\"]");
  return 0;
}

int tool_list(const Context& context, const ToolListCommand& command) {
  const auto names = list_tools(context.settings);
  if (!names) return say_refused(names.error());
  std::string text;
  json::array array;
  for (const auto& name : *names) {
    const auto kept = load_tool(context.settings, name);
    const std::string fault = kept ? std::string() : kept.error().text;
    text += kept ? line_of(*kept)
                 : name + "  can't be used: " + fault + "; lnk-sandbox tool remove " + name + " removes it\n";
    auto value = kept ? value_of(*kept) : json::object{{"name", name}};
    value["fault"] = fault;
    array.emplace_back(std::move(value));
  }
  return print(command.json ? canonical_json(array) + "\n" : text) ? 0 : kRefused;
}

int tool_remove(const Context& context, const ToolRemoveCommand& command) {
  const auto removed = remove_tool(context.settings, command.name);
  if (!removed) return say_refused(removed.error());
  if (!*removed)
    return say_refused(
        {Code::Gone, "no tool " + host::quoted(command.name) + " is kept; lnk-sandbox tool list names those that are"});
  return 0;
}

}  // namespace lnk::host
