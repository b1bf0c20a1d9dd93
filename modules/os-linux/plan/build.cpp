// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "inside/format.h"
#include "lnk/posix/os_error.hpp"
#include "plan/mounts.hpp"
#include "plan/paths.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {
namespace {

// A sandbox has its own of these; nothing of the machine's is ever mounted there.
constexpr std::array<std::string_view, 3> kOwnAlways = {"/proc", "/sys", "/dev"};
constexpr std::uint32_t kScopedSocketsLevel = 6;  // Landlock's level that holds abstract unix sockets

Place system(PlanStep step) { return {Rank::System, std::move(step), false}; }

Status check_grant(const FileGrant& grant) {
  for (const std::string& path : {grant.path, grant.target}) {
    if (!is_clean_path(path)) return fail(Code::Invalid, posix::escaped(path) + ": not an absolute, clean path");
  }
  if (grant.access == Access::Hide) return {};
  const auto is_own = [&](std::string_view own) { return is_within(grant.target, own); };
  if (std::any_of(kOwnAlways.begin(), kOwnAlways.end(), is_own) || grant.target == "/run") {
    return fail(Code::Denied, posix::escaped(grant.target) + ": a sandbox has its own; the machine's is always closed");
  }
  if (grant.access == Access::Write && grant.target == "/")
    return fail(Code::Denied, "/: the root can't be written; name the folder that the program works in");
  return {};
}

// Programs in these are the sandbox's to write, unless a grant opens the place.
constexpr std::array<std::string_view, 5> kOwnWritten = {"/tmp", "/var/tmp", "/run", "/dev", "/proc"};

class Builder {
 public:
  Builder(const Snapshot& snapshot, const Survey& survey) : snapshot_(snapshot), survey_(survey) {}

  Result<Plan> build() {
    LNK_CHECK(check());
    add_system();
    add_own();
    add_grants();
    add_closed();
    LNK_TRY(std::vector<PlanStep> mounts, order_mounts(std::move(places_)));
    plan_.landlock = survey_.landlock;
    plan_.exec_watch = survey_.exec_watch;
    plan_.programs = snapshot_.programs;
    plan_.bubblewrap = survey_.bubblewrap;
    plan_.network = snapshot_.network;
    plan_.uid = survey_.uid;
    add_steps(std::move(mounts));
    mark_nested();
    add_rules();
    add_holdings();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] Status check() const {
    if (!survey_.bubblewrap.problem.empty()) return fail(Code::Unsupported, survey_.bubblewrap.refusal());
    if (!survey_.has_seccomp)
      return fail(Code::Unsupported, "this kernel has no seccomp filters, without which nothing is held");
    if (!is_clean_path(snapshot_.home)) return fail(Code::Invalid, "home: not an absolute, clean path");
    for (const auto& list : {snapshot_.closed, snapshot_.read_only, snapshot_.held}) {
      for (const std::string& path : list)
        if (!is_clean_path(path)) return fail(Code::Invalid, posix::escaped(path) + ": not an absolute, clean path");
    }
    for (const FileGrant& grant : snapshot_.files) {
      LNK_CHECK(check_grant(grant));
      if (grant.access == Access::Write && is_within(survey_.bubblewrap.path, grant.target)) {
        return fail(Code::Denied, posix::escaped(grant.target) + ": holds " + survey_.bubblewrap.path +
                                      ", which builds the wall, and so can't be written");
      }
    }
    if (snapshot_.network == NetworkMode::Direct && survey_.landlock.level < kScopedSocketsLevel) {
      return fail(Code::Unsupported,
                  "direct: needs Landlock 6 (Linux 6.12), which alone keeps abstract sockets of the machine closed; "
                  "this kernel offers " +
                      std::to_string(survey_.landlock.level));
    }
    return check_programs();
  }

  [[nodiscard]] Status check_programs() const {
    if (!snapshot_.programs) return {};
    if (survey_.landlock.level == 0) {
      return fail(Code::Unsupported,
                  "[commands]: needs Landlock (Linux 5.19, with landlock in its lsm= list), which alone keeps a program that isn't "
                  "listed from running, and this kernel offers none; take [commands] out, or start a kernel with it");
    }
    for (const ListedProgram& program : *snapshot_.programs) {
      if (!is_clean_path(program.path)) return fail(Code::Invalid, posix::escaped(program.path) + ": not an absolute, clean path");
      if (is_written(program.path) || (program.is_folder && holds_written(program.path))) {
        return fail(Code::Denied, posix::escaped(program.path) +
                                      ": may run, and the sandbox could write it; name it in read, or take it out of [commands]");
      }
    }
    return {};
  }

  /// The nearest named place decides, as for the mounts: of two grants of one place the one that writes, of a grant and a place of
  /// the sandbox's own the grant.
  [[nodiscard]] bool is_written(std::string_view path) const {
    std::size_t nearest = 0;
    bool is_written = false;
    const auto is_own = [&](std::string_view own) { return own != "/" && own.size() > nearest && is_within(path, own); };
    for (const std::string_view own : kOwnWritten)
      if (is_own(own)) nearest = own.size(), is_written = true;
    if (is_own(snapshot_.home)) nearest = snapshot_.home.size(), is_written = true;
    bool is_granted = false;
    for (const FileGrant& grant : snapshot_.files) {
      if (grant.target.size() < nearest || !is_within(path, grant.target)) continue;
      const bool is_same = is_granted && grant.target.size() == nearest;
      is_written = (is_same && is_written) || grant.access == Access::Write;
      nearest = grant.target.size();
      is_granted = true;
    }
    return is_written;
  }

  [[nodiscard]] bool holds_written(std::string_view folder) const {
    const auto holds = [&](std::string_view place) { return is_within(place, folder) && is_written(place); };
    return std::any_of(kOwnWritten.begin(), kOwnWritten.end(), holds) ||
           (snapshot_.home != "/" && holds(snapshot_.home)) ||
           std::any_of(snapshot_.files.begin(), snapshot_.files.end(), [&](const FileGrant& grant) { return holds(grant.target); });
  }

  void add_system() {
    for (const std::string& folder : survey_.system_folders)
      places_.push_back(system({Op::BindRead, folder, folder, 0, FileKind::Folder}));
    for (const LayoutLink& link : survey_.links) places_.push_back(system({Op::Link, link.path, link.target}));
    for (const ClosedEntry& entry : survey_.closed) {
      const FileKind kind = entry.is_folder ? FileKind::Folder : FileKind::File;
      // A sandbox's own /proc shows the machine's entries again.
      places_.push_back({Rank::System, {Op::Mask, entry.path, {}, 0, kind, true}, is_within(entry.path, "/proc")});
    }
    places_.push_back(system({Op::Mask, "/sys", {}, 0, FileKind::Folder}));
    const std::string resolver_file = survey_.resolver_file.empty() ? "/etc/resolv.conf" : survey_.resolver_file;
    const bool is_elsewhere = !is_within(resolver_file, "/etc") && !is_within(resolver_file, "/usr");
    if (snapshot_.network == NetworkMode::Direct && is_elsewhere)
      places_.push_back(system({Op::BindRead, resolver_file, resolver_file, 0, FileKind::File, true}));
    // Whatever else is granted there: another name server isn't reached.
    if (snapshot_.has_names) places_.push_back({Rank::Closed, {Op::NameServer, resolver_file, {}, 0444, FileKind::File, true}, false});
  }

  void add_own() {
    places_.push_back(system({Op::Processes, "/proc"}));
    for (const std::string& entry : survey_.proc_read_only)
      places_.push_back(system({Op::BindRead, entry, entry, 0, FileKind::Any, true}));
    // Landlock keeps one domain's memory and descriptors from another, bubblewrap's pid 1 included. Without it they are
    // covered: the second of its streams is a pipe to the front.
    if (survey_.landlock.level == 0) {
      for (const char* first : {"/proc/1", "/proc/1/task/1"}) {
        places_.push_back({Rank::System, {Op::Mask, std::string(first) + "/fd", {}, 0, FileKind::Folder}, true});
        places_.push_back({Rank::System, {Op::Mask, std::string(first) + "/mem", {}, 0, FileKind::File}, true});
      }
    }
    places_.push_back(system({Op::Devices, "/dev"}));
    places_.push_back(system({Op::Empty, "/dev/shm", {}, 01777}));
    for (const char* shared : {"/tmp", "/var/tmp"}) places_.push_back(system({Op::Empty, shared, {}, 01777}));
    places_.push_back(system({Op::Empty, "/run", {}, 0755}));
    places_.push_back(system({Op::Folder, "/run/user/" + std::to_string(survey_.uid), {}, 0700}));
    if (snapshot_.home != "/") places_.push_back(system({Op::Empty, snapshot_.home, {}, 0700}));
  }

  /// Read only though a write grant names it or a folder above.
  [[nodiscard]] bool is_kept_read_only(const std::string& path) const {
    const auto covers = [&](const std::string& kept) { return is_within(path, kept); };
    return std::any_of(snapshot_.read_only.begin(), snapshot_.read_only.end(), covers) ||
           std::any_of(snapshot_.held.begin(), snapshot_.held.end(), covers);
  }

  void add_grants() {
    for (const FileGrant& grant : snapshot_.files) {
      PlanStep step{Op::BindRead, grant.target, grant.target, 0, grant.kind, grant.optional};
      Rank rank = Rank::Read;
      if (grant.access == Access::Hide) {
        step.op = Op::Mask;
        rank = Rank::Hide;
      } else if (grant.access == Access::Write && !is_kept_read_only(grant.target)) {
        step.op = Op::BindWrite;
        rank = Rank::Write;
      }
      places_.push_back({rank, std::move(step), false});
      if (grant.path != grant.target && grant.access != Access::Hide)
        places_.push_back({Rank::Read, {Op::Link, grant.path, grant.target, 0, FileKind::Any, grant.optional}, false});
    }
    for (const std::string& path : snapshot_.read_only)
      places_.push_back({Rank::Read, {Op::Protect, path, path, 0, FileKind::Any, true}, false});
    for (const std::string& path : snapshot_.held)
      places_.push_back({Rank::Read, {Op::Protect, path, path, 0, FileKind::Any, false}, false});
  }

  void add_closed() {
    for (const std::string& path : snapshot_.closed)
      places_.push_back({Rank::Closed, {Op::Mask, path, {}, 0, FileKind::Any, true}, false});
  }

  void add_steps(std::vector<PlanStep> mounts) {
    auto& steps = plan_.steps;
    steps.push_back({Op::Namespaces});
    // What seals comes last of all mounts.
    const auto seals = std::find_if(mounts.begin(), mounts.end(), [](const auto& step) { return step.op == Op::Seal; });
    steps.insert(steps.end(), mounts.begin(), seals);
    steps.push_back({Op::InnerStage, LNK_INSIDE_PATH});
    steps.insert(steps.end(), seals, mounts.end());
    steps.push_back({Op::Seal, "/dev"});
    steps.push_back({Op::Seal, "/"});
    if (plan_.landlock.level > 0) steps.push_back({Op::Landlock});
    steps.push_back({Op::Filter});
    steps.push_back({Op::Start});
  }

  /// Whatever stands strictly inside what a grant opens, or again over it. Asked of the folders above each, so that a plan
  /// stays linear in its grants.
  void mark_nested() {
    std::unordered_set<std::string_view> opened;
    for (const FileGrant& grant : snapshot_.files)
      if (grant.access != Access::Hide && grant.target != "/") opened.insert(grant.target);
    for (PlanStep& step : plan_.steps) {
      const bool is_mount = step.op == Op::BindRead || step.op == Op::BindWrite || step.op == Op::Mask ||
                            step.op == Op::Protect || step.op == Op::Empty;
      if (!is_mount) continue;
      std::string_view folder = step.path;
      if (step.op != Op::Protect) folder = folder.substr(0, folder.rfind('/'));
      while (!folder.empty() && !opened.contains(folder)) folder = folder.substr(0, folder.rfind('/'));
      step.is_nested = !folder.empty();
    }
  }

  void add_rules() {
    if (plan_.landlock.level == 0) return;
    plan_.rules.push_back({RuleClass::List, "/", 0});
    for (std::size_t at = 0; at < plan_.steps.size(); ++at) {
      const PlanStep& step = plan_.steps[at];
      const auto rule = [&](RuleClass kind) { plan_.rules.push_back({kind, step.path, at}); };
      const bool is_below_proc = is_within(step.path, "/proc");  // the rule of /proc reaches it
      if ((step.op == Op::BindRead && !is_below_proc) || step.op == Op::NameServer) rule(RuleClass::Read);
      if (step.op == Op::BindWrite || step.op == Op::Empty) rule(RuleClass::Write);
      if (step.op == Op::Processes) rule(RuleClass::Process);
      if (step.op == Op::Devices) rule(RuleClass::Device);
    }
  }

  void add_holdings() {
    const bool has_landlock = plan_.landlock.level > 0;
    const HeldState files = has_landlock ? HeldState::Held : HeldState::Weaker;
    const std::string words = has_landlock ? "" : "by mounts alone; this kernel offers no Landlock to hold it again";
    const auto add_files = [&](Access access, const char* name) {
      const auto is_one = [&](const FileGrant& grant) { return grant.access == access; };
      if (std::any_of(snapshot_.files.begin(), snapshot_.files.end(), is_one))
        plan_.holdings.push_back({files, name, words});
    };
    add_files(Access::Read, "files.read");
    add_files(Access::Write, "files.write");
    add_files(Access::Hide, "files.hide");
    if (const std::string lost = left_out_by(plan_.landlock); !lost.empty())
      plan_.holdings.push_back({HeldState::Weaker, "landlock",
                                "at level " + std::to_string(plan_.landlock.level) + " it leaves out " + lost});
    if (plan_.programs) add_programs_holding();
    if (plan_.network == NetworkMode::Direct) {
      plan_.holdings.push_back({HeldState::Held, "network.direct", ""});
    } else {
      plan_.holdings.push_back({HeldState::Held, "network", ""});
    }
  }

  /// Landlock holds the list in any case; the watch beside it names and makes memory files.
  void add_programs_holding() {
    const ExecWatch& watch = plan_.exec_watch;
    std::string words;
    if (!watch.has_listener) words = "a refused program isn't named, since this machine gives no seccomp listener";
    if (!watch.seals_memory) words += std::string(words.empty() ? "" : "; ") + "memory files can't be made inside, since none can be sealed here";
    const HeldState state = words.empty() ? HeldState::Held : HeldState::Weaker;
    plan_.holdings.push_back({state, "commands", words});
  }

  const Snapshot& snapshot_;
  const Survey& survey_;
  std::vector<Place> places_;
  Plan plan_;
};

}  // namespace

std::uint32_t Plan::number_of(Op op) const noexcept {
  const auto at = std::find_if(steps.begin(), steps.end(), [op](const PlanStep& step) { return step.op == op; });
  return at == steps.end() ? 0 : static_cast<std::uint32_t>(at - steps.begin()) + 1;
}

Result<Plan> build_plan(const Snapshot& snapshot, const Survey& survey) { return Builder(snapshot, survey).build(); }

}  // namespace lnk::os_linux
