// SPDX-License-Identifier: Apache-2.0
//
// The command line as values.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lnk::host {

/// Grants typed as flags, as they were typed.
struct GrantFlags {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> hide;
  std::vector<std::string> own;  ///< folders written with their dot files: of wrap alone
  std::vector<std::string> allow_command;
  std::vector<std::string> host;
  std::vector<std::string> port;
  std::vector<std::string> tcp;
  std::vector<std::string> env;
  std::vector<std::string> model;
  std::vector<std::string> secret;
  std::vector<std::string> tool;
  bool open = false;
  std::string name;

  [[nodiscard]] bool empty() const {
    return read.empty() && write.empty() && hide.empty() && own.empty() && allow_command.empty() && host.empty() && port.empty() && tcp.empty() &&
           env.empty() && model.empty() && secret.empty() && tool.empty() && name.empty() && !open;
  }
};

struct RunCommand {
  std::string spec;  ///< empty: none was named
  GrantFlags grants;
  bool yes = false;
  std::vector<std::string> command;
};

struct WrapCommand {
  std::string spec;
  GrantFlags grants;  ///< --own alone
  std::vector<std::string> rules;  ///< NAME=FILE
  bool approved = false;
  bool json = false;
  std::vector<std::string> command;
};

struct LaunchCommand {
  std::string settings;
  std::string snapshot;
  std::vector<std::string> command;
};

struct LearnCommand {
  std::string spec;
  std::vector<std::string> command;
};

struct DescribeCommand {
  std::string spec;
  bool plan = false;
  bool json = false;
};

struct ApproveCommand {
  std::string spec;
};

struct ForgetCommand {
  std::string spec;
};

struct SchemaCommand {};

struct InitCommand {};

struct WhyCommand {
  std::string spec;
  std::string kind;  ///< "path", "write", "host", "program"
  std::string value;
  bool json = false;
};

struct LogCommand {
  std::string name;  ///< empty: of every wire
  bool follow = false;
  bool json = false;
};

struct ModulesCommand {
  bool json = false;
};

struct CheckCommand {
  bool json = false;
};

struct KeyAddCommand {
  std::string provider;
  std::string resource;
  std::string region;
};

struct KeyListCommand {
  bool json = false;
};

struct KeyRemoveCommand {
  std::string provider;
};

struct SecretAddCommand {
  std::string name;
  std::string rule;
};

struct SecretListCommand {
  bool json = false;
};

struct SecretRemoveCommand {
  std::string name;
};

struct ToolAddCommand {
  std::string name;
  std::vector<std::string> allow;
  std::string ask = "all";
  std::vector<std::string> roots;
  std::vector<std::string> env;  ///< K or K=V
  std::string url;               ///< empty: a command
  std::string header;            ///< a field's name; empty: none
  std::vector<std::string> command;
};

struct ToolListCommand {
  bool json = false;
};

struct ToolRemoveCommand {
  std::string name;
};

struct StopCommand {
  std::string name;  ///< empty: all wires
};

struct ResumeCommand {
  std::string name;  ///< empty: a stop of all
};

struct PausedCommand {
  std::string name;  ///< empty: every wire
  bool json = false;
};

struct AnswerCommand {
  std::string id;  ///< empty: those that wait are listed
  bool yes = false;
  bool json = false;
};

struct OnStopAddCommand {
  std::string name;
  std::vector<std::string> command;
};

struct OnStopListCommand {
  bool json = false;
};

struct OnStopRemoveCommand {
  std::string name;
};

struct McpRemoteCommand {
  std::string settings;  ///< empty: those of the environment
  std::string tool;      ///< empty: no headers
  std::string url;
};

using Command = std::variant<RunCommand, WrapCommand, LaunchCommand, LearnCommand, DescribeCommand, ApproveCommand, ForgetCommand, SchemaCommand, InitCommand, WhyCommand,
                             LogCommand, ModulesCommand, CheckCommand, KeyAddCommand, KeyListCommand, KeyRemoveCommand, SecretAddCommand, SecretListCommand, SecretRemoveCommand, ToolAddCommand, ToolListCommand, ToolRemoveCommand, StopCommand,
                             ResumeCommand, PausedCommand, AnswerCommand, OnStopAddCommand, OnStopListCommand, OnStopRemoveCommand, McpRemoteCommand>;

struct Arguments {
  std::vector<std::string> module_dirs;
  Command command;
};

/// The arguments, or the exit code of a command line that asked for help (0) or is wrong (2), after saying so.
[[nodiscard]] std::variant<Arguments, int> read_arguments(int argc, char** argv);

}  // namespace lnk::host
