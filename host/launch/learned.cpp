// SPDX-License-Identifier: Apache-2.0
#include "launch/learned.hpp"

#include <algorithm>

#include "programs/interpreters.hpp"
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

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string started_by(const std::vector<std::string>& parents) {
  std::string text;
  for (std::size_t i = 0; i < std::min(parents.size(), kParentsMax - 1); ++i)
    text += (text.empty() ? "started by " : ", ") + shown(last_part(parents[i]));
  return text + (parents.size() < kParentsMax ? "" : " and others");
}

}  // namespace

void LearnedPrograms::add(const SeenProgram& program) {
  if (program.path.empty()) {
    is_whole_ = false;
    return;
  }
  auto place = places_.find(program.path);
  if (place == places_.end()) {
    if (programs_.size() == kProgramsMax) {
      is_whole_ = false;
      return;
    }
    place = places_.emplace(program.path, programs_.size()).first;
    programs_.push_back({program.path, {}});
    // The first start of the command's own file is that of the command.
    if (is_started(programs_.back())) return;
  }
  auto& parents = programs_[place->second].parents;
  const bool is_known = std::find(parents.begin(), parents.end(), program.parent) != parents.end();
  if (!program.parent.empty() && !is_known && parents.size() < kParentsMax) parents.push_back(program.parent);
}

bool LearnedPrograms::is_started(const Learned& learned) const {
  return &learned == &programs_.front() && !started_.path.empty() && resolve_links(learned.path) == started_.path;
}

std::vector<LearnedPrograms::Offer> LearnedPrograms::offers(const Ground& ground) const {
  Grants grants = ground.spec;
  if (!grants.commands) grants.commands.emplace();
  const auto listed = *grants.commands;
  std::vector<Offer> offers;
  {
    const auto place = ground_for_programs(grants, ground.closed);
    for (const auto& learned : programs_) {
      Offer offer{&learned, {}, inside_fault(learned.path, place)};
      auto& program = offer.program;
      if (offer.fault.empty()) program.path = program.target = resolve_links(learned.path);
      if (offer.fault.empty() && find_listed(program.target, grants) != nullptr) continue;
      if (offer.fault.empty()) offer.fault = kind_fault(program.target, false);
      if (offer.fault.empty())
        program.written = name_to_list(program.target, is_started(learned) ? started_.name : learned.path, place);
      if (offer.fault.empty() && program.written.empty()) offer.fault = "its name can't be written in a list";
      const auto is_same = [&program](const Offer& other) {
        return other.fault.empty() && other.program.target == program.target;
      };
      if (std::none_of(offers.begin(), offers.end(), is_same)) offers.push_back(std::move(offer));
    }
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
      tried[fault.place]->fault = std::move(fault.words);
      is_settled = false;
    }
  }
  return offers;
}

std::string LearnedPrograms::as_toml(const Ground& ground) const {
  std::string lines;
  std::string refused;
  for (const auto& offer : offers(ground)) {
    auto why = offer.learned->parents.empty() ? std::string() : started_by(offer.learned->parents);
    if (is_started(*offer.learned)) why = "the command itself" + (why.empty() ? "" : "; " + why);
    if (!offer.fault.empty()) {
      refused += "# not offered: " + host::quoted(offer.learned->path) + (why.empty() ? "" : " (" + why + ")") + ": " +
                 offer.fault + "\n";
      continue;
    }
    if (is_interpreter(offer.program.target) || is_interpreter(offer.program.written))
      why += std::string(why.empty() ? "" : "; ") + "runs any code";
    lines += "  " + toml_string(offer.program.written) + "," + (why.empty() ? "" : "  # " + why) + "\n";
  }
  std::string text = ground.is_whole ? "" : "# Not whole: programs are missing here.\n";
  if (lines.empty()) text += "# Nothing to add to [commands] allow.\n";
  if (!lines.empty() && ground.spec.commands) text += "# Beside what allow in [commands] lists already:\n";
  if (!lines.empty()) text += "[commands]\nallow = [\n" + lines + "]\n";
  return text + refused;
}

}  // namespace lnk::host
