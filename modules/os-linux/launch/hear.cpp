// SPDX-License-Identifier: Apache-2.0
//
// What the front hears of a sandbox that was launched: from the inner stage, and from bubblewrap where that ended early.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "inside/format.h"
#include "launch/launch.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"
#include "survey/bubblewrap.hpp"

namespace lnk::os_linux {
namespace {

std::string read_messages(const UniqueFd& messages) {
  constexpr std::size_t kMessagesMax = 2048;
  std::string text(kMessagesMax, '\0');
  const ssize_t got = posix::retry([&] { return ::read(messages.get(), text.data(), text.size()); });
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bubblewrap_words(text);
}

/// bubblewrap may reach less than the front: run by root, it is no more than any other user to files of others.
bool is_of_a_stream(const std::string& words, const StepNumbers& steps) {
  return std::any_of(steps.streams.begin(), steps.streams.end(),
                     [&](const std::string& name) { return words.find(name + ":") != std::string::npos; });
}

/// The step whose path bubblewrap names; the longest, since it names a mount by its whole path. 0: none.
std::uint32_t step_named_in(const std::string& words, const StepNumbers& steps) {
  std::size_t best = 0;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < steps.paths.size(); ++at) {
    const std::string& path = steps.paths[at];
    if (path.size() <= best || path.size() < 2 || words.find(path) == std::string::npos) continue;
    best = path.size();
    number = static_cast<std::uint32_t>(at) + 1;
  }
  return number;
}

/// The inside ended before it stood.
Failure ended_early(const RunningSandbox& sandbox) {
  const std::string said = read_messages(sandbox.messages);
  const std::string mend = mend_for(said, find_refusers());
  Error error{Code::Internal, "the wall could not be built: ", 0, step_named_in(said, sandbox.steps)};
  error.text += said.empty() ? "bubblewrap ended" : said;
  if (is_of_a_stream(said, sandbox.steps)) error.text += "; that is a file given as a stream; give it through a pipe";
  if (!mend.empty()) error.text += "; " + mend;
  return fail(std::move(error));
}

std::uint32_t plan_step(const RunningSandbox& sandbox, const lnk_inside_report& report) {
  const std::uint32_t inside_step = report.step;
  if (inside_step == LNK_INSIDE_MOUNT) return report.mount;
  if (inside_step == LNK_INSIDE_LANDLOCK) return sandbox.steps.landlock;
  if (inside_step == LNK_INSIDE_FILTER || inside_step == LNK_INSIDE_PRIVILEGES) return sandbox.steps.filter;
  return sandbox.steps.start;
}

std::string_view inside_words(std::uint32_t step) {
  switch (step) {
    case LNK_INSIDE_CONFIG:
      return "read what it is to do";
    case LNK_INSIDE_DESCRIPTORS:
      return "take its descriptors and close the others";
    case LNK_INSIDE_PRIVILEGES:
      return "give up gaining privileges";
    case LNK_INSIDE_FOLDER:
      return "enter the current folder, which the spec must grant";
    case LNK_INSIDE_LANDLOCK:
      return "hold itself to Landlock";
    case LNK_INSIDE_STREAM:
      return "open a file given as a stream again, on a mount that is read only; give it through a pipe";
    case LNK_INSIDE_MOUNT:
      return "find a mount where it was made; another program changed the folder meanwhile";
    case LNK_INSIDE_FILTER:
      return "install the system call filter";
    case LNK_INSIDE_TERMINAL_MADE:
      return "make a terminal of the sandbox's own; give the program pipes where that can't be mended";
    default:
      return "start";
  }
}

Failure inside_failed(const RunningSandbox& sandbox, const lnk_inside_report& report) {
  Error error{Code::Internal, {}, report.error, plan_step(sandbox, report)};
  error.text = "the first program inside could not " + std::string(inside_words(report.step)) + ": " +
               std::string(posix::errno_words(report.error));
  return fail(std::move(error));
}

struct Heard {
  lnk_inside_report report{};
  pid_t sender = -1;
  UniqueFd fd;  ///< that came with it
  bool is_end = false;
};

void take_control(const msghdr& message, Heard& heard) {
  msghdr walked = message;
  for (cmsghdr* header = CMSG_FIRSTHDR(&walked); header != nullptr; header = CMSG_NXTHDR(&walked, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_CREDENTIALS) {
      ucred sender{};
      std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
      heard.sender = sender.pid;
    }
    if (header->cmsg_type == SCM_RIGHTS) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
      heard.fd.reset(fd);
    }
  }
}

/// Room for one descriptor: the kernel gives no more than that, whoever sends.
Result<Heard> hear(const UniqueFd& control, int flags = 0) {
  Heard heard;
  iovec piece{&heard.report, sizeof heard.report};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred)) + CMSG_LEN(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const ssize_t got = posix::retry([&] { return ::recvmsg(control.get(), &message, MSG_CMSG_CLOEXEC | flags); });
  if (got < 0 && errno != ECONNRESET) return posix::os_fail(Code::Internal, "hear of the inside", {}, errno);
  heard.is_end = got <= 0;
  if (heard.is_end) return heard;
  take_control(message, heard);
  if (got != sizeof heard.report || heard.report.magic != LNK_INSIDE_MAGIC)
    return fail(Code::Internal, "the first program inside said something of no known form");
  return heard;
}

/// Takes what comes with a packet of this step. False: it is another, or the end.
bool take_handed(Heard& heard, std::uint32_t step, UniqueFd& into) {
  if (heard.is_end || heard.report.step != step || heard.report.error != 0 || !heard.fd.is_open()) return false;
  into = std::move(heard.fd);
  return true;
}

/// The next that is said, the listener of a watched sandbox left out, which goes to its watch.
Result<Heard> hear_beside_listener(RunningSandbox& sandbox) {
  LNK_TRY(Heard heard, hear(sandbox.control));
  if (heard.is_end || heard.report.step != LNK_INSIDE_LISTENER) return heard;
  if (heard.fd.is_open() != (heard.report.error == 0)) return fail(Code::Internal, "the inside handed over no listener");
  if (sandbox.watcher && heard.fd.is_open()) {
    LNK_CHECK(sandbox.watcher->take_listener(std::move(heard.fd)));
    LNK_CHECK(sandbox.watcher->wait_for(sandbox.control));
  } else if (sandbox.watcher) {
    sandbox.watcher->go_without_listener(heard.report.error);
  }
  return hear(sandbox.control);
}

/// What is said once the terminal and its leader are made, where they are asked for.
Result<Heard> hear_of_standing(RunningSandbox& sandbox, UniqueFd& terminal) {
  LNK_TRY(Heard heard, hear(sandbox.control));
  if (!sandbox.has_terminal || !take_handed(heard, LNK_INSIDE_TERMINAL_MADE, terminal)) return heard;
  LNK_TRY(heard, hear_beside_listener(sandbox));
  if (!take_handed(heard, LNK_INSIDE_LEADER, sandbox.leader)) return heard;
  return hear(sandbox.control);
}

Status send_word(const UniqueFd& socket, char word) {
  return posix::send_packet(socket.get(), {&word, 1});
}

}  // namespace

Result<Target> wait_until_it_stands(RunningSandbox& sandbox) {
  UniqueFd terminal;
  LNK_TRY(const Heard heard, hear_of_standing(sandbox, terminal));
  if (heard.is_end) return ended_early(sandbox);
  if (heard.report.step != LNK_INSIDE_STANDING) return inside_failed(sandbox, heard.report);
  if (sandbox.leader.is_open() != sandbox.has_terminal) return fail(Code::Internal, "the inside made no terminal");
  if (heard.sender <= 0) return fail(Code::Internal, "the kernel did not tell who stands inside");
  // It waits for our byte, so the number is its own.
  LNK_TRY(UniqueFd pidfd, posix::open_pidfd(heard.sender));
  sandbox.stands = true;
  return Target{heard.sender, std::move(pidfd), std::move(terminal), sandbox.leader.get()};
}

Error why_it_ended(const RunningSandbox& sandbox, Error otherwise) {
  if (!sandbox.control.is_open()) return otherwise;
  auto heard = hear(sandbox.control, MSG_DONTWAIT | MSG_PEEK);
  if (!heard) return otherwise;
  if (heard->is_end) return ended_early(sandbox).error;
  const bool has_failed = heard->report.step != LNK_INSIDE_STANDING && heard->report.error != 0;
  return has_failed ? inside_failed(sandbox, heard->report).error : otherwise;
}

Result<Outcome> let_go(RunningSandbox& sandbox) {
  if (!sandbox.stands) return fail(Code::Invalid, "go: the inside doesn't stand");
  sandbox.stands = false;
  LNK_CHECK(send_word(sandbox.control, LNK_INSIDE_GO));
  if (sandbox.watcher && sandbox.has_terminal) LNK_CHECK(sandbox.watcher->wait_for(sandbox.control));
  auto heard = hear_beside_listener(sandbox);
  sandbox.control.reset();
  sandbox.messages.reset();
  if (!heard) return fail(std::move(heard).error());
  // It closes its end by executing the target.
  if (heard->is_end) return Outcome{LNK_TARGET_RUNS, 0, {}};
  const lnk_inside_report& report = heard->report;
  if (report.step != LNK_INSIDE_EXECUTE) {
    const Failure failure = inside_failed(sandbox, report);
    return Outcome{LNK_TARGET_NOT_STARTED, report.error, failure.error.text};
  }
  const bool is_missing = report.error == ENOENT || report.error == ENOTDIR;
  return Outcome{is_missing ? std::uint32_t{LNK_TARGET_NOT_FOUND} : std::uint32_t{LNK_TARGET_CANT_RUN}, report.error,
                 std::string(posix::errno_words(report.error))};
}

Result<std::uint32_t> what_stopped_it(const RunningSandbox& sandbox) {
  if (!sandbox.leader.is_open()) return fail(Code::Invalid, "stopped: it has no terminal");
  auto heard = hear(sandbox.leader, MSG_DONTWAIT);
  if (!heard && heard.error().os_errno == EAGAIN) return std::uint32_t{0};
  if (!heard) return fail(std::move(heard).error());
  if (heard->is_end) return fail(Code::Gone, "the sandbox has ended");
  const auto signal = heard->report.error;
  const bool is_known = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
  // The target could have taken the leader's place, so this is read as anybody's words.
  if (heard->report.step != LNK_INSIDE_STOPPED || !is_known)
    return fail(Code::Internal, "the leader of the sandbox's terminal said something of no known form");
  return static_cast<std::uint32_t>(signal);
}

Status let_go_on(const RunningSandbox& sandbox, bool in_front) {
  if (!sandbox.leader.is_open()) return fail(Code::Invalid, "resume: it has no terminal");
  return send_word(sandbox.leader, in_front ? LNK_INSIDE_GO_ON_IN_FRONT : LNK_INSIDE_GO_ON_BEHIND);
}

}  // namespace lnk::os_linux
