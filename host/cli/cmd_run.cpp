// SPDX-License-Identifier: Apache-2.0
//
// run, wrap, launch and learn: the ways to a sandboxed program.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "approval/approval.hpp"
#include "cli/commands.hpp"
#include "cli/given_rules.hpp"
#include "cli/grant_words.hpp"
#include "cli/model_words.hpp"
#include "cli/prepare.hpp"
#include "cli/say.hpp"
#include "launch/front.hpp"
#include "launch/learned.hpp"
#include "lnk/posix/io.hpp"
#include "resolve/programs.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kAnswerBytesMax = 64;

RunRequest request_of(const Context& context, const Snapshot& snapshot, std::vector<std::string> argv, std::string cwd, EnvironmentOf environment) {
  return {snapshot, context.settings, context.parts, std::move(argv), std::move(cwd), environment, [](std::string_view words) { say(words); }};
}

int start(const RunRequest& request) {
  const auto end = run_snapshot(request);
  if (!end) return say_refused(end.error());
  if (!end->words.empty()) say(end->words);
  return end->code;
}

/// One line from the person's terminal; nothing where there is no terminal to ask on.
Result<std::string> ask_on_terminal(std::string_view question) {
  LNK_TRY(const auto terminal, posix::open_file("/dev/tty", O_RDWR | O_NOCTTY));
  LNK_CHECK(posix::write_all(terminal.get(), question));
  char line[kAnswerBytesMax];
  LNK_TRY(const auto size, posix::read_some(terminal.get(), line, sizeof(line)));
  return std::string(line, size);
}

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text += "'";
}

/// Why grants that were approved once may be asked about again, where it is the name.
std::string whose_name(const Context& context, const Prepared& prepared) {
  const auto bound = other_spec_of_name(context, prepared);
  if (!bound || !*bound) return {};
  return "\nthe name " + host::quoted(prepared.asked.name) + " belongs to " + host::quoted(**bound) +
         "; a line name = \"…\" gives this spec one of its own";
}

std::string how_to_approve(const Prepared& prepared) {
  const auto spec = shell_quoted(shown(prepared.spec_shown));
  return "trying again won't help before a person approves it; look at it with: lnk-sandbox describe --spec " + spec + "\nand approve it with: lnk-sandbox approve --spec " + spec;
}

/// What a spec that was approved opens now and didn't then, for the middle of a sentence; empty: it never was.
Result<std::string> what_changed(const Context& context, const Prepared& prepared) {
  LNK_TRY(const auto changes, changes_since_approval(context, prepared));
  return changes ? " since it changed:\n" + changes->text("    ") + "    (all else is as it was approved)" : std::string();
}

/// Where nobody is asked.
Failure not_approved(const Context& context, const Prepared& prepared) {
  auto changed = what_changed(context, prepared);
  if (!changed) return fail(std::move(changed).error());
  return fail(Code::Denied, "not-approved: " + host::quoted(prepared.spec_shown) + " has not been approved" + *changed + "\n" +
                                how_to_approve(prepared) + whose_name(context, prepared));
}

/// Asks about a spec's grants that were not approved before. True: go on.
Result<bool> ask(const Context& context, const Prepared& prepared) {
  LNK_TRY(const auto changed, what_changed(context, prepared));
  std::string question = "\nlnk-sandbox: " + host::quoted(prepared.spec_shown) + " has not been approved" + changed + ". The sandbox " +
                         host::quoted(prepared.asked.name) + "\n";
  for (const auto& line : in_words(prepared)) question += "    " + line + "\n";
  if (const auto whose = whose_name(context, prepared); !whose.empty()) question += whose.substr(1) + "\n";
  question += "Start it, and remember this? [y/N] ";
  const auto answer = ask_on_terminal(question);
  if (!answer) return fail(Code::Denied, host::quoted(prepared.spec_shown) + " has not been approved" + changed + ", and there is no terminal to ask on\n" +
                                             how_to_approve(prepared) + whose_name(context, prepared));
  if (*answer != "y\n" && *answer != "yes\n") return false;
  LNK_CHECK(approve(context.settings, prepared.asked, prepared.spec_path));
  return true;
}

Result<bool> settle_approval(const Context& context, const Prepared& prepared, bool yes) {
  if (prepared.spec_path.empty()) return true;  // flags alone: the person typed them
  LNK_TRY(const bool approved, is_approved(context, prepared));
  if (approved) return true;
  if (!yes) return ask(context, prepared);
  LNK_CHECK(approve(context.settings, prepared.asked, prepared.spec_path));
  return true;
}

Result<std::string> current_folder() {
  std::error_code error;
  const auto cwd = std::filesystem::current_path(error);
  const auto target = error ? std::string() : resolve_links(cwd.native());
  if (target.empty()) return fail(Code::Gone, "the current folder is gone or closed to you");
  return target;
}

std::vector<std::string> launch_argv(const Context& context, const std::string& hash, const std::vector<std::string>& command) {
  std::vector<std::string> argv = {context.parts.program.native(), "launch", "--settings", context.settings.folder().native(),
                                   "--snapshot", hash, "--"};
  argv.insert(argv.end(), command.begin(), command.end());
  return argv;
}

json::array as_json(const std::vector<std::string>& texts) {
  json::array array;
  for (const auto& text : texts) array.emplace_back(text);
  return array;
}

Result<std::string> wrapped(const Context& context, const WrapCommand& command) {
  LNK_TRY(auto flags, read_flags(command.grants));
  LNK_TRY(const auto prepared, prepare(context, command.spec, std::move(flags), command.command));
  LNK_CHECK(check_given_rules(context, command.rules, prepared.snapshot.grants.secrets));
  LNK_TRY(const bool approved, is_approved(context, prepared));
  if (!approved && !command.approved) return not_approved(context, prepared);
  // Whoever keeps the command is told now, not at each start, what this machine can't hold.
  if (prepared.snapshot.grants.commands) LNK_CHECK(check_plan(context.settings, prepared.snapshot));
  if (!approved) LNK_CHECK(approve(context.settings, prepared.asked, prepared.spec_path));
  LNK_TRY(const auto hash, keep_snapshot(context.settings, prepared.snapshot));
  const auto argv = launch_argv(context, hash, command.command);
  if (!command.json) {
    std::string line;
    for (const auto& word : argv) line += (line.empty() ? "" : " ") + shell_quoted(word);
    return line + "\n";
  }
  const bool has_wire = prepared.snapshot.grants.network == NetworkMode::Wire;
  const json::value wire = has_wire ? json::value{{"url", "http://127.0.0.1:" + std::to_string(kWirePort)}} : json::value(nullptr);
  auto warnings = prepared.notes;
  for (auto& warning : model_warnings(prepared.snapshot.grants)) warnings.push_back(std::move(warning));
  return canonical_json(json::object{{"argv", as_json(argv)},
                                     {"env", json::object()},
                                     {"snapshot", hash},
                                     {"wire", wire},
                                     {"warnings", as_json(warnings)}}) +
         "\n";
}

/// Each program that is listed still is what was listed, can't be written, and needs nothing that wasn't found then.
Status programs_still_hold(const Snapshot& snapshot) {
  if (!snapshot.grants.commands) return {};
  const auto stale = [](const std::string& words) { return fail(Code::Gone, "snapshot-stale: " + words + "; wrap the command again"); };
  const auto& programs = *snapshot.grants.commands;
  for (const auto& program : programs)
    if (resolve_links(program.path) != program.target)
      return stale(host::quoted(program.path) + " no longer leads to " + host::quoted(program.target));
  const auto ground = ground_for_programs(snapshot.grants, snapshot.closed);
  auto judged = judge_programs(ground);
  for (const auto& fault : judged.faults) return stale(program_words(programs[fault.place].written, programs[fault.place].path) + fault.fault.text(false));
  if (!snapshot.program.path.empty())
    if (const auto fault = judge_started(snapshot.program.path, ground, judged.loaders); !fault.words.empty())
      return stale("the program " + host::quoted(snapshot.program.path) + ": " + fault.text(false));
  for (const auto& loader : judged.loaders)
    if (!std::binary_search(snapshot.loaders.begin(), snapshot.loaders.end(), loader))
      return stale("a listed program needs " + host::quoted(loader) + " now");
  return {};
}

/// The names still lead where they led when they were checked, and what is held is there to be held.
Status still_resolves(const Snapshot& snapshot) {
  for (const auto& file : snapshot.grants.files)
    if (resolve_links(file.path) != file.target)
      return fail(Code::Gone, "snapshot-stale: " + host::quoted(file.path) + " no longer leads to " + host::quoted(file.target) +
                                  "; wrap the command again");
  for (const auto& place : snapshot.read_only)
    if (writable_way_to(place, snapshot.grants.files))
      return fail(Code::Gone, "snapshot-stale: " + host::quoted(place) +
                                  ", which is held read only, is gone; wrap the command again");
  return programs_still_hold(snapshot);
}

Result<Snapshot> kept_snapshot(const Context& context, const std::string& hash) {
  auto snapshot = load_snapshot(context.settings, hash);
  if (!snapshot) {
    Error error = std::move(snapshot).error().within("snapshot-stale");
    error.text += "; wrap the command again";
    return fail(std::move(error));
  }
  LNK_TRY(const bool approved, is_approved(context.settings, snapshot->approval));
  if (!approved)
    return fail(Code::Denied, "not-approved: what this command may do is not approved now; approve its spec and wrap it again");
  LNK_CHECK(still_resolves(*snapshot));
  return snapshot;
}

/// A spec as a person approved it, with every program open for this one run.
Result<Prepared> prepare_to_learn(const Context& context, const LearnCommand& command) {
  LNK_TRY(auto prepared, prepare(context, command.spec, Spec(), {}));
  LNK_TRY(const bool approved, settle_approval(context, prepared, false));
  if (!approved) return fail(Code::Denied, "not approved; nothing was run");
  auto& snapshot = prepared.snapshot;
  LNK_TRY(snapshot.program, find_program(command.command.front(), snapshot.grants));
  snapshot.grants.commands.reset();
  snapshot.commands_at.clear();
  snapshot.loaders.clear();
  return prepared;
}

/// What the list begins with. Made once the command has ended: nothing that it printed can hold it.
Result<std::string> list_mark() {
  std::array<unsigned char, 8> bytes{};
  // Never short for up to 256 bytes once the pool is ready: getrandom(2).
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(Code::Gone, "the system gives no random bytes");
  std::string mark = "# lnk-sandbox learn ";
  for (const auto byte : bytes) mark += "0123456789abcdef"[byte >> 4U], mark += "0123456789abcdef"[byte & 15U];
  return mark;
}

}  // namespace

int learn(const Context& context, const LearnCommand& command) {
  const auto prepared = prepare_to_learn(context, command);
  if (!prepared) return say_refused(prepared.error());
  auto cwd = current_folder();
  if (!cwd) return say_refused(cwd.error());
  LearnedPrograms learned(prepared->snapshot.program);
  auto request = request_of(context, prepared->snapshot, command.command, std::move(*cwd), EnvironmentOf::Nothing);
  request.every_program = [&learned](const SeenProgram& program) { learned.add(program); };
  const auto end = run_snapshot(request);
  if (!end) return say_refused(end.error());
  if (!end->words.empty()) say(end->words);
  const bool is_whole = end->watch_ended.empty() && learned.is_whole();
  if (learned.is_empty() && is_whole) {
    say("no program was started, so there is no list");
    return end->code;
  }
  const auto mark = list_mark();
  if (!mark) return say_refused(mark.error());
  // The command shares this stream, and may have left a line open.
  const auto text = "\n" + *mark + ": what stands above is the command's own\n" +
                    learned.as_toml({prepared->asked, prepared->snapshot.closed, is_whole});
  if (!print(text)) return kRefused;
  say("the list is what stands on standard output behind the line that begins " + host::quoted(*mark));
  if (is_whole) return end->code;
  say("the list is not whole: not every program that was started could be told" +
      (end->watch_ended.empty() ? " (they were too many, or a program that may be run and not read started some); learn parts of it by themselves"
                                : " (" + end->watch_ended + "); learn it again"));
  return kRefused;
}

int run(const Context& context, const RunCommand& command) {
  auto flags = read_flags(command.grants);
  if (!flags) {
    say(flags.error().text);
    return kWrongCommandLine;
  }
  const auto prepared = prepare(context, command.spec, std::move(*flags), command.command);
  if (!prepared) return say_refused(prepared.error());
  for (const auto& note : prepared->notes) say(note);
  auto cwd = current_folder();
  if (!cwd) return say_refused(cwd.error());
  // Before anything is asked or remembered.
  if (const auto may = check_start(*cwd, prepared->snapshot.grants, EnvironmentOf::Nothing); !may) return say_refused(may.error());
  const auto approved = settle_approval(context, *prepared, command.yes);
  if (!approved) return say_refused(approved.error());
  if (!*approved) {
    say("not approved; nothing was run");
    return kRefused;
  }
  return start(request_of(context, prepared->snapshot, command.command, std::move(*cwd), EnvironmentOf::Nothing));
}

int wrap(const Context& context, const WrapCommand& command) {
  const auto text = wrapped(context, command);
  if (!text) return say_refused(text.error());
  return print(*text) ? 0 : kRefused;
}

int launch(const Context& context, const LaunchCommand& command) {
  const auto snapshot = kept_snapshot(context, command.snapshot);
  if (!snapshot) return say_refused(snapshot.error());
  auto cwd = current_folder();
  if (!cwd) return say_refused(cwd.error());
  return start(request_of(context, *snapshot, command.command, std::move(*cwd), EnvironmentOf::Harness));
}

}  // namespace lnk::host
