// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "filter/compiled.hpp"
#include "inside/format.h"
#include "keeper/format.h"
#include "launch/arguments.hpp"
#include "launch/doorway.hpp"
#include "launch/inside_config.hpp"
#include "launch/streams.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"
#include "survey/bubblewrap.hpp"
#include "survey/landlock.hpp"

namespace lnk::os_linux {
namespace {

// What stands at the first numbers is the child's own: its streams, or closed.
constexpr int kFirstFreeFd = 3;

Result<UniqueFd> above_streams(UniqueFd fd) {
  if (fd.get() >= kFirstFreeFd) return fd;
  UniqueFd up(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFreeFd));
  if (!up.is_open()) return posix::os_fail(Code::Limit, "duplicate a descriptor", {}, errno);
  return up;
}

/// The survey may be of an earlier hour, or made under another filter than this start's.
Status check_machine(const Plan& plan, const FileIdentity& identity) {
  if (plan.uid != ::geteuid()) return fail(Code::Gone, "the machine was looked at by another user; look again");
  if (plan.bubblewrap.identity != identity)
    return fail(Code::Gone, plan.bubblewrap.path + ": is another file than was tried; look at the machine again");
  const std::uint32_t reported = reported_landlock().level;
  // One that says a level and refuses all of it had none when it was looked at either.
  const bool has_more = plan.landlock.level == 0 && reported > 1 && usable_landlock().level > 0;
  if (reported < plan.landlock.level || has_more) {
    return fail(Code::Gone, "Landlock is at level " + std::to_string(reported) + " now, and was used at " +
                                std::to_string(plan.landlock.level) + "; look at the machine again");
  }
  return {};
}

/// Everything that a launch opens, until it is handed to the keeper.
struct Parts {
  HeldBubblewrap bubblewrap;
  std::pair<UniqueFd, UniqueFd> keeper;   // ours, the keeper's
  std::pair<UniqueFd, UniqueFd> control;  // ours, the inner stage's
  posix::Pipe info;
  posix::Pipe messages;
  UniqueFd nothing;
  std::array<Stream, 3> streams;
  Arguments arguments;
  UniqueFd options;
  UniqueFd config;
  UniqueFd filter;
};

Status hear_senders(int socket) {
  const int on = 1;
  if (::setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0) return {};
  return posix::os_fail(Code::Internal, "set SO_PASSCRED", {}, errno);
}

/// A terminal is not handed in at all: the inner stage puts one of the sandbox's own where nothing is given.
std::array<int, 3> given_streams(const Launch& request, int nothing) {
  std::array<int, 3> given = request.stdio;
  for (std::size_t i = 0; i < given.size(); ++i)
    if ((request.terminal & (std::uint32_t{LNK_TERMINAL_STDIN} << i)) != 0) given[i] = nothing;
  return given;
}

Status open_channels(Parts& parts, const Launch& request) {
  LNK_TRY(parts.keeper, posix::make_packet_pair());
  LNK_TRY(parts.control, posix::make_packet_pair());
  LNK_TRY(parts.keeper.second, above_streams(std::move(parts.keeper.second)));
  LNK_TRY(parts.control.second, above_streams(std::move(parts.control.second)));
  LNK_CHECK(hear_senders(parts.control.first.get()));
  LNK_TRY(parts.info, posix::make_pipe());
  LNK_TRY(parts.info.read, above_streams(std::move(parts.info.read)));
  LNK_TRY(parts.info.write, above_streams(std::move(parts.info.write)));
  LNK_TRY(parts.messages, posix::make_pipe());
  LNK_TRY(parts.nothing, posix::open_file("/dev/null", O_RDWR));
  LNK_TRY(parts.streams, copy_streams(given_streams(request, parts.nothing.get())));
  return {};
}

std::vector<InsideRule> rules_of(const Plan& plan, const std::vector<Found>& found) {
  std::vector<InsideRule> rules;
  rules.reserve(plan.rules.size());
  for (const LandlockRule& rule : plan.rules) {
    const Found what = found[rule.step];
    if (what == Found::Missing) continue;
    rules.push_back({rights_of(rule.rule, what == Found::File, plan.landlock), rule.path});
  }
  return rules;
}

std::vector<InsideCheck> checks_of(const Plan& plan, const std::vector<MountCheck>& checks) {
  std::vector<InsideCheck> out;
  out.reserve(checks.size());
  for (const MountCheck& check : checks) {
    std::uint32_t flags = 0;
    if (check.is_read_only) flags |= LNK_INSIDE_CHECK_READ_ONLY;
    if (check.has_identity) flags |= LNK_INSIDE_CHECK_IDENTITY;
    out.push_back(
        {flags, static_cast<std::uint32_t>(check.step) + 1, check.device, check.inode, plan.steps[check.step].path});
  }
  return out;
}

Status write_files(Parts& parts, const Plan& plan, const Launch& request) {
  const bool on_first_too = plan.landlock.level == 0;
  InsideConfig config{request.cwd,
                      request.argv,
                      request.env,
                      {},
                      plan.landlock,
                      rules_of(plan, parts.arguments.found),
                      checks_of(plan, parts.arguments.checks),
                      compiled_filter(),
                      on_first_too,
                      {},
                      0};
  config.terminal = request.terminal;
  for (std::size_t i = 0; i < parts.streams.size(); ++i) {
    config.stdio[i] = parts.streams[i].fd.get();
    config.is_reopened[i] = parts.streams[i].mounted.is_open();
  }
  // After the plan's own mounts: what is below /run/.lnk is nobody's but ours.
  parts.arguments.options += stream_options(parts.streams);
  LNK_TRY(const std::string bytes, write_inside_config(config));
  LNK_TRY(parts.config, posix::make_sealed_file("lnk-inside", bytes));
  LNK_TRY(parts.config, above_streams(std::move(parts.config)));
  if (on_first_too) {
    // bubblewrap's pid 1 is of the target's user. Where no Landlock domain keeps them apart it gets the filter as well,
    // so that nothing is gained by it.
    const auto filter = compiled_filter();
    LNK_TRY(parts.filter,
            posix::make_sealed_file("lnk-filter", {reinterpret_cast<const char*>(filter.data()), filter.size_bytes()}));
    LNK_TRY(parts.filter, above_streams(std::move(parts.filter)));
    const std::string number = std::to_string(parts.filter.get());
    parts.arguments.options += std::string("--seccomp") + '\0' + number + '\0';
  }
  LNK_TRY(parts.options, posix::make_sealed_file("lnk-options", parts.arguments.options));
  LNK_TRY(parts.options, above_streams(std::move(parts.options)));
  return {};
}

posix::SpawnOptions keeper_options(const Parts& parts, const Programs& programs) {
  posix::SpawnOptions options;
  const auto number = [](const UniqueFd& fd) { return std::to_string(fd.get()); };
  options.program = programs.keeper;
  // Nothing of the sandbox shows here, nor in bubblewrap's own line: its options come from a descriptor.
  options.argv = {"lnk-keeper",
                  number(parts.keeper.second),
                  number(parts.bubblewrap.fd),
                  number(parts.info.read),
                  "bwrap",
                  "--args",
                  number(parts.options),
                  "--",
                  LNK_INSIDE_PATH,
                  number(parts.control.second),
                  number(parts.config)};
  options.new_session = true;
  // bubblewrap, its pid 1 and the keeper hold none of the target's streams, so that an end of file means the target's.
  options.fds = {{parts.nothing.get(), 0}, {parts.nothing.get(), 1}, {parts.messages.write.get(), 2}};
  const auto give = [&](const UniqueFd& fd) {
    if (fd.is_open()) options.fds.push_back({fd.get(), fd.get()});
  };
  for (const UniqueFd* fd : {&parts.keeper.second, &parts.bubblewrap.fd, &parts.info.read, &parts.info.write,
                             &parts.control.second, &parts.options, &parts.config, &parts.filter})
    give(*fd);
  for (const Stream& stream : parts.streams) {
    give(stream.fd);
    give(stream.mounted);
  }
  for (const UniqueFd& fd : parts.arguments.held) give(fd);
  return options;
}

std::string read_messages(const UniqueFd& messages) {
  constexpr std::size_t kMessagesMax = 2048;
  std::string text(kMessagesMax, '\0');
  const ssize_t got = posix::retry([&] { return ::read(messages.get(), text.data(), text.size()); });
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bubblewrap_words(text);
}

StepNumbers numbers_of(const Plan& plan, const std::array<Stream, 3>& streams) {
  StepNumbers numbers{plan.number_of(Op::Landlock), plan.number_of(Op::Filter), plan.number_of(Op::Start), {}, {}};
  for (const Stream& stream : streams) {
    if (stream.mounted.is_open()) numbers.streams.push_back("/proc/self/fd/" + std::to_string(stream.mounted.get()));
  }
  numbers.paths.reserve(plan.steps.size());
  for (const PlanStep& step : plan.steps) numbers.paths.push_back(step.path);
  return numbers;
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

/// What is said once the terminal is made, where one is asked for.
Result<Heard> hear_of_standing(const RunningSandbox& sandbox, UniqueFd& terminal) {
  LNK_TRY(Heard heard, hear(sandbox.control));
  const bool is_made = heard.report.step == LNK_INSIDE_TERMINAL_MADE && heard.report.error == 0 && heard.fd.is_open();
  if (heard.is_end || !sandbox.has_terminal || !is_made) return heard;
  terminal = std::move(heard.fd);
  return hear(sandbox.control);
}

}  // namespace

Result<Programs> find_programs() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&find_programs), &info) == 0 || info.dli_fname == nullptr)
    return fail(Code::Internal, "the module's own file isn't known");
  // With links followed: what is started and bound is pinned without following any.
  std::array<char, PATH_MAX> real{};
  if (::realpath(info.dli_fname, real.data()) == nullptr)
    return posix::os_fail(Code::Internal, "find the module's folder", info.dli_fname, errno);
  std::string folder(real.data());
  folder.resize(folder.rfind('/'));
  folder.resize(folder.rfind('/'));
  return Programs{folder + "/os-linux/inner-stage", folder + "/os-linux/keeper"};
}

Result<RunningSandbox> launch(const Plan& plan, const Launch& request, const Programs& programs) {
  Parts parts;
  LNK_TRY(parts.bubblewrap, hold_bubblewrap(plan.bubblewrap.path));
  LNK_CHECK(check_machine(plan, parts.bubblewrap.identity));
  LNK_TRY(parts.bubblewrap.fd, above_streams(std::move(parts.bubblewrap.fd)));
  LNK_CHECK(open_channels(parts, request));
  LNK_TRY(parts.arguments, make_arguments(plan, programs.inner_stage, parts.info.write.get()));
  LNK_CHECK(write_files(parts, plan, request));
  RunningSandbox sandbox;
  sandbox.steps = numbers_of(plan, parts.streams);
  sandbox.has_terminal = request.terminal != 0;
  sandbox.has_own_network = plan.network != NetworkMode::Direct;
  LNK_TRY(posix::ChildProcess keeper, posix::spawn(keeper_options(parts, programs)));
  sandbox.keeper = std::move(parts.keeper.first);
  sandbox.control = std::move(parts.control.first);
  sandbox.messages = std::move(parts.messages.read);
  // Asked for at once, so that the net helper is ready when the inside is.
  if (plan.network == NetworkMode::Wire) {
    LNK_TRY(sandbox.doorway, ask_for_doorway(sandbox.keeper));
  }
  sandbox.pid = keeper.release();
  return sandbox;
}

Result<Target> wait_until_it_stands(RunningSandbox& sandbox) {
  UniqueFd terminal;
  LNK_TRY(const Heard heard, hear_of_standing(sandbox, terminal));
  if (heard.is_end) return ended_early(sandbox);
  if (heard.report.step != LNK_INSIDE_STANDING) return inside_failed(sandbox, heard.report);
  if (terminal.is_open() != sandbox.has_terminal) return fail(Code::Internal, "the inside made no terminal");
  if (heard.sender <= 0) return fail(Code::Internal, "the kernel did not tell who stands inside");
  // It waits for our byte, so the number is its own.
  LNK_TRY(UniqueFd pidfd, posix::open_pidfd(heard.sender));
  sandbox.stands = true;
  return Target{heard.sender, std::move(pidfd), std::move(terminal), sandbox.has_terminal ? sandbox.control.get() : -1};
}

Error why_it_ended(const RunningSandbox& sandbox, Error otherwise) {
  if (!sandbox.control.is_open()) return otherwise;
  auto heard = hear(sandbox.control, MSG_DONTWAIT | MSG_PEEK);
  if (!heard) return otherwise;
  if (heard->is_end) return ended_early(sandbox).error;
  const bool has_failed = heard->report.step != LNK_INSIDE_STANDING && heard->report.error != 0;
  return has_failed ? inside_failed(sandbox, heard->report).error : otherwise;
}

namespace {

Status send_word(const RunningSandbox& sandbox, char word) {
  return posix::send_packet(sandbox.control.get(), {&word, 1});
}

}  // namespace

Result<Outcome> let_go(RunningSandbox& sandbox) {
  if (!sandbox.stands) return fail(Code::Invalid, "go: the inside doesn't stand");
  sandbox.stands = false;
  LNK_CHECK(send_word(sandbox, LNK_INSIDE_GO));
  auto heard = hear(sandbox.control);
  // With a terminal the leader of its session still has things to tell.
  if (!sandbox.has_terminal) sandbox.control.reset();
  sandbox.messages.reset();
  if (!heard) return fail(std::move(heard).error());
  if (heard->is_end || (sandbox.has_terminal && heard->report.step == LNK_INSIDE_RUNS))
    return Outcome{LNK_TARGET_RUNS, 0, {}};
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
  if (!sandbox.has_terminal || !sandbox.control.is_open()) return fail(Code::Invalid, "stopped: it has no terminal");
  auto heard = hear(sandbox.control, MSG_DONTWAIT);
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
  if (!sandbox.has_terminal || !sandbox.control.is_open()) return fail(Code::Invalid, "resume: it has no terminal");
  return send_word(sandbox, in_front ? LNK_INSIDE_GO_ON_IN_FRONT : LNK_INSIDE_GO_ON_BEHIND);
}

}  // namespace lnk::os_linux
