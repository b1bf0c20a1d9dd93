// SPDX-License-Identifier: Apache-2.0
#include "asking/dialog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "asking/screen.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 2> kPrograms = {"/usr/bin/zenity", "/usr/local/bin/zenity"};
constexpr int kSaidYes = 0;
constexpr int kSaidNo = 1;

/// What a child is started with, made before the fork.
struct Command {
  std::string program;
  std::vector<std::string> words;
  std::vector<std::string> environment;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (auto& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

[[noreturn]] void become(const char* program, char** words, char** environment, std::array<int, 2> streams,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it was killed before that
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  if (::dup2(streams[0], 0) < 0 || ::dup2(streams[1], 1) < 0 || ::dup2(streams[1], 2) < 0) ::_exit(127);
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) != 0) ::_exit(127);
  ::execve(program, words, environment);
  ::_exit(127);
}

/// As posix::spawn, but it ends with this process, however that goes: prctl(2), PR_SET_PDEATHSIG.
Result<posix::ChildProcess> start(Command command, int input) {
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  const auto words = pointers(command.words);
  const auto environment = pointers(command.environment);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return posix::os_fail(Code::Limit, "fork", {}, errno);
  if (pid == 0)
    become(command.program.c_str(), const_cast<char**>(words.data()), const_cast<char**>(environment.data()),
           {input, nothing.get()}, parent);
  auto pidfd = posix::open_pidfd(pid);
  if (pidfd) return posix::ChildProcess(pid, std::move(*pidfd));
  ::kill(pid, SIGKILL);
  static_cast<void>(posix::retry([&] { return ::waitpid(pid, nullptr, 0); }));
  return fail(std::move(pidfd).error());
}

}  // namespace

Result<Dialog> Dialog::open(const std::vector<std::string>& lines) {
  if (!has_screen()) return fail(Code::Unsupported, "there is no screen");
  auto program = trusted_program(kPrograms);
  if (program.empty()) return fail(Code::Unsupported, "there is no zenity of the machine's own or the person's");
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  LNK_TRY(auto file, posix::make_sealed_file("question", text));
  Command command{program,
                  {"zenity", "--text-info", "--title=lnk-sandbox", "--width=720", "--height=440", "--font=Monospace 10",
                   "--checkbox=I have read this: do it, this once", "--ok-label=Yes", "--cancel-label=No"},
                  screen_environment()};
  LNK_TRY(auto process, start(std::move(command), file.get()));
  return Dialog(std::move(process), std::move(file), text.size());
}

Dialog::State Dialog::look(Time now) {
  // It reads its text once it is in its loop, in which its window is made.
  const bool is_read = ::lseek(text_.get(), 0, SEEK_CUR) >= static_cast<off_t>(size_);
  const bool was_shown = shown_at_.has_value();
  if (is_read && !was_shown) shown_at_ = now;
  pollfd ended{process_.pidfd(), POLLIN, 0};
  if (posix::retry([&] { return ::poll(&ended, 1, 0); }) <= 0) return State::Open;
  const auto end = process_.wait();
  if (!end || end->by_signal || (end->code != kSaidYes && end->code != kSaidNo) || !is_read) return State::NotShown;
  if (!was_shown || now - *shown_at_ < kDeadAfterShown) return State::TooSoon;
  return end->code == kSaidYes ? State::Yes : State::No;
}

}  // namespace lnk::host
