// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "filter/compiled.hpp"
#include "inside/format.h"
#include "keeper/exec_list.h"
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
constexpr int kEndWaitMs = 5000;

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

Status open_channels(Parts& parts, const Plan& plan, const Launch& request) {
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
  LNK_TRY(parts.streams, copy_streams(given_streams(request, parts.nothing.get()), plan.programs.has_value()));
  return {};
}

std::vector<InsideRule> rules_of(const Plan& plan, const std::vector<Found>& found) {
  std::vector<InsideRule> rules;
  rules.reserve(plan.rules.size());
  if (plan.programs) {
    for (const ListedProgram& program : *plan.programs) rules.push_back({kExecute, program.path});
  }
  for (const LandlockRule& rule : plan.rules) {
    const Found what = found[rule.step];
    if (what == Found::Missing) continue;
    rules.push_back({rights_of(rule.rule, what == Found::File, plan.landlock, plan.programs.has_value()), rule.path});
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

bool is_watched(const Plan& plan, const Launch& request) {
  return plan.exec_watch.has_listener && (plan.programs || (request.watch & LNK_WATCH_EVERY_PROGRAM) != 0);
}

/// Where a listener was had when the machine was looked at, one may be refused now; the inside then takes the other.
void add_list_filters(InsideConfig& config, const Plan& plan, const Launch& request) {
  const ListFilter& sealed = plan.exec_watch.seals_memory ? kWatchedSealed : kWatchedRefused;
  config.waits_killable = plan.exec_watch.waits_killable;
  if (is_watched(plan, request)) config.watched = compiled_filter(plan.programs ? sealed : kWatchedOpen);
  if (plan.programs) config.unwatched = compiled_filter(kUnwatched);
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
                      request.terminal};
  add_list_filters(config, plan, request);
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

StepNumbers numbers_of(const Plan& plan, const std::array<Stream, 3>& streams) {
  StepNumbers numbers{plan.number_of(Op::Landlock), plan.number_of(Op::Filter), plan.number_of(Op::Start), {}, {}};
  for (const Stream& stream : streams) {
    if (stream.mounted.is_open()) numbers.streams.push_back("/proc/self/fd/" + std::to_string(stream.mounted.get()));
  }
  numbers.paths.reserve(plan.steps.size());
  for (const PlanStep& step : plan.steps) numbers.paths.push_back(step.path);
  return numbers;
}

/// Asked for at once, so that the net helper is ready when the inside is.
Status ask_for_servers(RunningSandbox& sandbox, const Plan& plan, const Launch& request, const std::vector<HeldProgram>& held) {
  if (plan.network == NetworkMode::Wire) {
    LNK_TRY(sandbox.doorway, ask_for_doorway(sandbox.keeper));
  }
  if (!is_watched(plan, request)) return {};
  const std::uint32_t all = (request.watch & LNK_WATCH_EVERY_PROGRAM) != 0 ? std::uint32_t{LNK_EXEC_REPORT_ALL} : 0U;
  const std::uint32_t any = plan.programs ? 0U : std::uint32_t{LNK_EXEC_ANY_RUNS};
  LNK_TRY(const std::string list, write_exec_list(held, all | any));
  LNK_TRY(sandbox.watcher, ExecWatcher::start(sandbox.keeper, list));
  return {};
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
  if ((request.watch & LNK_WATCH_EVERY_PROGRAM) != 0 && !plan.exec_watch.has_listener)
    return fail(Code::Unsupported, "this machine gives no seccomp listener, by which alone the programs that are started could be told");
  Parts parts;
  LNK_TRY(parts.bubblewrap, hold_bubblewrap(plan.bubblewrap.path));
  LNK_CHECK(check_machine(plan, parts.bubblewrap.identity));
  LNK_TRY(parts.bubblewrap.fd, above_streams(std::move(parts.bubblewrap.fd)));
  LNK_CHECK(open_channels(parts, plan, request));
  LNK_TRY(parts.arguments, make_arguments(plan, programs.inner_stage, parts.info.write.get()));
  LNK_TRY(const auto programs_held, hold_programs(plan));
  LNK_CHECK(write_files(parts, plan, request));
  RunningSandbox sandbox;
  sandbox.has_terminal = request.terminal != 0;
  sandbox.has_own_network = plan.network != NetworkMode::Direct;
  LNK_TRY(posix::ChildProcess keeper, posix::spawn(keeper_options(parts, programs)));
  sandbox.keeper = std::move(parts.keeper.first);
  sandbox.control = std::move(parts.control.first);
  sandbox.messages = std::move(parts.messages.read);
  parts.keeper.second.reset();
  if (auto asked = ask_for_servers(sandbox, plan, request, programs_held); !asked) {
    // At this end the keeper ends the sandbox; killed before it could, it would leave a child of bubblewrap's that waits for ever.
    sandbox.keeper.reset();
    (void)keeper.wait_for(kEndWaitMs);
    return fail(std::move(asked).error());
  }
  sandbox.steps = numbers_of(plan, parts.streams);  // once the sandbox is under way
  sandbox.pid = keeper.release();
  return sandbox;
}

}  // namespace lnk::os_linux
