// SPDX-License-Identifier: Apache-2.0
#include "launch/learned.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "programs/interpreters.hpp"
#include "programs/program_file.hpp"
#include "resolve/check.hpp"
#include "resolve/program_place.hpp"
#include "resolve/programs.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// A build of a whole system starts some hundred; what starts more makes programs as it goes.
constexpr std::size_t kProgramsMax = 4096;
/// A person wants to know why it is there, not by whom at all.
constexpr std::size_t kParentsMax = 4;
/// What is called by more names does as many things, and none of them is its name.
constexpr std::size_t kNamesMax = 16;

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Of a script on disk, as its first line names it; else empty.
std::string interpreter_of(const std::string& path) {
  if (!path.starts_with('/')) return {};
  const auto head = read_program_file(resolve_links(path));
  return head && head->kind == ProgramKind::Script ? resolve_links(head->interpreter) : std::string();
}

std::string gone_fault(const std::string& path) {
  std::error_code error;
  const bool is_there = std::filesystem::exists(path, error) || error;
  return is_there ? "" : "isn't there now: the run removed it, or made it where all is gone with the run";
}

std::string memory_fault(const std::string& path) {
  if (path.starts_with("/memfd:")) return "can't be listed: it is no file on disk, but in memory alone";
  if (path.starts_with("/proc/") || path.starts_with("/dev/fd/"))
    return "isn't there in the sandbox: it was started by a name of /proc or a descriptor, which leads to no file of one place";
  return {};
}

/// A name by which it was called, else the shortest that leads to it: it ages better than python3.11 or gcc-12.
std::string best_name(const std::string& target, const std::string& seen_as, const std::vector<std::string>& by_link,
                      const ProgramGround& ground) {
  auto name = name_to_list(target, seen_as, ground);
  const bool may_be_better = name == last_part(target) && !by_link.empty() && by_link.size() <= kNamesMax;
  return may_be_better && by_link.front().size() < name.size() ? by_link.front() : name;
}

}  // namespace

std::string LearnedPrograms::is_interpreter_of(const SeenProgram& program) {
  const auto last = last_.find(program.parent);
  if (last == last_.end()) return {};
  const auto& script = programs_[last->second];
  const bool is_it = !script.interpreter.empty() && script.interpreter == resolve_links(program.path);
  return is_it ? script.path : std::string();
}

void LearnedPrograms::add(const SeenProgram& program) {
  if (program.path.empty()) {
    is_whole_ = false;
    return;
  }
  // The kernel asks for a script first, and then, of the same caller, for its interpreter.
  const auto script = is_interpreter_of(program);
  auto place = places_.find(program.path);
  const bool is_new = place == places_.end();
  if (is_new) {
    if (programs_.size() == kProgramsMax) {
      is_whole_ = false;
      return;
    }
    place = places_.emplace(program.path, programs_.size()).first;
    programs_.push_back({program.path, {}, {}, interpreter_of(program.path)});
  }
  last_[program.parent] = place->second;
  auto& learned = programs_[place->second];
  if (!script.empty()) {
    if (learned.script.empty()) learned.script = script;
    return;
  }
  // The first start of the command's own file is that of the command.
  if (is_new && is_started(learned)) return;
  auto& parents = learned.parents;
  const bool is_known = std::find(parents.begin(), parents.end(), program.parent) != parents.end();
  if (!program.parent.empty() && !is_known && parents.size() < kParentsMax) parents.push_back(program.parent);
}

/// By its last part, or whole where another file has the same.
std::string LearnedPrograms::told(const std::string& path) const {
  const auto is_other = [&path](const Learned& other) {
    return other.path != path && last_part(other.path) == last_part(path) && resolve_links(other.path) != resolve_links(path);
  };
  return shown(std::any_of(programs_.begin(), programs_.end(), is_other) ? std::string_view(path) : last_part(path));
}

std::string LearnedPrograms::why_of(const Learned& learned) const {
  std::string text = is_started(learned) ? "the command itself" : "";
  if (!learned.script.empty()) text += (text.empty() ? "the interpreter of " : "; the interpreter of ") + told(learned.script);
  const auto& parents = learned.parents;
  for (std::size_t i = 0; i < std::min(parents.size(), kParentsMax - 1); ++i)
    text += (i != 0 ? ", " : text.empty() ? "started by " : "; started by ") + told(parents[i]);
  return text + (parents.size() < kParentsMax ? "" : " and others");
}

bool LearnedPrograms::is_started(const Learned& learned) const {
  return &learned == &programs_.front() && !started_.path.empty() && resolve_links(learned.path) == started_.path;
}

std::string LearnedPrograms::fault_of(const Learned& learned, const ProgramGround& ground) {
  if (auto fault = memory_fault(learned.path); !fault.empty()) return fault;
  if (auto fault = inside_fault(learned.path, ground); !fault.empty()) return fault;
  if (auto fault = gone_fault(learned.path); !fault.empty()) return fault;
  const auto target = resolve_links(learned.path);
  const auto loaders = machine_loaders();
  if (std::any_of(loaders.begin(), loaders.end(), [&](const auto& loader) { return resolve_links(loader) == target; }))
    return "it is a loader, which runs anyway beside a listed program that needs it";
  return kind_fault(target, false);
}

std::vector<LearnedPrograms::Offer> LearnedPrograms::offers(const Ground& ground) const {
  Grants grants = ground.spec;
  if (!grants.commands) grants.commands.emplace();
  const auto listed = *grants.commands;
  const auto place = ground_for_programs(grants, ground.closed);
  auto by_link = names_by_link(place.look);
  std::vector<Offer> offers;
  std::set<std::string> offered;
  for (const auto& learned : programs_) {
    Offer offer{&learned, {}, fault_of(learned, place)};
    if (offer.fault.empty()) {
      auto& program = offer.program;
      program.path = program.target = resolve_links(learned.path);
      if (find_listed(program.target, grants) != nullptr || !offered.insert(program.target).second) continue;
      program.written =
          best_name(program.target, is_started(learned) ? started_.name : learned.path, by_link[program.target], place);
      if (program.written.empty()) offer.fault = "its name can't be written in a list";
    }
    offers.push_back(std::move(offer));
  }
  // A script goes with its interpreter: one that can't be listed takes others along.
  for (bool is_settled = false; !is_settled;) {
    grants.commands = listed;
    std::vector<Offer*> tried(listed.size(), nullptr);
    for (auto& offer : offers)
      if (offer.fault.empty()) grants.commands->push_back(offer.program), tried.push_back(&offer);
    is_settled = true;
    for (auto& fault : judge_programs(ground_for_programs(grants, ground.closed)).faults) {
      if (tried[fault.place] == nullptr) continue;
      tried[fault.place]->fault = fault.fault.text(false);
      is_settled = false;
    }
  }
  return offers;
}

std::string LearnedPrograms::as_toml(const Ground& ground) const {
  std::string lines;
  std::string refused;
  const bool has_list = ground.spec.commands && !ground.spec.commands->empty();
  for (const auto& offer : offers(ground)) {
    auto why = why_of(*offer.learned);
    if (!offer.fault.empty()) {
      const bool is_built = offer.fault.starts_with("the sandbox can write it");
      refused += "# not offered: " + host::quoted(offer.learned->path) + (why.empty() ? "" : " (" + why + ")") + ": " +
                 offer.fault + (is_built ? "; what a run builds itself can't be listed" : "") + "\n";
      continue;
    }
    if (is_interpreter(offer.program.target) || is_interpreter(offer.program.written))
      why += std::string(why.empty() ? "" : "; ") + "runs any code";
    if (has_list) why = "new" + (why.empty() ? "" : ": " + why);
    lines += "  " + toml_string(offer.program.written) + "," + (why.empty() ? "" : "  # " + why) + "\n";
  }
  std::string text = ground.is_whole ? "" : "# Not whole: programs are missing here.\n";
  if (lines.empty()) return text + "# Nothing to add to [commands] allow.\n" + refused;
  std::string listed;
  if (has_list) {
    text += "# In place of the [commands] that stands in the spec, with what it lists:\n";
    for (const auto& program : *ground.spec.commands) listed += "  " + toml_string(program.written) + ",\n";
  }
  return text + "[commands]\nallow = [\n" + listed + lines + "]\n" + refused;
}

}  // namespace lnk::host
