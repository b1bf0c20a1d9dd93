// SPDX-License-Identifier: Apache-2.0
//
// check: what this machine can hold, told by doing. A real sandbox is started by this program's own `run`, and what runs in
// it tries what must fail beside what must work.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "environment/environment.hpp"
#include "lnk/abi/probe.h"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "modules/catalogue.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kCanaryBytesMax = 16384;

struct Trial {
  std::string_view name;
  std::string_view held;  ///< what it means where the trial went well
};

/// What the canary tells, a word a line; each must be there.
constexpr std::array kTrials = {
    Trial{"started", "a program starts in a sandbox"},
    Trial{"granted-read", "a granted folder can be read"},
    Trial{"granted-write", "a folder granted for writing can be written"},
    Trial{"read-only", "a folder granted for reading can't be written"},
    Trial{"closed", "a folder that isn't granted isn't there"},
    Trial{"system-read-only", "the system can't be written"},
    Trial{"proc-sys", "kernel settings can't be opened for writing"},
    Trial{"no-new-privileges", "no program gains privileges"},
    Trial{"filter", "system calls are filtered"},
    Trial{"no-capabilities", "no capability is held"},
    Trial{"no-network", "there is no network but a loopback of its own"},
    Trial{"no-processes", "no process of the machine is seen"},
};

/// The same of a sandbox with a list of programs, where the machine holds one.
constexpr std::array kListTrials = {
    Trial{"listed", "a listed program runs"},
    Trial{"not-listed", "a program that isn't listed doesn't run"},
    Trial{"refused-named", "a program that is refused is named"},
};
constexpr std::string_view kNamed = "refused-named";

/// Scripts, since on some machines all programs are one file.
constexpr std::string_view kListCanary = R"("$1/read/listed"
"$1/read/unlisted" 2>/dev/null || echo not-listed
)";

/// Kernel settings are asked about with access(2) and never opened: a check must not be able to change them.
constexpr std::string_view kCanary = R"(echo started
[ -r "$1/read/here" ] && echo granted-read
(echo x >"$1/write/new") 2>/dev/null && echo granted-write
(echo x >"$1/read/new") 2>/dev/null || echo read-only
[ -e "$1/closed" ] || echo closed
[ -w /usr ] || [ -w /etc ] || echo system-read-only
[ -w /proc/sys/kernel/core_pattern ] || [ -w /proc/sys/kernel/hostname ] || echo proc-sys
while read -r key value _; do
  case "$key$value" in
    NoNewPrivs:1) echo no-new-privileges;;
    Seccomp:2) echo filter;;
    CapEff:0000000000000000) echo no-capabilities;;
  esac
done </proc/self/status
others=0
while read -r device _; do
  case "$device" in Inter-*|face*|lo:*) ;; *) others=1;; esac
done </proc/net/dev
[ $others = 0 ] && echo no-network
[ -e "/proc/$2" ] || echo no-processes
)";

struct Gap {
  std::string_view name;
  std::string_view words;
};

/// Gaps that stay open wherever this runs; the threat model tells of each.
constexpr auto kGaps = std::to_array<Gap>({
    {"dot-files", "what a program makes or finds below the top of a folder that it writes, a repository or a build file, runs as you once you use it"},
    {"terminal", "what a program prints, escape sequences too, reaches the person's terminal as it is"},
    {"loader", "the loader must run beside each list of programs ([commands]), and runs any file that can be read (ld.so FILE)"},
    {"LD_PRELOAD", "cleared at the start with its kin, but a program can set it again for a listed one that it runs, and its code runs there"},
    {"interpreters", "an interpreter that is listed runs any code that it is handed; a list says which files start, not what they do"},
    {"exec-watch", "what is told of refused and learned programs can be raced by them: it is advice, and the kernel alone refuses"},
    {"sockets", "a socket of the machine that is bound below a granted folder after the start, by a relative name, or in another "
                "network namespace can be connected to"},
    {"pipes", "a pipe (FIFO) of the machine below a granted folder can be opened, unless a grant names it"},
    {"neighbours", "public addresses behind a VPN or a router of your own are hosts like any; those on a link of this machine are closed"},
    {"kernel", "a fault in the kernel itself is not held by a wall that the kernel builds"},
});
constexpr std::uint32_t kLandlockHoldsSockets = 9;

std::vector<Gap> open_gaps(const ModuleSurvey& survey) {
  const bool holds_sockets = std::any_of(survey.machine.begin(), survey.machine.end(), [](const auto& capability) {
    return capability.name == "linux.landlock" && capability.level >= kLandlockHoldsSockets;
  });
  std::vector<Gap> gaps;
  for (const auto& gap : kGaps)
    if (gap.name != "sockets" || !holds_sockets) gaps.push_back(gap);
  return gaps;
}

/// A folder that goes with its value.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make() {
    std::string name = "/var/tmp/lnk-check-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return fail(Code::Gone, "no folder can be made in /var/tmp", errno);
    return TemporaryFolder(name);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code gone_anyway;
    if (!path_.empty()) std::filesystem::remove_all(path_, gone_anyway);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

Status make_canary(const std::filesystem::path& folder) {
  std::error_code error;
  for (const char* name : {"read", "write", "closed"}) std::filesystem::create_directory(folder / name, error);
  if (error) return fail(Code::Gone, "no folder can be made in " + folder.native() + ": " + error.message());
  for (const char* name : {"listed", "unlisted"})
    LNK_CHECK(posix::write_file_whole(folder / "read" / name, "#!/bin/sh\necho " + std::string(name) + "\n", 0700));
  return posix::write_file_whole(folder / "read" / "here", "x\n");
}

struct Printed {
  std::string out;
  std::string err;  ///< of this program too
};

/// Runs a canary in a real sandbox. The arguments: `run`'s options, then the canary and its own.
Result<Printed> run_canary(const Context& context, const std::filesystem::path& folder, const std::vector<std::string>& flags,
                           std::string_view canary) {
  LNK_TRY(auto out, posix::make_pipe());
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDONLY));
  const auto err_name = folder / "err";
  LNK_TRY(auto err, posix::open_file(err_name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600));
  posix::SpawnOptions options;
  options.program = context.parts.program;
  options.argv = {"lnk-sandbox", "run", "--read", folder / "read", "--write", folder / "write"};
  options.argv.insert(options.argv.end(), flags.begin(), flags.end());
  for (const auto& word : {std::string("--"), std::string("/bin/sh"), std::string("-c"), std::string(canary), std::string("canary"),
                           folder.native(), std::to_string(::getpid())})
    options.argv.push_back(word);
  auto environment = own_environment();
  environment["LNK_HOME"] = context.settings.folder().native();
  options.env = as_assignments(environment);
  options.fds = {{nothing.get(), 0}, {out.write.get(), 1}, {err.get(), 2}};
  // The sandbox starts in the folder it may read.
  std::error_code error;
  std::filesystem::current_path(folder / "read", error);
  if (error) return fail(Code::Gone, "can't go to " + folder.native() + ": " + error.message());
  auto child = posix::spawn(options);
  if (!child) return fail(std::move(child).error());
  out.write.reset();
  Printed printed;
  LNK_TRY(printed.out, posix::read_all(out.read.get(), kCanaryBytesMax));
  // What it printed tells more than its exit code.
  if (const auto ended = child->wait(); !ended) return fail(ended.error());
  LNK_TRY(printed.err, posix::read_file(err_name, kCanaryBytesMax));
  return printed;
}

struct TrialResult {
  Trial trial;
  bool held = false;
  std::string skipped = {};  ///< why it can't be tried here, which is no fault of the wall
};

bool has_line(const std::string& text, std::string_view wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line == wanted) return true;
  return false;
}

/// What went wrong before a canary could say anything is the person's to read.
void pass_on(const std::string& words) {
  if (!words.empty()) static_cast<void>(posix::write_all(STDERR_FILENO, words));
}

/// What a module tells nothing of is tried.
bool lacks(const ModuleSurvey& survey, std::string_view name) {
  return std::any_of(survey.machine.begin(), survey.machine.end(),
                     [name](const auto& capability) { return capability.name == name && capability.state == LNK_UNSUPPORTED; });
}

Status try_list(const Context& context, const ModuleSurvey& survey, const std::filesystem::path& folder, std::vector<TrialResult>& results) {
  const auto read = folder / "read";
  LNK_TRY(const auto printed, run_canary(context, folder, {"--allow-command", "/bin/sh", "--allow-command", read / "listed"}, kListCanary));
  for (const auto& trial : kListTrials) {
    TrialResult result{trial, has_line(printed.out, trial.name)};
    if (trial.name == kNamed) result.held = printed.err.find("refused to run " + (read / "unlisted").native() + ":") != std::string::npos;
    if (trial.name == kNamed && lacks(survey, "linux.exec_watch")) result.skipped = "no listener is to be had here, by which refused programs are named";
    results.push_back(std::move(result));
  }
  if (!results.back().held && results.back().skipped.empty()) pass_on(printed.err);
  return {};
}

Result<std::vector<TrialResult>> try_machine(const Context& context, const ModuleSurvey& survey) {
  LNK_TRY(const auto folder, TemporaryFolder::make());
  LNK_CHECK(make_canary(folder.path()));
  LNK_TRY(const auto printed, run_canary(context, folder.path(), {}, kCanary));
  pass_on(printed.err);
  std::vector<TrialResult> results;
  for (const auto& trial : kTrials) results.push_back({trial, has_line(printed.out, trial.name)});
  if (!lacks(survey, "linux.landlock")) {
    LNK_CHECK(try_list(context, survey, folder.path(), results));
    return results;
  }
  for (const auto& trial : kListTrials) results.push_back({trial, false, "[commands] needs Landlock, which this machine doesn't have"});
  return results;
}

std::string_view state_word(std::uint32_t state) {
  switch (state) {
    case LNK_SUPPORTED: return "supported";
    case LNK_DEGRADED: return "degraded";
    case LNK_UNSUPPORTED: return "unsupported";
    default: return "unknown";
  }
}

json::object report_json(const ModuleSurvey& survey, const std::vector<TrialResult>& trials, bool holds) {
  json::array capabilities;
  for (const auto& capability : survey.machine)
    capabilities.emplace_back(json::object{{"name", capability.name},
                                           {"state", state_word(capability.state)},
                                           {"level", capability.level},
                                           {"errno", capability.os_errno},
                                           {"evidence", capability.evidence},
                                           {"mend", capability.mend}});
  json::array tried;
  for (const auto& result : trials)
    tried.emplace_back(json::object{
        {"name", result.trial.name}, {"held", result.held}, {"skipped", result.skipped.empty() ? json::value(nullptr) : json::value(result.skipped)}, {"words", result.trial.held}});
  json::array modules;
  for (const auto& module : survey.modules)
    modules.emplace_back(json::object{{"name", module.id}, {"loaded", module.loaded}, {"reason", module.reason}});
  json::array gaps;
  for (const auto& gap : open_gaps(survey)) gaps.emplace_back(json::object{{"name", gap.name}, {"words", gap.words}});
  return {{"holds", holds},
          {"capabilities", std::move(capabilities)},
          {"trials", std::move(tried)},
          {"modules", std::move(modules)},
          {"gaps", std::move(gaps)}};
}

std::string report_text(const ModuleSurvey& survey, const std::vector<TrialResult>& trials, bool holds) {
  std::string text = "This machine\n";
  for (const auto& capability : survey.machine) {
    text += "  " + std::string(state_word(capability.state)) + "  " + shown(capability.name);
    if (capability.level != 0) text += " " + std::to_string(capability.level);
    text += ": " + shown(capability.evidence) + "\n";
    if (!capability.mend.empty()) text += "      " + shown(capability.mend) + "\n";
  }
  text += "A sandbox, started and tried\n";
  for (const auto& result : trials) {
    text += std::string(result.held ? "  held    " : result.skipped.empty() ? "  FAILED  " : "  skipped ") + std::string(result.trial.held);
    text += (result.skipped.empty() ? "" : ": " + result.skipped) + "\n";
  }
  text += "Modules\n";
  for (const auto& module : survey.modules)
    text += "  " + shown(module.id) + (module.loaded ? " loads" : " doesn't load: " + shown(module.reason)) + "\n";
  text += "Open gaps\n";
  for (const auto& gap : open_gaps(survey)) text += "  " + std::string(gap.name) + ": " + std::string(gap.words) + "\n";
  return text + (holds ? "The wall holds.\n" : "The wall does NOT hold here.\n");
}

}  // namespace

int check(const Context& context, const CheckCommand& command) {
  const auto survey = survey_modules(context.module_dirs);
  const auto trials = try_machine(context, survey);
  if (!trials) return say_refused(trials.error());
  const bool holds = std::all_of(trials->begin(), trials->end(), [](const auto& result) { return result.held || !result.skipped.empty(); });
  const auto text = command.json ? canonical_json(report_json(survey, *trials, holds)) + "\n" : report_text(survey, *trials, holds);
  if (!print(text)) return kRefused;
  return holds ? 0 : 1;
}

}  // namespace lnk::host
