// SPDX-License-Identifier: Apache-2.0
//
// Plans of random grants: none opens a place of the machine that the grants close, or for more than they give; and all that
// they give is there at its own name.
//
// The input is a list of bytes that names grants, closed places and read-only ones over few names, so that they nest and meet.
#include <algorithm>
#include <array>
#include <set>

#include "entry.hpp"
#include "plan/paths.hpp"
#include "plan_model.hpp"

namespace lnk::fuzz {
namespace {

using namespace os_linux;

constexpr std::size_t kGrantsMax = 24;

class Bytes {
 public:
  explicit Bytes(std::string_view input) : input_(input) {}
  [[nodiscard]] bool is_end() const { return input_.empty(); }
  unsigned next() {
    if (input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte;
  }

 private:
  std::string_view input_;
};

/// Of the machine's usual places, then up to four parts of three names.
std::string read_path(Bytes& bytes) {
  constexpr std::array<const char*, 12> kRoots = {"/home/u", "/home/u", "/home/u/w", "/data", "/data", "/home", "/usr", "/etc", "/opt", "/tmp", "/run", "/var"};
  constexpr std::array<const char*, 4> kParts = {"a", "b", "ab", ".env"};
  std::string path = kRoots[bytes.next() % kRoots.size()];
  const unsigned shape = bytes.next();
  for (unsigned depth = shape % 5, rest = shape / 5 + bytes.next(); depth > 0; --depth, rest /= 4) path += std::string("/") + kParts[rest % 4];
  return path;
}

FileGrant read_grant(Bytes& bytes, unsigned how) {
  FileGrant grant;
  grant.access = how % 4 == 3 ? Access::Hide : how % 4 == 2 ? Access::Write : how % 4 == 1 ? Access::Write : Access::Read;
  grant.kind = (how & 16U) != 0 ? FileKind::Any : FileKind::Folder;
  grant.optional = (how & 32U) != 0;
  grant.path = read_path(bytes);
  grant.target = (how & 192U) == 192U ? read_path(bytes) : grant.path;
  return grant;
}

Snapshot read_snapshot(Bytes& bytes) {
  Snapshot snapshot;
  snapshot.home = "/home/u";
  snapshot.closed = {"/home/u/.config/link"};
  const unsigned mode = bytes.next();
  snapshot.network = mode % 3 == 0 ? NetworkMode::None : mode % 3 == 1 ? NetworkMode::Wire : NetworkMode::Direct;
  for (std::size_t count = 0; !bytes.is_end() && count < kGrantsMax; ++count) {
    const unsigned how = bytes.next();
    if (how % 8 == 6) {
      snapshot.closed.push_back(read_path(bytes));
    } else if (how % 8 == 7) {
      snapshot.read_only.push_back(read_path(bytes));
    } else if (how % 16 == 5) {
      if (!snapshot.programs) snapshot.programs.emplace();
      snapshot.programs->push_back({read_path(bytes), (how & 64U) != 0});
    } else {
      snapshot.files.push_back(read_grant(bytes, how));
    }
  }
  return snapshot;
}

Survey machine(unsigned which) {
  Survey survey;
  survey.uid = which % 2 == 0 ? 0 : 1000;
  survey.bubblewrap = {"/usr/bin/bwrap", {1, 2, 3}, true, "", ""};
  if (which % 4 < 2) survey.landlock = {7, 0xffff, 3};
  survey.has_seccomp = true;
  survey.system_folders = {"/usr", "/etc", "/opt"};
  survey.links = {{"/bin", "usr/bin"}, {"/lib", "usr/lib"}, {"/var/run", "/run"}};
  survey.closed = {{"/etc/a", true}, {"/etc/b/a", false}};
  survey.proc_read_only = {"/proc/sys"};
  return survey;
}

/// Every place that was named, its parent, and one below it.
std::set<std::string> places_of(const Snapshot& snapshot, const Survey& survey) {
  std::set<std::string> named;
  for (const auto& file : snapshot.files) named.insert({file.path, file.target});
  named.insert(snapshot.closed.begin(), snapshot.closed.end());
  named.insert(snapshot.read_only.begin(), snapshot.read_only.end());
  for (const auto& entry : survey.closed) named.insert(entry.path);
  std::set<std::string> places = {"/", "/home", "/home/u", "/data", "/usr", "/etc", "/tmp", "/proc", "/root", "/etc/shadow"};
  for (const auto& place : named) {
    places.insert({place, place + "/a", place + "/other", place + "x"});
    for (std::size_t end = place.rfind('/'); end != 0 && end != std::string::npos; end = place.rfind('/', end - 1)) places.insert(place.substr(0, end));
  }
  return places;
}

/// A grant by a link puts the machine's place at two names; which of them is asked about is what differs.
bool is_below_a_made_link(const Plan& plan, const std::string& name) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const PlanStep& step) { return step.op == Op::Link && is_within(name, step.path); });
}

/// A home that is itself a link is none of the sandbox's own: what its name leads to is asked about at that place.
bool is_in_linked_home(const Snapshot& snapshot, const std::string& name) {
  return is_within(name, snapshot.home) && std::any_of(snapshot.files.begin(), snapshot.files.end(), [&](const FileGrant& grant) {
           return grant.path != grant.target && is_within(snapshot.home, grant.path);
         });
}

void check_place(const Plan& plan, const Snapshot& snapshot, const Survey& survey, const std::string& name) {
  if (is_in_linked_home(snapshot, name)) return;
  const Seen shows = seen(plan, name);
  // Nothing is bound at another name than its own, so that no mount gives a place by a way around.
  if (shows.open != Open::Nothing) LNK_HOLDS(shows.place == name);
  const Open may = meant(snapshot, survey, name);
  LNK_HOLDS(shows.open <= may);
  if (!is_below_a_made_link(plan, name)) LNK_HOLDS(shows.open >= may);
}

void check_rules(const Plan& plan) {
  for (const auto& rule : plan.rules) {
    LNK_HOLDS(rule.step < plan.steps.size());
    const auto& step = plan.steps[rule.step];
    if (rule.rule == RuleClass::List) continue;
    LNK_HOLDS(step.path == rule.path);
    if (rule.rule == RuleClass::Write) LNK_HOLDS(step.op == Op::BindWrite || step.op == Op::Empty);
    if (rule.rule == RuleClass::Read) LNK_HOLDS(step.op == Op::BindRead);
  }
}

/// Nothing that the sandbox can write may run: what it wrote there would.
void check_programs(const Plan& plan, const Snapshot& snapshot, const std::set<std::string>& places) {
  if (!plan.programs) return;
  LNK_HOLDS(plan.landlock.level > 0);
  for (const ListedProgram& program : *plan.programs) {
    LNK_HOLDS(!is_written_inside(snapshot, program.path));
    for (const auto& place : places)
      if (program.is_folder && is_within(place, program.path)) LNK_HOLDS(!is_written_inside(snapshot, place));
  }
}

}  // namespace

void check(std::string_view input) {
  Bytes bytes(input);
  const Survey survey = machine(bytes.next());
  const Snapshot snapshot = read_snapshot(bytes);
  const auto plan = build_plan(snapshot, survey);
  if (!plan) {
    LNK_HOLDS(!plan.error().text.empty());
    return;
  }
  const auto places = places_of(snapshot, survey);
  for (const auto& place : places) check_place(*plan, snapshot, survey, place);
  check_rules(*plan);
  check_programs(*plan, snapshot, places);
}

}  // namespace lnk::fuzz
