// SPDX-License-Identifier: Apache-2.0
//
// The tools of a run that run outside now: started on the wire's word, as far as the snapshot grants them, and ended
// with the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "launch/parts.hpp"
#include "launch/tool_process.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// One a session, and a person has a few programs at a time; each may be a node process of 100 MB.
inline constexpr std::size_t kToolsAtOnceMax = 16;

class RunningTools {
 public:
  /// `code`: the tool's exit code, 128+n for signal n; 127 where it was not found, 126 where it can't be run.
  using Ended = std::function<void(std::uint64_t id, int code)>;

  /// The parts, settings and tools stay the caller's, and outlive this.
  RunningTools(const Parts& parts, const Settings& settings, const std::vector<GrantedTool>& granted, Ended ended);
  RunningTools(const RunningTools&) = delete;
  RunningTools& operator=(const RunningTools&) = delete;
  /// All are told to end at once, and killed a second later with what they started.
  ~RunningTools();

  /// The other end of the tool's standard input and output, blocking. Not waited for: that it can't be executed is told
  /// as its end. errors: Denied: none of that name is granted, or others may change its program; Gone,
  /// "snapshot-stale": it was changed; Limit; Invalid: the id is taken
  [[nodiscard]] Result<UniqueFd> start(std::uint64_t id, std::string_view name);
  /// Who asks for it closes the stream, by which its standard input ends; it is told to end 2 s later, and killed after
  /// 2 more. No such tool: it has ended.
  void stop(std::uint64_t id);

  /// Readable when there is something to look at.
  [[nodiscard]] int fd() const noexcept { return events_.get(); }
  /// Tells of those that have ended.
  [[nodiscard]] Status look();

 private:
  const Parts& parts_;
  const Settings& settings_;
  const std::vector<GrantedTool>& granted_;
  Ended ended_;
  UniqueFd events_;  ///< epoll
  std::map<std::uint64_t, ToolProcess> running_;
};

}  // namespace lnk::host
