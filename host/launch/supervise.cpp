// SPDX-License-Identifier: Apache-2.0
#include "launch/supervise.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

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

void pass_on(const Target& target, int signal) {
  forward(target, signal);
  // As in a shell: the front stops with its target, and CONT wakes both.
  if (signal == SIGTSTP) ::raise(SIGSTOP);
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

Result<int> supervise(Wall& wall, const Target& target, const HeldSignals& signals, const std::vector<Watch>& watches) {
  LNK_TRY(const auto ended, posix::open_pidfd(wall.pid()));
  std::vector<pollfd> polled = {pollfd{signals.fd(), POLLIN, 0}, pollfd{ended.get(), POLLIN, 0}};
  const std::size_t first = polled.size();
  for (const auto& watch : watches) polled.push_back({watch.fd, POLLIN, 0});
  for (;;) {
    if (posix::retry([&] { return ::poll(polled.data(), polled.size(), -1); }) < 0)
      return posix::os_fail(Code::Internal, "poll", "", errno);
    while (const int signal = signals.next()) pass_on(target, signal);
    if (polled[1].revents != 0) return wall.wait();
    for (std::size_t i = 0; i < watches.size(); ++i) {
      auto& seen = polled[first + i];
      if (seen.revents == 0) continue;
      if (!watches[i].again) seen.fd = -1;
      // A socket whose other end is gone is readable as well: unix(7) ends with both.
      if ((seen.revents & (POLLIN | POLLHUP)) == POLLIN) LNK_CHECK(watches[i].readable());
    }
  }
}

}  // namespace lnk::host
