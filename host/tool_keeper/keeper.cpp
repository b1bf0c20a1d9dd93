// SPDX-License-Identifier: Apache-2.0
#include "tool_keeper/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"
#include "tool_keeper/children.hpp"
#include "tool_keeper/log.hpp"
#include "tool_keeper/packet.hpp"

namespace lnk::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kErrorsAtOnce = 16384;
constexpr int kLastPiecesMax = 64;
constexpr int kLookAgainMs = 20;  // a child that was killed ends at once, unless the kernel holds it

[[noreturn]] void say_why_and_leave(int report) noexcept {
  const int why = errno;
  const auto written = ::write(report, &why, sizeof why);
  ::_exit(written == static_cast<ssize_t>(sizeof why) ? 127 : 126);
}

/// In the child, between fork and exec: raw calls alone.
[[noreturn]] void become_tool(const KeptTool& tool, int errors, int report, pid_t keeper) noexcept {
  sigset_t none;
  ::sigemptyset(&none);
  // With the keeper, killed by KILL: it is cleared where a program changes its user (prctl(2)).
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != keeper) say_why_and_leave(report);
  if (::setsid() < 0 || ::chdir(tool.folder.c_str()) != 0) say_why_and_leave(report);
  if (::dup2(tool.stream.get(), 0) < 0 || ::dup2(tool.stream.get(), 1) < 0 || ::dup2(errors, 2) < 0)
    say_why_and_leave(report);
  // All else is closed as the program is executed.
  if (::sigprocmask(SIG_SETMASK, &none, nullptr) != 0) say_why_and_leave(report);
  ::execve(tool.argv[0], tool.argv, tool.env);
  say_why_and_leave(report);
}

class Keeper {
 public:
  explicit Keeper(KeptTool tool) : tool_(std::move(tool)), log_(std::move(tool_.log)) {}

  Status start() {
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return posix::os_fail(Code::Internal, "become a reaper", {}, errno);
    sigset_t held;
    ::sigemptyset(&held);
    // What would end the keeper ends the tool first.
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::sigaddset(&held, signal);
    if (::sigprocmask(SIG_SETMASK, &held, nullptr) != 0)
      return posix::os_fail(Code::Internal, "hold signals", {}, errno);
    signals_ = UniqueFd(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_.is_open()) return posix::os_fail(Code::Limit, "signalfd", {}, errno);
    LNK_TRY(auto errors, posix::make_pipe());
    LNK_TRY(auto report, posix::make_pipe());
    const pid_t keeper = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) return posix::os_fail(Code::Limit, "fork", {}, errno);
    if (pid_ == 0) become_tool(tool_, errors.write.get(), report.write.get(), keeper);
    errors.write.reset();
    report.write.reset();
    tool_.stream.reset();  // so that who has the other end sees the tool's end, and the tool the other's
    errors_ = std::move(errors.read);
    if (::fcntl(errors_.get(), F_SETFL, O_NONBLOCK) != 0) return posix::os_fail(Code::Internal, "fcntl", {}, errno);
    int why = 0;
    // Its end without a word: the program was executed.
    const auto told = posix::retry([&] { return ::read(report.read.get(), &why, sizeof why); });
    if (told != static_cast<ssize_t>(sizeof why)) {
      static_cast<void>(say({KeeperWord::Started, 0}));  // a front that is gone by now is seen by its socket
      return {};
    }
    log_.append("lnk-sandbox: " + std::string(tool_.argv[0]) +
                " can't be started: " + std::string(posix::errno_words(why)) + "\n");
    static_cast<void>(say({KeeperWord::NotStarted, why}));
    return fail(Code::Gone, "it can't be started", why);
  }

  /// Until nothing is left.
  void run() {
    while (!is_over()) {
      std::array<pollfd, 3> watched = {pollfd{signals_.get(), POLLIN, 0}, pollfd{tool_.control.get(), POLLIN, 0},
                                       pollfd{errors_.get(), POLLIN, 0}};
      if (posix::retry([&] { return ::poll(watched.data(), watched.size(), wait_ms()); }) < 0) break;
      if (watched[2].revents != 0) static_cast<void>(copy_errors());
      if (watched[0].revents != 0) take_signals();
      if (watched[1].revents != 0) take_control();
      go_on_ending();
    }
    // What it said last: those that wrote are gone, and a pipe holds 1 MiB at the most (pipe(7)).
    for (int pieces = 0; errors_.is_open() && pieces < kLastPiecesMax; ++pieces)
      if (!copy_errors()) break;
    static_cast<void>(say({KeeperWord::Ended, code_.value_or(128 + SIGKILL)}));
  }

 private:
  enum class Stage { Runs, InputEnded, ToldToEnd, Killed };

  [[nodiscard]] Status say(const KeeperPacket& packet) const {
    return posix::send_packet(tool_.control.get(), bytes_of(packet));
  }

  [[nodiscard]] bool is_over() const noexcept {
    return left_ == Left::None || (stage_ == Stage::Killed && Clock::now() >= until_);
  }

  [[nodiscard]] int wait_ms() const noexcept {
    if (stage_ == Stage::Runs) return -1;
    if (stage_ == Stage::Killed) return kLookAgainMs;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
  }

  /// False where there is nothing now.
  bool copy_errors() {
    std::array<char, kErrorsAtOnce> bytes;
    // A tool that never stops talking doesn't keep the keeper from its end: one piece a look.
    const auto got = posix::read_some(errors_.get(), bytes.data(), bytes.size());
    if (got && *got > 0) {
      log_.append({bytes.data(), *got});
      return true;
    }
    if (got || got.error().code != Code::Again) errors_.reset();
    return false;
  }

  void take_signals() {
    signalfd_siginfo seen{};
    while (::read(signals_.get(), &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen))
      if (seen.ssi_signo != static_cast<std::uint32_t>(SIGCHLD)) end_with_run();
    while (const auto reaped = reap_one(left_))
      if (reaped->pid == pid_) code_ = reaped->code;
    // What a server left behind serves nobody.
    if (code_ && stage_ != Stage::Killed) kill_all();
  }

  void take_control() {
    const auto packet = posix::receive_packet(tool_.control.get(), sizeof(KeeperPacket));
    KeeperPacket told;
    if (packet && !packet->is_end && read_packet(packet->bytes, told) && told.word == KeeperWord::Stop)
      return end_input();
    tool_.control.reset();
    end_with_run();
  }

  void enter(Stage stage, int ms) noexcept {
    stage_ = stage;
    until_ = Clock::now() + std::chrono::milliseconds(ms);
  }

  void end_input() noexcept {
    if (stage_ == Stage::Runs) enter(Stage::InputEnded, kToolInputEndMs);
  }

  /// Its own session is a group of its number, which is its own until it was waited for.
  void tell_to_end(int ms) noexcept {
    if (!code_) static_cast<void>(::kill(-pid_, SIGTERM));
    enter(Stage::ToldToEnd, ms);
  }

  void end_with_run() noexcept {
    end_input();
    if (stage_ == Stage::InputEnded) tell_to_end(kToolRunEndMs);
  }

  void kill_all() noexcept {
    kill_children();
    if (stage_ != Stage::Killed) enter(Stage::Killed, kToolKillMs);
  }

  void go_on_ending() noexcept {
    if (left_ == Left::None) return;
    if (stage_ == Stage::Killed) return kill_children();
    if (stage_ == Stage::Runs || Clock::now() < until_) return;
    if (stage_ == Stage::InputEnded) return tell_to_end(kToolTermMs);
    kill_all();
  }

  KeptTool tool_;
  ToolLog log_;
  UniqueFd signals_;
  UniqueFd errors_;
  pid_t pid_ = -1;
  std::optional<int> code_;
  Left left_ = Left::Some;
  Stage stage_ = Stage::Runs;
  Clock::time_point until_{};
};

}  // namespace

Status keep(KeptTool tool) {
  Keeper keeper(std::move(tool));
  LNK_CHECK(keeper.start());
  keeper.run();
  return {};
}

}  // namespace lnk::host
