// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_job.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/abi/confiner.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/process.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kCtrlZ = "\x1a";
constexpr int kLastOutputWait_ms = 5000;  // processes that were killed are gone long before; a disk that hangs may keep one

bool is_stopped(pid_t pid) {
  const auto stat = posix::process_stat(pid);
  return stat && stat->state == 'T';
}

bool is_for_input(int signal) { return signal == SIGTTIN || signal == SIGTTOU; }

/// Stops this process as the target was stopped, with its job where a terminal would stop the job. True once it was
/// continued. False at once where nobody would continue it: the kernel discards such a stop where the group has no parent
/// in its session that could (signal(7); POSIX, "orphaned process group").
bool stop_with_job(int signal) {
  const int own = signal == SIGSTOP ? SIGTSTP : signal;
  sigset_t one;
  sigset_t before;
  ::sigemptyset(&one);
  ::sigaddset(&one, own);
  ::sigprocmask(SIG_UNBLOCK, &one, &before);
  // A program that is stopped by another, and not by its terminal, takes nobody along.
  if (signal == SIGSTOP) ::raise(own);
  else ::kill(0, own);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  sigset_t waiting;
  ::sigpending(&waiting);
  return ::sigismember(&waiting, SIGCONT) == 1;
}

}  // namespace

std::uint32_t terminal_to_ask_for(const Terminal& terminal) {
  const bool in_front = terminal.is_for_us_alone() && terminal.is_in_front();
  return terminal.streams() | (in_front ? std::uint32_t{LNK_TERMINAL_IN_FRONT} : 0U);
}

Result<std::unique_ptr<TerminalJob>> TerminalJob::make(Wall& wall, Target& target, Terminal& persons) {
  LNK_TRY(auto relay, TerminalRelay::make(persons, std::move(target.terminal)));
  std::unique_ptr<TerminalJob> job(new TerminalJob(wall, persons, target, std::move(relay)));
  job->wants_front_ = persons.is_for_us_alone();
  // Never again where it is in front now: by the time that this process takes the terminal the target may have set its own.
  job->was_in_front_ = job->wants_front_ && persons.is_in_front();
  job->relay_.copy_settings(job->was_in_front_);
  job->relay_.copy_size();
  return job;
}

Status TerminalJob::take_terminal() {
  // Started behind, it was set when a shell's line editor may have held the terminal.
  if (!was_in_front_) relay_.copy_settings(true);
  was_in_front_ = true;
  LNK_CHECK(persons_.take());
  relay_.begin_reading();
  return {};
}

Status TerminalJob::begin() {
  if (!wants_front_) return {};
  if (persons_.is_in_front()) return take_terminal();
  // It may have been in front when the wall was started.
  return wall_.resume(false);
}

Status TerminalJob::go_on() {
  const bool in_front = wants_front_ && !relay_.has_hung_up() && persons_.is_in_front();
  if (in_front) LNK_CHECK(take_terminal());
  // Stopped without warning, a shell may have had the screen; continued behind, it has it still.
  if (!in_front) relay_.lose();
  if (relay_.is_held()) resized_();
  else relay_.copy_size();
  auto done = wall_.resume(in_front);
  // It ended meanwhile; its exit code follows.
  if (!done && done.error().code == Code::Gone) return {};
  return done;
}

Status TerminalJob::look() {
  const auto signal = wall_.stopped();
  if (!signal && signal.error().code == Code::Gone) {
    events_ = -1;
    return {};
  }
  LNK_CHECK(signal);
  // It may go on already: a name held again stops all for a moment.
  if (*signal == 0 || !is_stopped(target_)) return {};
  if (is_for_input(*signal)) {
    wants_front_ = true;
    if (persons_.is_in_front()) return go_on();
  }
  relay_.lose();
  // What it printed before it stopped, an editor's last screen above all.
  relay_.flush();
  persons_.give_back();
  // The CONT that follows is read as any signal.
  if (persons_.has_jobs() && stop_with_job(*signal)) return {};
  // Behind, and nobody to bring it to the front: the terminal can't be read, as it can't for any program there.
  if (is_for_input(*signal)) relay_.hang_up();
  return go_on();
}

Result<bool> TerminalJob::take_signal(int signal) {
  if (signal == SIGWINCH && relay_.is_held()) {
    resized_();
    return true;
  }
  if (signal == SIGWINCH) return relay_.copy_size();
  if (signal != SIGCONT) return false;
  LNK_CHECK(go_on());
  return true;
}

bool TerminalJob::lend(Events events) {
  if (!relay_.hold(std::move(events.typed), std::move(events.lost))) return false;
  resized_ = std::move(events.resized);
  return true;
}

TerminalSize TerminalJob::size() const {
  winsize size{};
  if (::ioctl(persons_.fd(), TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_row, size.ws_col};
}

void TerminalJob::give_back(bool stop) { relay_.release(stop ? kCtrlZ : std::string_view()); }

void TerminalJob::finish(const HeldSignals& signals) {
  relay_.lose();
  while (!relay_.has_hung_up() || !relay_.is_empty()) {
    const auto wanted = relay_.wanted();
    pollfd polled[] = {wanted[0], wanted[1], {signals.fd(), POLLIN, 0}};
    // Output that the person's terminal doesn't take is waited for, as any program would.
    const int timeout_ms = relay_.is_empty() ? kLastOutputWait_ms : -1;
    if (posix::retry([&] { return ::poll(polled, std::size(polled), timeout_ms); }) <= 0) break;
    relay_.move(polled[0], polled[1]);
    const int signal = polled[2].revents != 0 ? signals.next() : 0;
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) break;
  }
  relay_.reset_modes();
  relay_.drain_answers();
  persons_.give_back();
}

}  // namespace lnk::host
