// SPDX-License-Identifier: Apache-2.0
//
// With command_slips.cpp the only file that knows the library which reads a command line.
#include "cli/args.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string_view>

#include "cli/command_slips.hpp"
#include "cli/say.hpp"
#include "spec/known.hpp"
#include "spec/shown.hpp"
#include "spec/suggestion.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kSecretsName = "a secret's name";
constexpr std::string_view kSandboxsName = "a sandbox's name";
constexpr std::string_view kToolsName = "a tool's name";

/// Commands of the interface that this version doesn't have.
constexpr std::array<std::string_view, 2> kLaterCommands = {"guest", "enter"};

constexpr std::string_view kFooter =
    "Exit codes: the target's own; 128+n where signal n ended it; 125 refused or failed before it started; 126 it can't be "
    "run; 127 it wasn't found; 2 the command line is wrong.";

/// The library takes no words behind the options, and so doesn't name them.
class TargetFormatter : public CLI::Formatter {
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    while (usage.ends_with('\n')) usage.pop_back();
    return usage + " [--] CMD...\n";
  }
};

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words), app_("Runs a program so that it can touch only the files and hosts that a short spec names.", "lnk-sandbox") {
    app_.require_subcommand(1);
    app_.footer(std::string(kFooter));
    app_.add_option("--module-dir", arguments_.module_dirs, "Also look for modules in DIR (absolute; may be given again)")
        ->type_name("DIR");
    app_.set_version_flag("--version", std::string(LNK_VERSION));
    app_.fallthrough();
    add_run();
    add_wrap();
    add_launch();
    add_learn();
    add_spec_commands();
    add_key();
    add_secret();
    add_tool();
    add_listings();
    add_switches();
    add_on_stop();
    add_answer();
    add_mcp_remote();
  }

  std::variant<Arguments, int> read(std::vector<std::string> words) {
    cut_target(words);
    if (const auto slip = unknown_option(app_, words); !slip.empty()) {
      say(slip);
      return kWrongCommandLine;
    }
    std::reverse(words.begin(), words.end());  // as the library wants them
    try {
      app_.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      // Help and version come as an error too; their code is 0.
      if (error.get_exit_code() == 0) {
        std::ostringstream out;
        (void)app_.exit(error, out, out);
        return print(out.str()) ? 0 : kRefused;
      }
      say(words_of(app_, error) + "; see lnk-sandbox" + named_command(app_) + " --help");
      return kWrongCommandLine;
    }
    if (wrong_) return kWrongCommandLine;
    if (const auto slip = value_slip(app_, arguments_); !slip.empty()) {
      say(slip);
      return kWrongCommandLine;
    }
    return std::move(arguments_);
  }

  [[nodiscard]] std::vector<std::string> commands() const { return commands_of(app_); }

 private:
  /// A command is made only where it is the first word, or where an option is: each start would pay for all of them.
  [[nodiscard]] bool is_wanted(std::string_view command) const {
    return words_.empty() || words_.front().starts_with('-') || words_.front() == command;
  }

  /// A command's options likewise, where it is named.
  [[nodiscard]] bool is_named(const char* command) const { return std::find(words_.begin(), words_.end(), command) != words_.end(); }

  template <class T>
  CLI::App* add(const char* name, const char* words, T& command) {
    auto* sub = app_.add_subcommand(name, words);
    sub->callback([this, &command] { arguments_.command = std::move(command); });
    return sub;
  }

  /// A command to run follows the options, behind -- or not.
  template <class T>
  void takes_target(CLI::App* sub, T& command) {
    target_takers_.push_back(sub);
    sub->formatter(std::make_shared<TargetFormatter>());
    sub->footer("CMD follows the options, behind -- or not; all behind its first word is its own.\n" + std::string(kFooter));
    sub->callback([this, &command] {
      if (target_.empty() || target_.front().empty()) return refuse("name the command to run, behind --");
      command.command = std::move(target_);
      arguments_.command = std::move(command);
    });
  }

  /// Takes the target's words off the end, so that no option of its own is ever read as one of ours.
  void cut_target(std::vector<std::string>& words) {
    if (words.size() > 1 && (words[0] == "on-stop" || words[0] == "tool") && words[1] == "add") {
      const auto end = static_cast<std::size_t>(std::find(words.begin(), words.end(), "--") - words.begin());
      if (end < words.size()) cut_at(words, end, end + 1);
      return;
    }
    const CLI::App* app = &app_;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "--" && app != &app_) return cut_at(words, i, i + 1);
      if (words[i].starts_with('-')) {
        const std::size_t ours = values_of(*app, words[i]);
        i += ours != 0 || app == &app_ ? ours : values_of(app_, words[i]);
        continue;
      }
      if (app != &app_) return cut_at(words, i, i);
      const auto taker = std::find_if(target_takers_.begin(), target_takers_.end(),
                                      [&](const auto* sub) { return sub->get_name() == words[i]; });
      if (taker == target_takers_.end()) return;
      app = *taker;
    }
  }

  void cut_at(std::vector<std::string>& words, std::size_t end, std::size_t target) {
    target_.assign(words.begin() + static_cast<std::ptrdiff_t>(target), words.end());
    words.resize(end);
  }

  /// Whether it may be the name of a secret or a sandbox.
  bool is_name(const std::string& name, std::string_view what) {
    const auto read = read_name(name, what);
    if (!read) refuse(read.error().text);
    return read.has_value();
  }

  void refuse(const std::string& words) {
    say(words);
    wrong_ = true;
  }

  static CLI::Option* add_spec(CLI::App* sub, std::string& spec) {
    return sub->add_option("--spec", spec, "The spec")->type_name("FILE");
  }

  void add_run() {
    if (!is_wanted("run")) return;
    auto* sub = app_.add_subcommand("run", "Run a command in a sandbox");
    takes_target(sub, run_);
    if (!is_named("run")) return;
    add_spec(sub, run_.spec);
    auto& grants = run_.grants;
    const auto grant = [sub](const char* name, std::vector<std::string>& values, const char* words, const char* type) {
      sub->add_option(name, values, words)->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    };
    grant("--read", grants.read, "A file or folder it may read", "PATH");
    grant("--write", grants.write, "A file or folder it may read and write", "PATH");
    grant("--hide", grants.hide, "A file or folder closed whatever else is open", "PATH");
    grant("--allow-command", grants.allow_command, "A program it may start: a name, a path, or a folder with a / at its end. Beside these only CMD itself runs", "PROGRAM");
    grant("--host", grants.host, "A host it may reach: example.com, *.example.com, example.com:8443, a public IP address, or * for all", "HOST");
    grant("--port", grants.port, "A port of this machine's loopback, found at localhost:PORT inside", "PORT");
    grant("--tcp", grants.tcp, "An endpoint for programs that speak no proxy: host:port, *.domain:port or mongodb+srv://name", "ENDPOINT");
    grant("--env", grants.env, "A variable passed (K) or set (K=V)", "K[=V]");
    grant("--model", grants.model, "A provider of hosted models, whose kept key the wire puts in", "PROVIDER");
    grant("--secret", grants.secret, "A kept secret the wire puts in", "NAME");
    grant("--tool", grants.tool, "A kept MCP tool that runs outside, as you", "NAME");
    sub->add_option("--name", grants.name, "The sandbox's name in logs")->type_name("NAME");
    sub->add_flag("--yes", run_.yes, "Approve the spec's grants and remember it");
    sub->add_flag("--open", grants.open, "$BROWSER asks to open a page in your browser");
  }

  void add_wrap() {
    if (!is_wanted("wrap")) return;
    auto* sub = app_.add_subcommand("wrap", "Print the command to run instead of CMD; start nothing");
    takes_target(sub, wrap_);
    if (!is_named("wrap")) return;
    add_spec(sub, wrap_.spec)->required();
    sub->add_flag("--approved", wrap_.approved, "The harness has asked: remember the grants as approved");
    sub->add_flag("--json", wrap_.json, "One JSON value on standard output");
    sub->add_option("--own", wrap_.grants.own, "A folder of the command's own, written with its dot files")
        ->type_name("DIR")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    sub->add_option("--rule", wrap_.rules, "The rule that a secret must have been added with, by its name or its file")
        ->type_name("NAME=FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    sub->add_option_function<std::string>("--identity", [this](const std::string&) { refuse("--identity is not in this version"); },
                                          "Not in this version");
  }

  void add_launch() {
    if (!is_wanted("launch")) return;
    auto* sub = app_.add_subcommand("launch", "Start from a kept snapshot (what wrap prints)");
    takes_target(sub, launch_);
    if (!is_named("launch")) return;
    sub->add_option("--settings", launch_.settings, "The settings folder")->type_name("DIR")->required();
    sub->add_option("--snapshot", launch_.snapshot, "The snapshot's hash")->type_name("HASH")->required();
  }

  void add_learn() {
    if (!is_wanted("learn")) return;
    auto* sub = app_.add_subcommand("learn", "Run a command once with every program open, and print the list of those it started");
    takes_target(sub, learn_);
    if (!is_named("learn")) return;
    sub->footer(
        "The spec must be approved; at a terminal it is asked about. Nothing is written: the list comes on standard output once CMD has "
        "ended, behind a line \"# lnk-sandbox learn CODE\" with a code that standard error names too; what stands before that line is "
        "CMD's own. Exit code: CMD's, or 125 where the list isn't whole.\n"
        "CMD follows the options, behind -- or not; all behind its first word is its own.\n" + std::string(kFooter));
    add_spec(sub, learn_.spec)->required();
  }

  void add_describe() {
    auto* describe = add("describe", "Say what a spec opens, and what is refused", describe_);
    add_spec(describe, describe_.spec)->required();
    describe->add_flag("--plan", describe_.plan, "The launch plan, step by step");
    describe->add_flag("--json", describe_.json, "One JSON value on standard output");
  }

  void add_spec_commands() {
    if (is_wanted("describe")) add_describe();
    if (is_wanted("approve")) add_spec(add("approve", "Remember the approval of a spec's grants", approve_), approve_.spec)->required();
    if (is_wanted("forget")) add_spec(add("forget", "Drop the approval of a spec's grants", forget_), forget_.spec)->required();
    add_why();
    if (is_wanted("schema")) add("schema", "Print the spec's JSON Schema", schema_);
    if (is_wanted("init")) add("init", "Make a starter spec for the current folder", init_);
  }

  void add_why() {
    if (!is_wanted("why")) return;
    auto* why = add("why", "Say whether one thing is allowed, and which line or rule decides", why_);
    add_spec(why, why_.spec)->required();
    why->add_option("kind", why_.kind, "path (to read), write, host or program")->type_name("path|write|host|program")->required();
    why->add_option("value", why_.value, "The path, host[:port] or program to ask about")->required();
    why->add_flag("--json", why_.json, "One JSON value on standard output");
    why->callback([this] {
      if (why_.kind != "path" && why_.kind != "write" && why_.kind != "host" && why_.kind != "program")
        return refuse("why asks about a path, write, host or program, not " + host::quoted(why_.kind));
      arguments_.command = std::move(why_);
    });
  }

  /// Whether it is a provider's name.
  bool is_provider(const std::string& name) {
    const auto read = read_provider(name);
    if (!read) refuse(read.error().text);
    return read.has_value();
  }

  void add_key() {
    if (!is_wanted("key")) return;
    auto* key = app_.add_subcommand("key", "Keys of hosted models that the wire puts in");
    key->require_subcommand(1);
    if (!is_named("key")) return;
    std::string providers = "The provider: ";
    for (const auto name : known_providers()) providers += (providers.ends_with(' ') ? "" : ", ") + std::string(name);
    auto* add = key->add_subcommand("add", "Keep a provider's key; the value is read from standard input");
    add->add_option("provider", key_add_.provider, providers)->required();
    add->add_option("--resource", key_add_.resource, "azure: the resource's name, or its whole host where that is of another shape")->type_name("NAME");
    add->add_option("--region", key_add_.region, "bedrock, vertex: the region, as us-east-1; of vertex also global")->type_name("REGION");
    add->callback([this] {
      if (is_provider(key_add_.provider)) arguments_.command = key_add_;
    });
    auto* list = key->add_subcommand("list", "The providers whose keys are kept, never the keys");
    list->add_flag("--json", key_list_.json, "One JSON value on standard output");
    list->callback([this] { arguments_.command = key_list_; });
    auto* remove = key->add_subcommand("remove", "Remove a provider's key");
    remove->add_option("provider", key_remove_.provider, "The provider")->required();
    remove->callback([this] {
      if (is_provider(key_remove_.provider)) arguments_.command = key_remove_;
    });
  }

  void add_secret() {
    if (!is_wanted("secret")) return;
    auto* secret = app_.add_subcommand("secret", "Secrets that the wire puts in");
    secret->require_subcommand(1);
    if (!is_named("secret")) return;
    auto* add = secret->add_subcommand("add", "Keep a secret and its rule; the value is read from standard input");
    add->add_option("name", secret_add_.name, "Its name")->required();
    add->add_option("--rule", secret_add_.rule, "The name of a shipped rule, or a rule's JSON file with a / in its name (./rule.json)")->type_name("RULE")->required();
    add->callback([this] {
      if (is_name(secret_add_.name, kSecretsName)) arguments_.command = secret_add_;
    });
    auto* list = secret->add_subcommand("list", "The secrets that are kept, never their values");
    list->add_flag("--json", secret_list_.json, "One JSON value on standard output");
    list->callback([this] { arguments_.command = secret_list_; });
    auto* remove = secret->add_subcommand("remove", "Remove a secret and its rule");
    remove->add_option("name", secret_remove_.name, "Its name")->required();
    remove->callback([this] {
      if (is_name(secret_remove_.name, kSecretsName)) arguments_.command = secret_remove_;
    });
  }

  void add_tool_add(CLI::App* tool) {
    auto* add = tool->add_subcommand("add", "Keep a tool: a command, or a server at a URL, that programs may use by the wire");
    add->formatter(std::make_shared<TargetFormatter>());
    add->footer("CMD follows behind --, and is an MCP server that speaks over its standard input and output. It is started outside of every "
                "sandbox, as you, in your home, with an environment built from nothing but what --env names.");
    add->add_option("name", tool_add_.name, "Its name")->required();
    const auto many = [add](const char* name, std::vector<std::string>& values, const char* words, const char* type) {
      add->add_option(name, values, words)->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    };
    many("--allow", tool_add_.allow, "One of its tools that is called unasked, as long as its definition is the one of now", "TOOL");
    many("--root", tool_add_.roots, "A folder that it is told of as the one to work in", "DIR");
    many("--env", tool_add_.env, "A variable passed to it as it is now (K), or set (K=V)", "K[=V]");
    add->add_option("--ask", tool_add_.ask, "all: every other call is asked about; none: no call is")->type_name("all|none");
    add->add_option("--url", tool_add_.url, "The server is at a URL: https://, or http:// on this machine")->type_name("URL");
    add->add_option("--header", tool_add_.header, "A field to send there, as Authorization; its value is read from standard input")->type_name("FIELD");
    add->callback([this] {
      tool_add_.command = std::move(target_);
      if (is_name(tool_add_.name, kToolsName)) arguments_.command = std::move(tool_add_);
    });
  }

  void add_tool() {
    if (!is_wanted("tool")) return;
    auto* tool = app_.add_subcommand("tool", "MCP tools that run outside");
    tool->require_subcommand(1);
    if (!is_named("tool")) return;
    add_tool_add(tool);
    auto* list = tool->add_subcommand("list", "The tools that are kept");
    list->add_flag("--json", tool_list_.json, "One JSON value on standard output");
    list->callback([this] { arguments_.command = tool_list_; });
    auto* remove = tool->add_subcommand("remove", "Remove a tool and its log");
    remove->add_option("name", tool_remove_.name, "Its name")->required();
    remove->callback([this] {
      if (is_name(tool_remove_.name, kToolsName)) arguments_.command = tool_remove_;
    });
  }

  void add_log() {
    auto* log = add("log", "Show the wire's log", log_);
    log->add_option("name", log_.name, "Of one sandbox");
    log->callback([this] {
      if (log_.name.empty() || is_name(log_.name, kSandboxsName)) arguments_.command = log_;
    });
    log->add_flag("--follow", log_.follow, "Go on as lines come");
    log->add_flag("--json", log_.json, "As they are kept: one JSON list, or with --follow a value a line");
  }

  void add_switches() {
    // Of one sandbox where it is named.
    const auto add_named = [this](const char* name, const char* words, const char* whose, auto& command) {
      if (!is_wanted(name)) return static_cast<CLI::App*>(nullptr);
      auto* sub = add(name, words, command);
      sub->add_option("name", command.name, whose);
      sub->callback([this, &command] {
        if (command.name.empty() || is_name(command.name, kSandboxsName)) arguments_.command = command;
      });
      return sub;
    };
    add_named("stop", "Close all wires, or one, then run what on-stop registered", "Of one sandbox; all where none is named", stop_);
    add_named("resume", "Open a wire that is paused or stopped, or lift a stop of all",
              "Of one sandbox; a stop of all where none is named", resume_);
    if (auto* paused = add_named("paused", "The wires that are paused or stopped, and why", "Of one sandbox", paused_))
      paused->add_flag("--json", paused_.json, "One JSON value on standard output");
  }

  void add_answer() {
    if (!is_wanted("answer")) return;
    auto* answer = app_.add_subcommand("answer", "The questions that wait, or an answer to one");
    auto word = std::make_shared<std::string>();
    answer->add_option("id", answer_.id, "The question that is answered");
    answer->add_option("answer", *word, "What is answered")->type_name("yes|no");
    answer->add_flag("--json", answer_.json, "The list as one JSON value on standard output");
    answer->callback([this, word] {
      const bool is_answer = *word == "yes" || *word == "no";
      if (!answer_.id.empty() && word->empty()) return refuse("say yes or no behind the question's ID; lnk-sandbox answer lists those that wait");
      if (!answer_.id.empty() && !is_answer) return refuse("a question is answered by yes or no, not " + host::quoted(*word));
      if (!answer_.id.empty() && answer_.json) return refuse("--json is of the list, without an ID");
      answer_.yes = *word == "yes";
      arguments_.command = std::move(answer_);
    });
  }

  void add_on_stop() {
    if (!is_wanted("on-stop")) return;
    auto* group = app_.add_subcommand("on-stop", "What stop runs");
    group->require_subcommand(1);
    if (!is_named("on-stop")) return;
    auto* add = group->add_subcommand("add", "Have stop of all, and of this name, run a command");
    add->formatter(std::make_shared<TargetFormatter>());
    add->footer("CMD follows behind --. It is started outside of every sandbox, with an environment built from nothing.");
    add->add_option("name", on_stop_add_.name, "The sandbox that it stops")->required();
    add->callback([this] {
      if (target_.empty() || target_.front().empty()) return refuse("name the command to run, behind --");
      on_stop_add_.command = std::move(target_);
      if (is_name(on_stop_add_.name, kSandboxsName)) arguments_.command = std::move(on_stop_add_);
    });
    auto* list = group->add_subcommand("list", "The commands that stop runs");
    list->add_flag("--json", on_stop_list_.json, "One JSON value on standard output");
    list->callback([this] { arguments_.command = on_stop_list_; });
    auto* remove = group->add_subcommand("remove", "Have stop no longer run a name's command");
    remove->add_option("name", on_stop_remove_.name, "The sandbox")->required();
    remove->callback([this] {
      if (is_name(on_stop_remove_.name, kSandboxsName)) arguments_.command = on_stop_remove_;
    });
  }

  void add_mcp_remote() {
    if (!is_wanted("mcp-remote")) return;
    auto* sub = add("mcp-remote", "Be an MCP server on standard input and output, in front of one at a URL", mcp_remote_);
    if (!is_named("mcp-remote")) return;
    sub->add_option("--settings", mcp_remote_.settings, "The settings folder")->type_name("DIR");
    sub->add_option("--tool", mcp_remote_.tool, "The kept tool whose headers are sent; it must be of this URL")->type_name("NAME");
    sub->add_option("url", mcp_remote_.url, "https://, or http:// on this machine")->required();
    sub->footer("What the client's lines ask is asked of the server, and nothing else of it; it ends with standard input.");
    sub->callback([this] {
      if (mcp_remote_.tool.empty() || is_name(mcp_remote_.tool, kToolsName)) arguments_.command = mcp_remote_;
    });
  }

  void add_listings() {
    constexpr const char* kJson = "One JSON value on standard output";
    if (is_wanted("log")) add_log();
    if (is_wanted("modules")) add("modules", "List the modules, and why one doesn't load", modules_)->add_flag("--json", modules_.json, kJson);
    if (!is_wanted("check")) return;
    auto* check = add("check", "Tell by doing what this machine can hold", check_);
    check->add_flag("--json", check_.json, kJson);
    check->footer("Exit codes: 0 all that was tried holds; 1 something doesn't; 125 it couldn't be tried; 2 the command line is wrong.");
  }

  const std::vector<std::string>& words_;
  CLI::App app_;
  Arguments arguments_;
  bool wrong_ = false;
  std::vector<const CLI::App*> target_takers_;
  std::vector<std::string> target_;
  RunCommand run_;
  WrapCommand wrap_;
  LaunchCommand launch_;
  LearnCommand learn_;
  DescribeCommand describe_;
  ApproveCommand approve_;
  ForgetCommand forget_;
  SchemaCommand schema_;
  InitCommand init_;
  WhyCommand why_;
  LogCommand log_;
  ModulesCommand modules_;
  CheckCommand check_;
  KeyAddCommand key_add_;
  KeyListCommand key_list_;
  KeyRemoveCommand key_remove_;
  SecretAddCommand secret_add_;
  SecretListCommand secret_list_;
  SecretRemoveCommand secret_remove_;
  ToolAddCommand tool_add_;
  ToolListCommand tool_list_;
  ToolRemoveCommand tool_remove_;
  StopCommand stop_;
  ResumeCommand resume_;
  PausedCommand paused_;
  AnswerCommand answer_;
  OnStopAddCommand on_stop_add_;
  OnStopListCommand on_stop_list_;
  OnStopRemoveCommand on_stop_remove_;
  McpRemoteCommand mcp_remote_;
};

}  // namespace

std::variant<Arguments, int> read_arguments(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // A dispatcher may call `lnk-sandbox sandbox run …`.
  if (!words.empty() && words.front() == "sandbox") words.erase(words.begin());
  if (!words.empty() && std::find(kLaterCommands.begin(), kLaterCommands.end(), words.front()) != kLaterCommands.end()) {
    say("the command " + words.front() + " is not in this version");
    return kWrongCommandLine;
  }
  if (const auto slip = group_slip(words); !slip.empty()) {
    say(slip);
    return kWrongCommandLine;
  }
  Reader reader(words);
  if (!words.empty() && !words.front().starts_with('-') && reader.commands().empty()) {
    const std::vector<std::string> nothing;
    const auto known = Reader(nothing).commands();  // all of them
    const std::vector<std::string_view> names(known.begin(), known.end());
    say("there is no command " + host::quoted(words.front()) + did_you_mean(words.front(), names) + "; see lnk-sandbox --help");
    return kWrongCommandLine;
  }
  return reader.read(words);
}

}  // namespace lnk::host
