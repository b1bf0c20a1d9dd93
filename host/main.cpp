// SPDX-License-Identifier: Apache-2.0
//
// lnk-sandbox: reads the command line, opens what every command stands on, and gives the command's exit code.
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <variant>

#include "cli/args.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/say.hpp"

namespace {

using namespace lnk::host;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0 || errno != EBADF; }

/// A descriptor 0, 1 or 2 that is closed would be the next file this program opens, and the target would be given it.
bool keep_standard_streams_open() {
  for (int fd = 0; fd <= 2; ++fd)
    if (!is_open(fd) && ::open("/dev/null", O_RDWR) != fd) return false;
  return true;
}

/// A start touches some 40 pages of heap, one fault each, and a fault costs ten times what a page does that is asked for with
/// others (under virtualisation 10 µs against 0.6). A kernel before 5.14 has no such call, and nothing is lost.
void fetch_heap() {
  constexpr int kAhead = 96 * 1024;                 // taken from the kernel with what is asked for
  constexpr std::size_t kBlock = 64 * 1024;         // more than is left of what the C++ runtime began with
  constexpr int kBytesMax = 512 * 1024;             // where malloc doesn't take it from the heap's end
  ::mallopt(M_TOP_PAD, kAhead);
  ::mallopt(M_TRIM_THRESHOLD, kBytesMax);  // else most of it is given back with the block
  const std::unique_ptr<char, decltype(&std::free)> block(static_cast<char*>(std::malloc(kBlock)), &std::free);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(block.get()) & ~(page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  if (begin != 0 && begin < end && end - begin <= kBytesMax) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
}

/// Of a command that prints nobody would read what it says, and it would seem to have gone well. What a program prints is its own.
bool prints(const Command& command) {
  return !std::holds_alternative<RunCommand>(command) && !std::holds_alternative<LaunchCommand>(command) &&
         !std::holds_alternative<KeyAddCommand>(command) && !std::holds_alternative<KeyRemoveCommand>(command) &&
         !std::holds_alternative<SecretAddCommand>(command) && !std::holds_alternative<SecretRemoveCommand>(command) &&
         !std::holds_alternative<ToolAddCommand>(command) && !std::holds_alternative<ToolRemoveCommand>(command) &&
         !std::holds_alternative<StopCommand>(command) && !std::holds_alternative<ResumeCommand>(command);
}

int say_output_closed() {
  say("standard output is closed, so there is nowhere to print to; give it a file, a pipe or a terminal");
  return kRefused;
}

int carry_out(const Context& context, const Command& command) {
  return std::visit(Overloaded{[&](const RunCommand& c) { return run(context, c); },
                               [&](const WrapCommand& c) { return wrap(context, c); },
                               [&](const LaunchCommand& c) { return launch(context, c); },
                               [&](const LearnCommand& c) { return learn(context, c); },
                               [&](const DescribeCommand& c) { return describe(context, c); },
                               [&](const ApproveCommand& c) { return approve(context, c); },
                               [&](const ForgetCommand& c) { return forget(context, c); },
                               [&](const SchemaCommand&) { return schema(); },
                               [&](const InitCommand&) { return init(context); },
                               [&](const WhyCommand& c) { return why(context, c); },
                               [&](const LogCommand& c) { return log(context, c); },
                               [&](const ModulesCommand& c) { return modules(context, c); },
                               [&](const CheckCommand& c) { return check(context, c); },
                               [&](const KeyAddCommand& c) { return key_add(context, c); },
                               [&](const KeyListCommand& c) { return key_list(context, c); },
                               [&](const KeyRemoveCommand& c) { return key_remove(context, c); },
                               [&](const SecretAddCommand& c) { return secret_add(context, c); },
                               [&](const SecretListCommand& c) { return secret_list(context, c); },
                               [&](const SecretRemoveCommand& c) { return secret_remove(context, c); },
                               [&](const ToolAddCommand& c) { return tool_add(context, c); },
                               [&](const ToolListCommand& c) { return tool_list(context, c); },
                               [&](const ToolRemoveCommand& c) { return tool_remove(context, c); },
                               [&](const StopCommand& c) { return stop(context, c); },
                               [&](const ResumeCommand& c) { return resume(context, c); },
                               [&](const PausedCommand& c) { return paused(context, c); },
                               [&](const AnswerCommand& c) { return answer(context, c); },
                               [&](const OnStopAddCommand& c) { return on_stop_add(context, c); },
                               [&](const OnStopListCommand& c) { return on_stop_list(context, c); },
                               [&](const OnStopRemoveCommand& c) { return on_stop_remove(context, c); },
                               [&](const McpRemoteCommand& c) { return mcp_remote(c); }},
                    command);
}

int start(int argc, char** argv, bool has_output) {
  auto arguments = read_arguments(argc, argv);
  if (const int* code = std::get_if<int>(&arguments)) return *code == 0 && !has_output ? say_output_closed() : *code;
  const auto& given = std::get<Arguments>(arguments);
  if (!has_output && prints(given.command)) return say_output_closed();
  if (std::holds_alternative<SchemaCommand>(given.command)) return schema();
  if (const auto* remote = std::get_if<McpRemoteCommand>(&given.command)) return mcp_remote(*remote);
  const auto* launched = std::get_if<LaunchCommand>(&given.command);
  const auto context = launched != nullptr ? Context::open_named(launched->settings, given.module_dirs)
                                           : Context::open(given.module_dirs);
  if (!context) return say_refused(context.error());
  return carry_out(*context, given.command);
}

}  // namespace

int main(int argc, char** argv) {
  const bool has_output = is_open(STDOUT_FILENO);
  if (!keep_standard_streams_open()) return kRefused;
  fetch_heap();
  try {
    return start(argc, argv, has_output);
  } catch (const std::exception& error) {
    say(std::string("failed: ") + error.what());
    return kRefused;
  }
}
