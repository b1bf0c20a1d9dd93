// SPDX-License-Identifier: Apache-2.0
//
// The commands: each takes its arguments as values and gives the program's exit code.
#pragma once

#include "cli/args.hpp"
#include "cli/context.hpp"

namespace lnk::host {

int run(const Context& context, const RunCommand& command);
int wrap(const Context& context, const WrapCommand& command);
int launch(const Context& context, const LaunchCommand& command);
int learn(const Context& context, const LearnCommand& command);
int describe(const Context& context, const DescribeCommand& command);
int approve(const Context& context, const ApproveCommand& command);
int forget(const Context& context, const ForgetCommand& command);
int schema();
int init(const Context& context);
int why(const Context& context, const WhyCommand& command);
int log(const Context& context, const LogCommand& command);
int modules(const Context& context, const ModulesCommand& command);
int check(const Context& context, const CheckCommand& command);
int stop(const Context& context, const StopCommand& command);
int resume(const Context& context, const ResumeCommand& command);
int paused(const Context& context, const PausedCommand& command);
int answer(const Context& context, const AnswerCommand& command);
int on_stop_add(const Context& context, const OnStopAddCommand& command);
int on_stop_list(const Context& context, const OnStopListCommand& command);
int on_stop_remove(const Context& context, const OnStopRemoveCommand& command);
int key_add(const Context& context, const KeyAddCommand& command);
int key_list(const Context& context, const KeyListCommand& command);
int key_remove(const Context& context, const KeyRemoveCommand& command);
int secret_add(const Context& context, const SecretAddCommand& command);
int secret_list(const Context& context, const SecretListCommand& command);
int secret_remove(const Context& context, const SecretRemoveCommand& command);
int tool_add(const Context& context, const ToolAddCommand& command);
int tool_list(const Context& context, const ToolListCommand& command);
int tool_remove(const Context& context, const ToolRemoveCommand& command);
/// Becomes the part that does it; comes back only where that can't be started.
int mcp_remote(const McpRemoteCommand& command);

}  // namespace lnk::host
