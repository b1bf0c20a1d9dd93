// SPDX-License-Identifier: Apache-2.0
//
// mcp-remote: an MCP server on standard input and output in front of one at a URL. It runs outside, as a tool's command. Confines
// itself before it reads a byte of either side: it opens no file then, runs nothing, and no other process reads its memory.
//
//   mcp-remote [--settings DIR --tool NAME] URL
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "confinement/landlock.hpp"
#include "lnk/posix/capabilities.hpp"
#include "lnk/posix/os_error.hpp"
#include "mcp_remote/bridge.hpp"
#include "mcp_remote/tool_file.hpp"
#include "settings/settings.hpp"
#include "spec/shown.hpp"
#include "wire/call_filter.hpp"

namespace lnk::host::remote {
namespace {

constexpr int kRefused = 125;
constexpr unsigned kFirstOtherFd = 3;

struct Arguments {
  std::string settings;
  std::string tool;
  std::string url;
};

Result<Arguments> read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t index = 0; index < words.size(); ++index) {
    std::string* value = words[index] == "--settings" ? &arguments.settings : words[index] == "--tool" ? &arguments.tool : nullptr;
    if (value == nullptr && arguments.url.empty()) {
      arguments.url = words[index];
    } else if (value != nullptr && index + 1 < words.size()) {
      *value = words[++index];
    } else {
      return fail(Code::Invalid, "it is called by lnk-sandbox mcp-remote");
    }
  }
  if (arguments.url.empty() || arguments.tool.empty() != arguments.settings.empty())
    return fail(Code::Invalid, "it is called by lnk-sandbox mcp-remote");
  return arguments;
}

Result<Headers> read_headers(const Arguments& arguments) {
  if (arguments.tool.empty()) return Headers{};
  LNK_TRY(const auto settings, Settings::open(arguments.settings, Settings::Missing::Refuse));
  const std::string name = "tools/" + arguments.tool + ".json";
  LNK_TRY(const auto text, settings.read(name));
  if (!text)
    return fail(Code::Gone, "no tool " + host::quoted(arguments.tool) + " is kept; lnk-sandbox tool list names those that are");
  auto headers = headers_of_tool(*text, arguments.url);
  if (!headers) return fail(std::move(headers).error().within("the tool " + shown(arguments.tool)));
  return headers;
}

Result<std::string> own_folder() {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return posix::os_fail(Code::Internal, "readlink", "/proc/self/exe", errno);
  path.resize(static_cast<std::size_t>(size));
  return path.substr(0, path.rfind('/'));
}

/// Everything but descriptors that are open, and TCP to the server's port.
Status confine(std::uint16_t port) {
  LNK_CHECK(posix::drop_capabilities());
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return posix::os_fail(Code::Unsupported, "PR_SET_DUMPABLE", "", errno);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return posix::os_fail(Code::Unsupported, "PR_SET_NO_NEW_PRIVS", "", errno);
  if (landlock_level() >= 1) {
    LandlockRules rules;
    rules.holds_connect = true;
    rules.ports = {port};
    LNK_CHECK(hold_by_landlock(rules));
  }
  return install_call_filter();
}

Result<UniqueFd> take_signals() {
  sigset_t ends;
  ::sigemptyset(&ends);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&ends, number);
  UniqueFd fd(::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.is_open() || ::sigprocmask(SIG_BLOCK, &ends, nullptr) != 0) return posix::os_fail(Code::Internal, "signalfd", "", errno);
  ::signal(SIGPIPE, SIG_IGN);
  return fd;
}

Task<void> leave_on_signal(Watch& signals, Bridge& bridge) {
  signalfd_siginfo taken{};
  while (::read(signals.fd(), &taken, sizeof taken) < 0) {
    if (co_await signals.readable() == Wake::Cancelled) co_return;
  }
  bridge.leave_now();
}

Status run(const std::vector<std::string>& words) {
  LNK_TRY(const auto arguments, read_arguments(words));
  LNK_TRY(auto url, read_url(arguments.url));
  // Undumpable before a value is in memory.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return posix::os_fail(Code::Unsupported, "PR_SET_DUMPABLE", "", errno);
  LNK_TRY(auto headers, read_headers(arguments));
  LNK_TRY(const auto parts, own_folder());
  LNK_TRY(auto input, StandardStream::open(STDIN_FILENO, false));
  LNK_TRY(auto output, StandardStream::open(STDOUT_FILENO, true));
  // Never taken apart: the process ends instead.
  auto* loop = new Loop;
  const std::uint16_t port = url.authority.port;
  LNK_TRY(auto outside, Outside::open(*loop, std::move(url), parts));
  LNK_TRY(auto ends, take_signals());
  LNK_CHECK(confine(port));
  outside->start();
  auto* signals = new Watch(*loop, std::move(ends));
  auto* bridge = new Bridge(*loop, *outside.release(), std::move(headers), std::move(input), std::move(output));
  spawn(leave_on_signal(*signals, *bridge));
  spawn(bridge->run());
  loop->run();
  return {};
}

int run_or_say(int argc, char** argv) {
  static_cast<void>(::close_range(kFirstOtherFd, ~0U, 0));
  const Status ended = run(std::vector<std::string>(argv + 1, argv + argc));
  if (ended) return 0;
  std::fprintf(stderr, "lnk-sandbox mcp-remote: %s\n", ended.error().text.c_str());
  return kRefused;
}

}  // namespace
}  // namespace lnk::host::remote

int main(int argc, char** argv) {
  try {
    ::_exit(lnk::host::remote::run_or_say(argc, argv));
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "lnk-sandbox mcp-remote: %s\n", exception.what());
    ::_exit(1);
  }
}
