// SPDX-License-Identifier: Apache-2.0
#include "launch/front.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include "launch/broker.hpp"
#include "launch/dot_files.hpp"
#include "launch/endpoint_sockets.hpp"
#include "launch/front_services.hpp"
#include "launch/gate_notices.hpp"
#include "launch/identity.hpp"
#include "launch/machine_mounts.hpp"
#include "launch/machine_sockets.hpp"
#include "launch/machine_state.hpp"
#include "launch/other_names.hpp"
#include "launch/program_watch.hpp"
#include "launch/replaced_names.hpp"
#include "launch/supervise.hpp"
#include "launch/terminal_job.hpp"
#include "launch/wire_process.hpp"
#include "lnk/posix/io.hpp"
#include "resolve/check.hpp"
#include "spec/shown.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

constexpr int kNotFound = 127;
constexpr int kCantRun = 126;
constexpr int kNotStarted = 125;
constexpr int kEndedByUs = 128 + SIGKILL;
constexpr std::string_view kOtherName =
    "has another name as well, a hard link, by which it can be written: look for that with find -samefile, and remove it";

/// The wire of a run, where its grants have one.
struct RunWire {
  Identity identity;
  WireProcess process;
  Broker::Rights rights;
};

Result<std::optional<RunWire>> start_wire(const RunRequest& request) {
  const auto& grants = request.snapshot.grants;
  if (grants.network != NetworkMode::Wire) return std::optional<RunWire>();
  LNK_CHECK(request.settings.make_folder("wire"));
  LNK_TRY(auto run, make_run(request.settings, request.snapshot));
  LNK_TRY(auto process, WireProcess::start(request.parts, grants, run.identity, run.wire));
  Broker::Rights rights;
  for (const auto& verb : run.wire.verbs) rights.emplace(verb.module.id, verb.rights);
  return std::optional<RunWire>(RunWire{std::move(run.identity), std::move(process), std::move(rights)});
}

Environment environment_for(const RunRequest& request, const std::optional<RunWire>& wire, const Placeholders& dot_files) {
  const Identity* identity = wire ? &wire->identity : nullptr;
  const auto own = own_environment();
  auto environment = request.environment == EnvironmentOf::Nothing ? environment_from_nothing(own, request.snapshot.grants, identity)
                                                                   : environment_of_harness(own, request.snapshot.grants, identity);
  // git status would want to write the index again, and say that it can't: git(1).
  const auto is_git = [](const std::string& place) { return place.ends_with("/.git"); };
  const auto& held = dot_files.standing();
  if (std::any_of(held.begin(), held.end(), is_git)) environment.emplace("GIT_OPTIONAL_LOCKS", "0");
  return environment;
}

/// Connects the wire with the inside, and waits until it takes calls.
Status join_wire(Wall& wall, WireProcess& wire, const Grants& grants) {
  for (const auto& listener : inside_listeners(grants)) {
    const std::uint32_t kind = listener.use == InsideUse::NameDatagrams ? LNK_SOCKET_DATAGRAM : LNK_SOCKET_STREAM;
    auto socket = wall.listen_inside(listener.ip, listener.port, kind);
    if (!socket)
      return fail(std::move(socket).error().within("the wire's socket inside, on port " + std::to_string(listener.port)));
    if (auto given = wire.give_listener(*socket, listener); !given) {
      // One that has ended by then said why before.
      auto why = wire.wait_ready();
      return fail((why ? std::move(given).error() : std::move(why).error()).within("the wire"));
    }
  }
  if (auto ready = wire.wait_ready(); !ready) return fail(std::move(ready).error().within("the wire"));
  return {};
}

/// A folder handed in as a stream would be a way out of the mounts: openat(2) and fchdir(2) start from it.
Status check_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    struct stat entry {};
    if (::fstat(fd, &entry) != 0) return fail(Code::Invalid, "stream " + std::to_string(fd) + " can't be looked at", errno);
    if (S_ISDIR(entry.st_mode) || S_ISBLK(entry.st_mode) || (::fcntl(fd, F_GETFL) & O_PATH) != 0)
      return fail(Code::Denied, "stream " + std::to_string(fd) +
                                    " is a folder or a disk, which would lead out of the sandbox; give it a file, a pipe or nothing");
  }
  return {};
}

/// What is kept takes no flags.
std::string how_to_grant(std::string_view flags, EnvironmentOf environment) {
  if (environment == EnvironmentOf::Harness) return "in the spec's [files], approve that, and wrap the command again";
  return "with " + std::string(flags) + " or the spec's [files]";
}

/// What the person reads when the target could not be run.
RunEnd not_run(std::uint32_t outcome, const Error& error, const RunRequest& request) {
  const auto& program = request.argv.front();
  struct stat entry {};
  const auto& path = request.snapshot.program.path;
  // execve(2) says of a missing interpreter what it says of a missing file.
  const bool is_there = program == request.snapshot.program.name && !path.empty() && ::stat(path.c_str(), &entry) == 0;
  switch (outcome) {
    case LNK_TARGET_NOT_FOUND:
      if (is_there && !is_open(path, request.snapshot.grants))
        return {kNotFound, host::quoted(program) + " is there, but the sandbox may not read it; grant it " +
                               how_to_grant("--read", request.environment)};
      if (is_there)
        return {kNotFound, host::quoted(program) + " is there, but it, the interpreter that its first line names, or its loader was not found in the sandbox: " + error.text};
      return {kNotFound, host::quoted(program) + " was not found in the sandbox: " + error.text};
    case LNK_TARGET_CANT_RUN: return {kCantRun, host::quoted(program) + " can't be run in the sandbox: " + error.text};
    default: return {kNotStarted, "nothing was run: " + error.text};
  }
}

void tell_words(WireProcess& wire, const RunRequest& request) {
  for (const auto& line : wire.take_words()) request.notice(shown(line));
}

std::vector<Watch> watches_of(WireProcess& wire, const RunRequest& request, GateNotices& notices, EndpointSockets& endpoints,
                              Broker& broker) {
  const auto ended = [&request]() -> Status {
    request.notice("the wire ended; the program goes on with no way out");
    return {};
  };
  const auto first_lookup = [&wire, &request]() -> Status {
    if (const auto started = wire.start_resolver(request.parts); !started)
      request.notice("no name can be looked up: " + started.error().text);
    return {};
  };
  const auto news = [&wire, &request, &notices, &endpoints, &broker]() -> Status {
    const auto told = wire.take_news();
    if (!told) return {};  // a wire that is gone is told of by its own watch
    if (told->request) broker.take(*told->request, told->attached);
    if (told->endpoint) static_cast<void>(endpoints.make(*told->endpoint));
    if (!told->gate.empty()) notices.tell(told->gate, request.snapshot.grants.name, request.notice);
    return {};
  };
  const auto words = [&wire, &request]() -> Status {
    tell_words(wire, request);
    return {};
  };
  return {{wire.words(), true, words}, {wire.pidfd(), false, ended}, {wire.first_lookup(), false, first_lookup}, {wire.news(), true, news}};
}

/// What is read only below a folder that is written: those mounts can fall away.
std::vector<std::string> names_that_may_be_replaced(const Snapshot& snapshot, const Placeholders& dot_files) {
  std::vector<std::string> names = dot_files.standing();
  for (const auto& place : snapshot.read_only) {
    const auto* nearest = nearest_grant(place, snapshot.grants.files);
    if (nearest != nullptr && nearest->access == Access::Write && nearest->target != place) names.push_back(place);
  }
  // A read inside a write, by which a person closes what isn't held of itself.
  for (const auto& file : snapshot.grants.files) {
    if (file.access != Access::Read || !posix::is_there(file.target)) continue;
    const auto* above = nearest_grant(std::filesystem::path(file.target).parent_path().native(), snapshot.grants.files);
    if (above != nullptr && above->access == Access::Write) names.push_back(file.target);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// What is quick may have linked what was put there elsewhere, before it was held; of a file the OS module looked already.
Status check_other_names(const std::string& path) {
  auto linked = with_another_name(path);
  if (!linked)
    return fail(Code::Denied, "the hard links below " + host::quoted(path) +
                                  ", which was replaced outside, can't be counted: " + linked.error().text);
  if (*linked)
    return fail(Code::Denied,
                host::quoted(path) + " was replaced outside, and " + host::quoted(**linked) + " " + std::string(kOtherName));
  return {};
}

/// Holds a name again that was replaced. A file that went is free, as one that never was; a folder that went, a
/// placeholder among them, leaves its name to the run, which could put another there.
Status hold_one_again(Wall& wall, ReplacedNames& names, ReplacedName name) {
  constexpr int kLooksMax = 64;  // saves that follow each other closely; more of them is somebody who races
  for (int look = 1;; ++look) {
    if (!name.is_there && name.was_folder)
      return fail(Code::Denied, host::quoted(name.path) + " was removed outside, and the program could put another there; start it again");
    if (!name.is_there) return {};
    auto held = wall.cover(name.path, name.device, name.inode);
    if (held) {
      names.held_again(name.path);
      return check_other_names(name.path);
    }
    const bool is_another = held.error().os_errno == ESTALE;  // once more by then, or nothing stands there
    if (!is_another || look == kLooksMax)
      return fail(std::move(held).error().within(host::quoted(name.path) + " was replaced outside and can't be held read only again"));
    name = names.look_again(name.path);
  }
}

Status hold_again(Wall& wall, ReplacedNames& names) {
  LNK_TRY(auto replaced, names.take());
  for (auto& name : replaced) LNK_CHECK(hold_one_again(wall, names, std::move(name)));
  return {};
}

/// A program may have ended before a replaced name was looked at: what it linked it, or another run, can write later.
std::string linked_meanwhile(ReplacedNames& names) {
  const auto left = names.left_open();
  if (!left) return "the program has ended, but " + left.error().text;
  std::string words;
  for (const auto& path : *left)
    if (const auto checked = check_other_names(path); !checked) words += (words.empty() ? "" : "\n") + checked.error().text;
  return words;
}

Result<int> watch_it_run(Wall& wall, Target& target, const HeldSignals& signals, const std::vector<Watch>& watches,
                         TerminalJob* job) {
  if (job != nullptr) LNK_CHECK(job->begin());
  return supervise(wall, target, signals, watches, job);
}

/// From the target's first step: whatever fails now, something ran.
RunEnd run_to_its_end(Wall& wall, Target& target, const HeldSignals& signals, const std::vector<Watch>& watches,
                      TerminalJob* job) {
  const auto code = watch_it_run(wall, target, signals, watches, job);
  if (code) return {*code, {}};
  // What failed may have failed because the program had just ended, which is then all there is to say.
  const auto end = wall.end();
  const bool was_seen_alive = code.error().code == Code::Denied;  // a name that could not be held is told in any case
  if (!end || *end == kEndedByUs || was_seen_alive) return {kEndedByUs, "the run was ended: " + code.error().text};
  if (job != nullptr) job->finish(signals);
  return {*end, {}};
}

/// Of a list: the files that it lets run, each by its own path.
std::set<std::string> files_that_run(const Snapshot& snapshot) {
  std::set<std::string> files(snapshot.loaders.begin(), snapshot.loaders.end());
  if (!snapshot.grants.commands) return files;
  files.insert(snapshot.program.path);
  for (const auto& program : *snapshot.grants.commands)
    if (!program.is_folder) files.insert(program.target);
  return files;
}

Result<RunEnd> run_in(Wall& wall, const RunRequest& request, const HeldSignals& signals, std::optional<RunWire>& wire,
                      Placeholders& dot_files, ReplacedNames& names, Terminal* terminal) {
  if (wire) LNK_CHECK(join_wire(wall, wire->process, request.snapshot.grants));
  LNK_TRY(auto target, wall.stand());
  LNK_CHECK(dot_files.bind_to_sandbox_of(target.pid));
  std::unique_ptr<TerminalJob> job;
  if (terminal != nullptr) {
    LNK_TRY(job, TerminalJob::make(wall, target, *terminal));
  }
  LNK_TRY(auto programs, ProgramWatch::start(wall, {request.snapshot.commands_at, files_that_run(request.snapshot),
                                                     request.every_program, request.notice}));
  Error error;
  if (const auto outcome = wall.go(error); outcome != LNK_TARGET_RUNS) {
    programs.finish(wall);  // the start itself may have been refused
    return not_run(outcome, error, request);
  }
  GateNotices notices;
  std::optional<EndpointSockets> endpoints;
  if (wire) endpoints.emplace(wall, wire->process, request.snapshot.grants);
  FrontServices services(wall, request, job.get());
  if (request.snapshot.grants.open_pages) LNK_CHECK(services.prepare_pages());
  Broker broker(wire ? wire->rights : Broker::Rights(), services,
                [&wire](const BrokerAnswer& answer) { wire->process.give_answer(answer); });
  auto watches = wire ? watches_of(wire->process, request, notices, *endpoints, broker) : std::vector<Watch>();
  watches.push_back({services.tools_fd(), true, [&services] { return services.look_at_tools(); }});
  watches.push_back({names.fd(), true, [&wall, &names] { return hold_again(wall, names); }});
  watches.push_back(programs.watch(wall));
  if (wire) {
    LNK_TRY(const int answers, services.watch_answers(wire->rights));
    watches.push_back({answers, true, [&services] { return services.look(); }});
  }
  watches.push_back({services.pages_fd(), true, [&services]() -> Status {
                       services.take_pages();
                       return {};
                     }});
  auto end = run_to_its_end(wall, target, signals, watches, job.get());
  if (wire) tell_words(wire->process, request);
  programs.finish(wall);
  end.watch_ended = programs.ended();
  if (end.words.empty()) end.words = linked_meanwhile(names);
  return end;
}

Result<Wall> build_wall(const Snapshot& snapshot, const OsModule& os, const Start& start, const Placeholders& dot_files) {
  LNK_TRY(const auto plan, WallPlan::make(os.builder, snapshot_to_plan(snapshot, dot_files.standing()), os.survey_json));
  return Wall::launch(os.builder, plan, start);
}

/// The machine may be another than the kept survey says: an update of bubblewrap, a filter around this start. It is
/// looked at once more; a granted place that is gone fails again with the same words.
Result<Wall> launch_wall(const RunRequest& request, const Snapshot& snapshot, OsModule& os, const Start& start,
                         const Placeholders& dot_files) {
  auto wall = build_wall(snapshot, os, start, dot_files);
  if (wall || wall.error().code != Code::Gone) return wall;
  LNK_CHECK(os.look_again(request.settings, *snapshot.find_module("os-linux")));
  return build_wall(snapshot, os, start, dot_files);
}

/// The sockets of this moment are no part of what was approved: they are closed for this run. Nothing where there are none.
Result<std::optional<Snapshot>> with_sockets_closed(const Snapshot& snapshot) {
  LNK_TRY(const auto sockets, machine_sockets(snapshot.grants));
  if (sockets.empty()) return std::optional<Snapshot>();
  std::optional<Snapshot> closed(snapshot);
  closed->closed.insert(closed->closed.end(), sockets.begin(), sockets.end());
  return closed;
}

/// The programs that a module starts lie in a folder of its name beside the modules' own.
Status check_programs_of(const ModuleUse& use) {
  const auto folder = std::filesystem::path(use.file).parent_path().parent_path() / use.id;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory) return {};
  if (error) return fail(Code::Gone, host::quoted(folder.native()) + " can't be read: " + error.message(), error.value());
  for (const auto& entry : entries) LNK_CHECK(check_trusted(entry.path()));
  return {};
}

}  // namespace

Status OsModule::look_again(const Settings& settings, const ModuleUse& use) {
  LNK_TRY(survey_json, builder.survey());
  return keep_machine_state(settings, use.file, {use.sha256, module.stamp(), survey_json});
}

Result<OsModule> OsModule::load(const Settings& settings, const ModuleUse& use) {
  LNK_CHECK(check_programs_of(use));
  LNK_TRY(auto state, load_machine_state(settings, use.file));
  LoadOptions options;
  options.sha256 = use.sha256;
  if (state.module_sha256 == use.sha256) options.stamp = state.module_stamp;
  LNK_TRY(auto module, Module::load(use.file, options));
  LNK_TRY(auto instance, Instance::create(module));
  OsModule os{std::move(module), std::move(instance), {}, std::move(state.survey_json)};
  LNK_TRY(os.builder, WallBuilder::of(os.instance));
  const bool is_known = options.stamp == os.module.stamp() && !os.survey_json.empty();
  if (!is_known) LNK_CHECK(os.look_again(settings, use));
  return os;
}

Status check_plan(const Settings& settings, const Snapshot& snapshot) {
  const auto* use = snapshot.find_module("os-linux");
  if (use == nullptr) return fail(Code::Unsupported, "there is no module for this system");
  LNK_TRY(const auto os, OsModule::load(settings, *use));
  const auto plan = WallPlan::make(os.builder, snapshot_to_plan(snapshot, {}), os.survey_json);
  return plan ? Status() : fail(plan.error());
}

Status check_start(std::string_view cwd, const Grants& grants, EnvironmentOf environment) {
  if (may_start_in(cwd, grants)) return {};
  return fail(Code::Denied, "the current folder " + host::quoted(cwd) + " is not granted; go to a folder that is, or grant it " +
                                how_to_grant("--read, --write", environment));
}

Result<RunEnd> run_snapshot(const RunRequest& asked) {
  RunRequest request = asked;
  LNK_CHECK(check_start(request.cwd, request.snapshot.grants, request.environment));
  LNK_CHECK(check_streams());
  LNK_TRY(const auto terminal, Terminal::of_streams());
  if (terminal)
    request.notice = [&](std::string_view words) {
      terminal->with_line_ends([&asked, line = std::string(words)] { asked.notice(line); });
    };
  LNK_CHECK(check_machine_mounts(request.snapshot.grants.files));
  const auto* use = request.snapshot.find_module("os-linux");
  if (use == nullptr) return fail(Code::Invalid, "the snapshot names no module for this system");
  // Before the wall, so that it goes after it; and before signals are held, since the look at a folder may take long.
  LNK_TRY(auto dot_files, hold_dot_files(request.settings, request.snapshot.grants));
  LNK_TRY(const auto signals, HeldSignals::hold());
  // The wire takes longest to be ready, so it starts first; all that it waits for is the socket inside.
  LNK_TRY(auto wire, start_wire(request));
  LNK_TRY(auto os, OsModule::load(request.settings, *use));
  Start start;
  start.argv = request.argv;
  start.env = as_assignments(environment_for(request, wire, dot_files));
  start.cwd = request.cwd;
  if (terminal) start.terminal = terminal_to_ask_for(*terminal);
  if (request.every_program) start.watch = LNK_WATCH_EVERY_PROGRAM;
  // Before anything is pinned, so that no replacement is missed.
  LNK_TRY(auto names, ReplacedNames::watch(names_that_may_be_replaced(request.snapshot, dot_files)));
  LNK_TRY(const auto closed, with_sockets_closed(request.snapshot));
  LNK_TRY(auto wall, launch_wall(request, closed ? *closed : request.snapshot, os, start, dot_files));
  return run_in(wall, request, signals, wire, dot_files, names, terminal.get());
}

}  // namespace lnk::host
