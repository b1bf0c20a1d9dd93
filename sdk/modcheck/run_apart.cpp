// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "check.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::modcheck {

namespace {

constexpr int kCheckTimeoutMs = 20'000;       // the longest check takes well below a second
constexpr std::size_t kWordsMax = 64 * 1024;  // of one outcome

[[noreturn]] void run_here(const Check& check, const Subject& subject, int to_parent) {
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  const Outcome outcome = check.run(subject);
  std::string message(1, static_cast<char>('0' + static_cast<int>(outcome.verdict)));
  message += outcome.words.substr(0, kWordsMax - 1);
  (void)posix::write_all(to_parent, message);
  // The module's own atexit handlers must not decide how this ends.
  ::_exit(0);
}

/// A module's words may be any bytes; only the ends of lines are kept.
std::string fit_to_show(std::string_view words) {
  std::string out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    out += posix::escaped(words.substr(0, end));
    if (end != words.size()) out += '\n';
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

Outcome crash_outcome(const posix::ExitState& state) {
  if (!state.by_signal)
    return {Verdict::Crashed, "the process ended by itself with exit code " + std::to_string(state.code)};
  const int signal = state.code - 128;
  const char* name = ::sigdescr_np(signal);
  return {Verdict::Crashed, "signal " + std::to_string(signal) + " (" + (name != nullptr ? name : "unknown") + ")"};
}

Outcome outcome_of(const std::string& message, const posix::ExitState& state) {
  if (message.empty() || state.by_signal || state.code != 0) return crash_outcome(state);
  return {static_cast<Verdict>(message.front() - '0'), fit_to_show(std::string_view(message).substr(1))};
}

}  // namespace

Outcome run_apart(const Check& check, const Subject& subject) {
  auto pipe = posix::make_pipe();
  if (!pipe) return Outcome::failed(pipe.error().text);
  const pid_t pid = ::fork();
  if (pid < 0) return Outcome::failed("fork failed");
  if (pid == 0) {
    pipe->read.reset();
    run_here(check, subject, pipe->write.get());
  }
  pipe->write.reset();
  auto pidfd = posix::open_pidfd(pid);
  if (!pidfd) return Outcome::failed(pidfd.error().text);
  posix::ChildProcess child(pid, std::move(pidfd).value());
  // The words fit into the pipe (64 KiB), so that the child never waits for a reader.
  auto state = child.wait_for(kCheckTimeoutMs);
  if (!state) {
    child.kill_and_wait();
    return {Verdict::Stuck, "it did not come back within " + std::to_string(kCheckTimeoutMs / 1000) + " s"};
  }
  // A process that the module started may still hold the pipe's other end.
  (void)::fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
  std::string message(kWordsMax, '\0');
  const auto count = posix::read_some(pipe->read.get(), message.data(), message.size());
  message.resize(count ? *count : 0);
  return outcome_of(message, *state);
}

}  // namespace lnk::modcheck
