// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::posix {

namespace {

/// The actions and attributes of posix_spawn(3), released together.
class SpawnPlan {
 public:
  SpawnPlan() noexcept {
    is_sound_ = ::posix_spawn_file_actions_init(&actions_) == 0 && ::posix_spawnattr_init(&attributes_) == 0;
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    if (!is_sound_) return;
    (void)::posix_spawn_file_actions_destroy(&actions_);
    (void)::posix_spawnattr_destroy(&attributes_);
  }

  [[nodiscard]] bool set_signals(bool new_session) noexcept {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    const int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (new_session ? POSIX_SPAWN_SETSID : 0);
    return is_sound_ && ::posix_spawnattr_setsigmask(&attributes_, &none) == 0 &&
           ::posix_spawnattr_setsigdefault(&attributes_, &all) == 0 &&
           ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags)) == 0;
  }
  /// dup2 also clears CLOEXEC where both are one number (glibc 2.29).
  [[nodiscard]] bool give(int from, int to) noexcept {
    return ::posix_spawn_file_actions_adddup2(&actions_, from, to) == 0;
  }
  /// Closes what stands between the given ones and all above them.
  [[nodiscard]] bool close_others(const std::vector<ChildFd>& given, int highest) noexcept {
    for (int fd = 0; fd < highest; ++fd) {
      const bool is_given = std::any_of(given.begin(), given.end(), [fd](const ChildFd& g) { return g.to == fd; });
      if (!is_given && ::posix_spawn_file_actions_addclose(&actions_, fd) != 0) return false;
    }
    return ::posix_spawn_file_actions_addclosefrom_np(&actions_, highest + 1) == 0;
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const noexcept { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  bool is_sound_ = false;
};

/// Sources that stand at a number of the child's are moved above all of these, so that no step overwrites another's
/// source.
Result<std::vector<UniqueFd>> move_sources_up(std::vector<ChildFd>& fds, int highest) {
  std::vector<UniqueFd> moved;
  for (ChildFd& fd : fds) {
    if (fd.from > highest || fd.from == fd.to) continue;
    UniqueFd up(::fcntl(fd.from, F_DUPFD_CLOEXEC, highest + 1));
    if (!up.is_open()) return os_fail(Code::Limit, "duplicate a descriptor", {}, errno);
    fd.from = up.get();
    moved.push_back(std::move(up));
  }
  return moved;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

Code code_of_spawn(int os_errno) noexcept {
  if (os_errno == ENOENT) return Code::Gone;
  return os_errno == EACCES || os_errno == EPERM ? Code::Denied : Code::Internal;
}

}  // namespace

Result<UniqueFd> open_pidfd(pid_t pid) {
  UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!fd.is_open()) return os_fail(Code::Gone, "open a pidfd", {}, errno);
  return fd;
}

Status signal_pidfd(int pidfd, int signal) {
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) != 0)
    return os_fail(errno == ESRCH ? Code::Gone : Code::Internal, "send a signal", {}, errno);
  return {};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    kill_and_wait();
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

ChildProcess::~ChildProcess() { kill_and_wait(); }

Result<ExitState> ChildProcess::wait() {
  if (pid_ <= 0) return fail(Code::Gone, "the child was waited for already");
  int status = 0;
  const pid_t pid = retry([&] { return ::waitpid(pid_, &status, 0); });
  if (pid < 0) return os_fail(Code::Gone, "wait for a child", {}, errno);
  (void)release();
  if (WIFSIGNALED(status)) return ExitState{128 + WTERMSIG(status), true};
  return ExitState{WEXITSTATUS(status), false};
}

Result<ExitState> ChildProcess::wait_for(int timeout_ms) {
  pollfd ended{pidfd_.get(), POLLIN, 0};
  const int count = retry([&] { return ::poll(&ended, 1, timeout_ms); });
  if (count < 0) return os_fail(Code::Internal, "poll", {}, errno);
  if (count == 0) return fail(Code::Timeout, "the child still runs after " + std::to_string(timeout_ms) + " ms");
  return wait();
}

void ChildProcess::kill_and_wait() noexcept {
  if (pid_ <= 0) return;
  (void)::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
  (void)retry([&] { return ::waitpid(pid_, nullptr, 0); });
  (void)release();
}

pid_t ChildProcess::release() noexcept {
  pidfd_.reset();
  return std::exchange(pid_, -1);
}

Result<ChildProcess> spawn(const SpawnOptions& options) {
  std::vector<ChildFd> fds = options.fds;
  int highest = -1;
  for (const ChildFd& fd : fds) highest = std::max(highest, fd.to);
  LNK_TRY(const std::vector<UniqueFd> moved, move_sources_up(fds, highest));

  SpawnPlan plan;
  bool sound = plan.set_signals(options.new_session);
  for (const ChildFd& fd : fds) sound = sound && plan.give(fd.from, fd.to);
  if (!sound || !plan.close_others(fds, highest)) return fail(Code::Limit, "spawn: no memory");

  const std::vector<char*> argv = pointers(options.argv);
  const std::vector<char*> env = pointers(options.env);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, options.program.c_str(), plan.actions(), plan.attributes(), argv.data(), env.data());
  if (error != 0) return os_fail(code_of_spawn(error), "start", options.program.native(), error);

  auto pidfd = open_pidfd(pid);
  if (!pidfd) {
    // Nobody has waited for it, so the number is still its own.
    (void)::kill(pid, SIGKILL);
    (void)retry([&] { return ::waitpid(pid, nullptr, 0); });
    return fail(std::move(pidfd).error());
  }
  return ChildProcess(pid, std::move(pidfd).value());
}

}  // namespace lnk::posix
