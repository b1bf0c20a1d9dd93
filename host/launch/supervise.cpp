// SPDX-License-Identifier: Apache-2.0
#include "launch/supervise.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

#include "launch/terminal_job.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};
constexpr unsigned kProcessGroup = 4;  // PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9: pidfd_send_signal(2)

/// To the target's whole process group, as a terminal would send it.
void forward(const Target& target, int signal) {
  if (::syscall(SYS_pidfd_send_signal, target.pidfd.get(), signal, nullptr, kProcessGroup) == 0) return;
  if (errno == ESRCH) return;  // it has ended; its exit code follows
  // An older kernel: the group has the target's number as long as the target isn't reaped, which the pidfd tells.
  if (::syscall(SYS_pidfd_send_signal, target.pidfd.get(), 0, nullptr, 0) == 0) ::kill(-target.pid, signal);
}

Status pass_on(const Target& target, int signal, TerminalJob* job) {
  bool is_done = false;
  if (job != nullptr) {
    LNK_TRY(is_done, job->take_signal(signal));
  }
  if (!is_done) forward(target, signal);
  // As in a shell: the front stops with its target, and CONT wakes both. With a terminal it hears when the target did.
  if (signal == SIGTSTP && job == nullptr) ::raise(SIGSTOP);
  return {};
}

/// Places in what is polled.
enum { kSignals, kEnded, kTarget, kStopped, kPersons, kSandboxs, kFirstWatch };

void want_of(TerminalJob* job, std::vector<pollfd>& polled) {
  if (job == nullptr) return;
  polled[kStopped].fd = job->events();
  const auto wanted = job->relay().wanted();
  polled[kPersons] = wanted[0];
  polled[kSandboxs] = wanted[1];
}

}  // namespace

Result<HeldSignals> HeldSignals::hold() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kForwarded) ::sigaddset(&set, signal);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return posix::os_fail(Code::Internal, "sigprocmask", "", errno);
  HeldSignals held;
  held.fd_.reset(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!held.fd_.is_open()) return posix::os_fail(Code::Internal, "signalfd", "", errno);
  return held;
}

int HeldSignals::next() const {
  signalfd_siginfo info{};
  const auto got = posix::retry([&] { return ::read(fd_.get(), &info, sizeof(info)); });
  return got == static_cast<ssize_t>(sizeof(info)) ? static_cast<int>(info.ssi_signo) : 0;
}

Result<int> supervise(Wall& wall, const Target& target, const HeldSignals& signals, const std::vector<Watch>& watches,
                      TerminalJob* job) {
  LNK_TRY(const auto ended, posix::open_pidfd(wall.pid()));
  const pollfd none{-1, POLLIN, 0};
  std::vector<pollfd> polled = {{signals.fd(), POLLIN, 0}, {ended.get(), POLLIN, 0}, {target.pidfd.get(), POLLIN, 0}, none, none, none};
  for (const auto& watch : watches) polled.push_back({watch.fd, POLLIN, 0});
  std::optional<std::chrono::steady_clock::time_point> last;  // once the target has ended
  for (;;) {
    want_of(job, polled);
    if (posix::retry([&] { return ::poll(polled.data(), polled.size(), last ? static_cast<int>(kEndWait.count()) : -1); }) < 0)
      return posix::os_fail(Code::Internal, "poll", "", errno);
    while (const int signal = signals.next()) LNK_CHECK(pass_on(target, signal, job));
    if (job != nullptr) job->relay().move(polled[kPersons], polled[kSandboxs]);
    if (polled[kStopped].revents != 0) LNK_CHECK(job->look());
    if (polled[kEnded].revents != 0) {
      if (job != nullptr) job->finish(signals);
      return wall.wait();
    }
    if (polled[kTarget].revents != 0) {
      polled[kTarget].fd = -1;
      last = std::chrono::steady_clock::now() + kEndWait;
    }
    // The leader of a terminal's session is of the program's own user, which may have stopped it.
    if (last && std::chrono::steady_clock::now() >= *last)
      return fail(Code::Timeout, "the program has ended, and something inside kept the sandbox from ending");
    for (std::size_t i = 0; i < watches.size(); ++i) {
      auto& seen = polled[kFirstWatch + i];
      if (seen.revents == 0) continue;
      // Of an end nothing more comes, and it would be polled without rest.
      if (!watches[i].again || (seen.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) seen.fd = -1;
      // A socket whose other end is gone is readable as well: unix(7) ends with both.
      if (watches[i].again || (seen.revents & (POLLIN | POLLHUP)) == POLLIN) LNK_CHECK(watches[i].readable());
    }
  }
}

}  // namespace lnk::host
