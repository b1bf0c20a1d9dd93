// SPDX-License-Identifier: Apache-2.0
//
// A tool that runs outside, as its front sees it: a keeper with a control socket, and the tool below that. The tool is
// the person's own program and runs with all that the person has; what it is given besides is an environment from
// nothing, the home as its folder, and one socket as its standard input and output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/parts.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"
#include "tools/definition.hpp"

namespace lnk::host {

/// HOME, USER, LOGNAME and SHELL of the account, PATH of the system's folders, LANG, and what `tool add --env` named,
/// which wins. errors: Gone: the account has no entry
[[nodiscard]] Result<std::vector<std::string>> tool_environment(const ToolDefinition& tool);

/// What is executed: the tool's command, or mcp-remote for a URL, which reads the fields to send from the tool's file
/// in `settings`.
[[nodiscard]] std::vector<std::string> tool_command(const Parts& parts, const Settings& settings,
                                                    const ToolDefinition& tool);

struct ToolStart {
  const Parts& parts;
  const Settings& settings;  ///< where its log is
  const ToolDefinition& tool;
  std::vector<std::string> argv;
};

class ToolProcess {
 public:
  /// Doesn't wait for the program to be executed. errors: Denied: others may change the program; Gone; Limit
  [[nodiscard]] static Result<ToolProcess> start(const ToolStart& start);

  /// The other end of its standard input and output; once.
  [[nodiscard]] UniqueFd take_stream() noexcept { return std::move(stream_); }
  /// Readable when there is something to look at.
  [[nodiscard]] int fd() const noexcept { return control_.get(); }

  /// How it ended, with 127 or 126 where it could not be started; nothing: it runs, as far as is known.
  [[nodiscard]] std::optional<int> look();
  /// Whoever has the other end of its standard input closes that. It is told to end after 2 s, and killed after 2 more.
  /// Nothing is waited for.
  void stop();
  /// The keeper ends it, and goes on to where this is no more.
  void let_go() noexcept;
  [[nodiscard]] int keeper_pidfd() const noexcept { return keeper_.pidfd(); }
  /// Its keeper is left to itself, which ends within a limit of its own: to kill it would leave what it keeps.
  void release() noexcept { static_cast<void>(keeper_.release()); }

  ToolProcess() noexcept = default;
  ToolProcess(ToolProcess&&) noexcept = default;
  ToolProcess& operator=(ToolProcess&&) noexcept = default;
  ~ToolProcess();

 private:
  posix::ChildProcess keeper_;
  UniqueFd control_;
  UniqueFd stream_;
};

/// Lets all of them go at once, and waits until they are gone or a limit is over.
void end_tools(std::vector<ToolProcess> tools) noexcept;

}  // namespace lnk::host
