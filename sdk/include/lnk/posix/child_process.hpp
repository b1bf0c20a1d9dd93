// SPDX-License-Identifier: Apache-2.0
//
// A child with one owner, held by its pidfd, and a spawn that gives it exactly the descriptors that are listed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::posix {

[[nodiscard]] Result<UniqueFd> open_pidfd(pid_t pid);
/// errors: Gone where the process has ended and was waited for; os_errno.
[[nodiscard]] Status signal_pidfd(int pidfd, int signal);

/// How a child ended: its exit code, or 128+n where signal n ended it.
struct ExitState {
  int code = 0;
  bool by_signal = false;
};

/// Kills and waits for its child when it goes out of scope.
class ChildProcess {
 public:
  ChildProcess() noexcept = default;
  ChildProcess(pid_t pid, UniqueFd pidfd) noexcept : pid_(pid), pidfd_(std::move(pidfd)) {}
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  [[nodiscard]] int pidfd() const noexcept { return pidfd_.get(); }  ///< readable once the child has ended
  [[nodiscard]] bool is_running() const noexcept { return pid_ > 0; }

  [[nodiscard]] Status signal(int signal) const { return signal_pidfd(pidfd_.get(), signal); }
  /// Waits until it ends. errors: Gone where it was waited for already.
  [[nodiscard]] Result<ExitState> wait();
  /// As wait, but errors with Timeout after `timeout_ms`; the child runs on.
  [[nodiscard]] Result<ExitState> wait_for(int timeout_ms);
  void kill_and_wait() noexcept;
  /// Gives the child up: it is waited for by someone else.
  pid_t release() noexcept;

 private:
  pid_t pid_ = -1;
  UniqueFd pidfd_;
};

/// `from` of this process becomes `to` in the child.
struct ChildFd {
  int from;
  int to;
};

struct SpawnOptions {
  std::filesystem::path program = {};  ///< absolute; no PATH is looked at
  std::vector<std::string> argv = {};  ///< argv[0] and on
  std::vector<std::string> env = {};   ///< "NAME=value"; the whole environment
  std::vector<ChildFd> fds = {};       ///< all that the child gets; 0, 1 and 2 too
  bool new_session = false;
};

/// Starts a program with no signal blocked or ignored. errors: Gone (not found), Denied, Internal; os_errno.
[[nodiscard]] Result<ChildProcess> spawn(const SpawnOptions& options);

}  // namespace lnk::posix
