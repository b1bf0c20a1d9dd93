// SPDX-License-Identifier: Apache-2.0
#include "launch/running_tools.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "spec/shown.hpp"
#include "tools/store.hpp"

namespace lnk::host {

RunningTools::RunningTools(const Parts& parts, const Settings& settings, const std::vector<GrantedTool>& granted,
                           Ended ended)
    : parts_(parts),
      settings_(settings),
      granted_(granted),
      ended_(std::move(ended)),
      events_(::epoll_create1(EPOLL_CLOEXEC)) {}

RunningTools::~RunningTools() {
  std::vector<ToolProcess> tools;
  for (auto& [id, tool] : running_) tools.push_back(std::move(tool));
  end_tools(std::move(tools));
}

Result<UniqueFd> RunningTools::start(std::uint64_t id, std::string_view name) {
  const auto granted =
      std::find_if(granted_.begin(), granted_.end(), [name](const auto& tool) { return tool.name == name; });
  if (granted == granted_.end()) return fail(Code::Denied, "no tool " + host::quoted(name) + " is granted");
  if (running_.contains(id)) return fail(Code::Invalid, "a tool of that number runs");
  if (running_.size() >= kToolsAtOnceMax)
    return fail(Code::Limit,
                std::to_string(kToolsAtOnceMax) + " tools run for this sandbox, which is the most at once");
  // Anew each time: what was changed since was not asked about.
  LNK_TRY(const auto tool, load_granted_tool(settings_, *granted));
  LNK_TRY(auto process, ToolProcess::start({parts_, settings_, tool, tool_command(parts_, settings_, tool)}));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = id;
  if (::epoll_ctl(events_.get(), EPOLL_CTL_ADD, process.fd(), &event) != 0)
    return posix::os_fail(Code::Limit, "watch a tool", {}, errno);
  auto stream = process.take_stream();
  running_.emplace(id, std::move(process));
  return stream;
}

void RunningTools::stop(std::uint64_t id) {
  if (const auto found = running_.find(id); found != running_.end()) found->second.stop();
}

Status RunningTools::look() {
  std::array<epoll_event, kToolsAtOnceMax> events{};
  const int count =
      posix::retry([&] { return ::epoll_wait(events_.get(), events.data(), static_cast<int>(events.size()), 0); });
  if (count < 0) return posix::os_fail(Code::Internal, "look at the tools", {}, errno);
  std::vector<std::pair<std::uint64_t, int>> ends;
  for (int at = 0; at < count; ++at) {
    const auto found = running_.find(events[static_cast<std::size_t>(at)].data.u64);
    if (found == running_.end()) continue;
    const auto code = found->second.look();
    if (!code) continue;
    ends.emplace_back(found->first, *code);
    running_.erase(found);  // its keeper has nothing left to do but leave
  }
  // Last, since who is told may start another.
  for (const auto& [id, code] : ends) ended_(id, code);
  return {};
}

}  // namespace lnk::host
