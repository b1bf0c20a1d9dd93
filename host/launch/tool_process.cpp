// SPDX-License-Identifier: Apache-2.0
#include "launch/tool_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"
#include "tool_keeper/packet.hpp"
#include "tools/store.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

constexpr int kNotFound = 127;
constexpr int kCantRun = 126;
constexpr int kLost = 128 + SIGKILL;  // its keeper went without a word
/// All that a keeper takes at the most, and its own start.
constexpr int kEndMs = kToolRunEndMs + kToolKillMs + 1000;

/// Where programs of the system are: nothing of a folder that others, or the caller's shell, put before them.
constexpr std::string_view kToolPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

struct Account {
  std::string name;
  std::string home;
  std::string shell;
};

/// Looked up once: the list of users may be another machine's, and a front waits for nothing while its target runs.
const std::optional<Account>& account() {
  static const auto found = []() -> std::optional<Account> {
    const passwd* entry = ::getpwuid(::geteuid());
    if (entry == nullptr) return std::nullopt;
    return Account{entry->pw_name, entry->pw_dir, entry->pw_shell};
  }();
  return found;
}

Result<std::pair<UniqueFd, UniqueFd>> make_stream_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return posix::os_fail(Code::Limit, "socketpair", {}, errno);
  return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

}  // namespace

Result<std::vector<std::string>> tool_environment(const ToolDefinition& tool) {
  const auto& own = account();
  if (!own)
    return fail(Code::Gone,
                "your account has no entry in the system's list of users, so there is no home to start a tool in");
  std::map<std::string, std::string> environment = {{"HOME", own->home},    {"USER", own->name},
                                                    {"LOGNAME", own->name}, {"SHELL", own->shell},
                                                    {"LANG", "C.UTF-8"},    {"PATH", std::string(kToolPath)}};
  for (const auto& [name, value] : tool.env) environment[name] = value;
  std::vector<std::string> assignments;
  for (const auto& [name, value] : environment) assignments.push_back(name + "=" + value);
  return assignments;
}

std::vector<std::string> tool_command(const Parts& parts, const Settings& settings, const ToolDefinition& tool) {
  if (tool.url.empty()) return tool.argv;
  return {
      parts.program.native(), "mcp-remote", "--settings", settings.folder().native(), "--tool", tool.name, tool.url};
}

Result<ToolProcess> ToolProcess::start(const ToolStart& start) {
  LNK_CHECK(check_trusted(start.parts.tool_keeper));
  if (auto trusted = check_trusted_by_links(start.argv.front()); !trusted)
    return fail(std::move(trusted).error().within("the tool's program"));
  ToolProcess tool;
  posix::SpawnOptions options;
  LNK_TRY(options.env, tool_environment(start.tool));
  LNK_TRY(auto control, posix::make_packet_pair());
  LNK_TRY(auto stream, make_stream_pair());
  LNK_TRY(const auto log, open_tool_log(start.settings, start.tool.name));
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  options.program = start.parts.tool_keeper;
  options.argv = {"lnk-tool-keeper", account()->home};
  options.argv.insert(options.argv.end(), start.argv.begin(), start.argv.end());
  options.fds = {{nothing.get(), 0},
                 {nothing.get(), 1},
                 {nothing.get(), 2},
                 {control.second.get(), kKeeperControlFd},
                 {stream.second.get(), kKeeperToolFd},
                 {log.get(), kKeeperLogFd}};
  options.new_session = true;  // a Ctrl-C on the person's terminal is none of its
  auto keeper = posix::spawn(options);
  if (!keeper) return fail(std::move(keeper).error().within("start the tool's keeper"));
  tool.keeper_ = std::move(*keeper);
  tool.control_ = std::move(control.first);
  tool.stream_ = std::move(stream.first);
  const int flags = ::fcntl(tool.control_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(tool.control_.get(), F_SETFL, flags | O_NONBLOCK) != 0)
    return posix::os_fail(Code::Internal, "fcntl", "a keeper's control socket", errno);
  return tool;
}

std::optional<int> ToolProcess::look() {
  for (;;) {
    const auto packet = posix::receive_packet(control_.get(), sizeof(KeeperPacket));
    if (!packet && packet.error().code == Code::Again) return std::nullopt;
    KeeperPacket told;
    if (!packet || packet->is_end || !read_packet(packet->bytes, told)) return kLost;
    if (told.word == KeeperWord::Ended) return told.value;
    if (told.word == KeeperWord::NotStarted) return told.value == ENOENT ? kNotFound : kCantRun;
  }
}

void ToolProcess::stop() { static_cast<void>(posix::send_packet(control_.get(), bytes_of({KeeperWord::Stop, 0}))); }

void ToolProcess::let_go() noexcept {
  stream_.reset();
  control_.reset();
}

ToolProcess::~ToolProcess() {
  if (!keeper_.is_running()) return;
  let_go();
  if (keeper_.wait_for(kEndMs)) return;
  release();
}

void end_tools(std::vector<ToolProcess> tools) noexcept {
  for (auto& tool : tools) tool.let_go();
  // One after the other: those that come later have ended meanwhile.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kEndMs);
  for (auto& tool : tools) {
    if (tool.keeper_pidfd() < 0) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd ended{tool.keeper_pidfd(), POLLIN, 0};
    const int count =
        posix::retry([&] { return ::poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(left, 0))); });
    if (count != 1) tool.release();
  }
}

}  // namespace lnk::host
