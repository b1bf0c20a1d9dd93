// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "programs/interpreters.hpp"
#include "programs/program_file.hpp"
#include "resolve/programs.hpp"
#include "resolve/why.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// A script's interpreter may be a script, and each may lie where it isn't seen.
constexpr std::size_t kAdditionsMax = 8;

/// What a reader of an allowed program should know of it.
std::string more_of(const std::string& path, const std::string& target) {
  if (is_interpreter(path) || is_interpreter(target)) return "; an interpreter: it runs any code that it is handed";
  const auto head = read_program_file(target);
  if (head && head->kind == ProgramKind::Other)
    return "; neither a binary nor a script with a #! line: shells hand it to sh, which must be let run too";
  if (!head || head->kind != ProgramKind::Script) return {};
  return "; a script, which its interpreter " + host::quoted(head->interpreter) + " runs";
}

std::string as_sentence(const std::string& fault) { return (fault.starts_with("it") ? "" : "it ") + fault; }

std::string allow_line(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + toml_string(name);
  return "[commands] allow = [" + text + "]";
}

/// What a spec needs beside what it has, for a program to run.
struct Additions {
  std::vector<std::string> read;
  std::vector<std::string> allow;
  std::string fault;  ///< why none helps; empty: these do

  [[nodiscard]] std::string text() const {
    std::string line;
    for (const auto& path : read) line += (line.empty() ? "[files] read = [" : ", ") + toml_string(path);
    if (!line.empty()) line += "]";
    if (allow.empty()) return line;
    return line + (line.empty() ? "" : "; ") + allow_line(allow);
  }
};

class ProgramJudge {
 public:
  ProgramJudge(const std::string& name, const std::string& path, const Resolved& resolved, const Checked& checked)
      : path_(path),
        target_(resolve_links(path)),
        asked_("run " + host::quoted(name) + looked_up(name, path) + ": "),
        resolved_(resolved),
        checked_(checked) {}

  [[nodiscard]] Verdict judge(Verdict readable) const {
    if (!readable.allowed) return by_unread(std::move(readable));
    if (!resolved_.commands) return by_no_list(std::move(readable));
    if (const auto* entry = find_listed(target_, checked_.grants); entry != nullptr) return by_entry(*entry);
    if (const auto* entry = find_same_file(target_, checked_.grants); entry != nullptr)
      return by_entry(*entry, ", since it is another name of " + host::quoted(entry->target));
    const auto& loaders = checked_.loaders;
    if (std::find(loaders.begin(), loaders.end(), target_) != loaders.end())
      return {
          true,
          {},
          "loader",
          asked_ +
              "it is the loader of a listed program, which runs by it; it runs any file that it is handed and can read",
          {}};
    return by_no_entry();
  }

 private:
  [[nodiscard]] ProgramGround ground() const { return ground_for_programs(checked_.grants, checked_.closed); }

  [[nodiscard]] Verdict by_unread(Verdict verdict) const {
    verdict.words = asked_ + "it can't be read inside; " + verdict.words;
    if (verdict.mend.empty() || !resolved_.commands || find_listed(target_, checked_.grants) != nullptr) return verdict;
    const auto added = additions();
    verdict.mend = added.fault.empty() ? added.text() : "";
    if (!added.fault.empty()) verdict.words += "; and a list that names it is refused: " + added.fault;
    return verdict;
  }

  [[nodiscard]] Verdict by_no_list(Verdict verdict) const {
    const auto fault = head_fault(target_, ground());
    if (!fault.words.empty() && fault.missing.empty())
      return {false, {}, "no-interpreter", asked_ + as_sentence(fault.text(false)), {}};
    verdict.words = asked_ + "any program that can be read may run, since no [commands] lists which" +
                    more_of(path_, target_) + "; " + verdict.words;
    return verdict;
  }

  [[nodiscard]] Verdict by_entry(const GrantedProgram& entry, const std::string& how = {}) const {
    const auto is_it = [&entry](const auto& program) {
      return program.grant.path == entry.path && program.grant.is_folder == entry.is_folder;
    };
    const auto& origin = std::find_if(resolved_.commands->begin(), resolved_.commands->end(), is_it)->origin;
    const auto lists = asked_ + "allow = [" + host::quoted(entry.written) + "] lists it" + how;
    const auto fault = head_fault(target_, ground());
    if (fault.words.empty()) return {true, origin, "grant", lists + more_of(path_, target_), {}};
    const auto words = lists + ", but " + as_sentence(fault.text(false));
    if (fault.missing.empty()) return {false, {}, "no-interpreter", words, {}};
    return {false, origin, "command-not-listed", words, allow_line(fault.missing)};
  }

  /// With the mend, where a list with it would be taken.
  [[nodiscard]] Verdict by_no_entry() const {
    const auto added = additions();
    Verdict verdict{false,
                    resolved_.commands_at,
                    "command-not-listed",
                    asked_ + "no entry of allow lists it; it runs only as the command that is started",
                    {}};
    if (added.fault.empty())
      verdict.mend = added.text();
    else
      verdict.words += "; and a list that names it is refused: " + added.fault;
    return verdict;
  }

  [[nodiscard]] Additions additions() const {
    Additions added;
    auto grants = checked_.grants;
    const auto add = [&](const std::string& name) {
      const auto look = ground_for_programs(grants, checked_.closed).look;
      const auto path = name.starts_with("~/") ? grants.home + name.substr(1)
                        : name.starts_with('/') ? name
                                                : look.find(name);
      added.allow.push_back(name);
      grants.commands->push_back({name, path, resolve_links(path), false});
    };
    const auto name = name_to_list(target_, path_, ground());
    if (name.empty()) {
      added.fault = "its name can't be written in one";
      return added;
    }
    added.allow.push_back(name);
    grants.commands->push_back({name, path_, target_, false});
    for (std::size_t tries = 0; tries < kAdditionsMax; ++tries) {
      const auto faults = judge_programs(ground_for_programs(grants, checked_.closed)).faults;
      if (faults.empty()) return added;
      const auto& fault = faults.back().fault;
      const auto& program = (*grants.commands)[faults.back().place];
      if (fault.missing.empty() && fault.to_read.empty()) {
        added.fault = program_words(program.written, program.path) + fault.text(false);
        return added;
      }
      for (const auto& more : fault.missing) add(more);
      if (fault.to_read.empty()) continue;
      added.read.push_back(fault.to_read);
      grants.files.push_back({Access::Read, fault.to_read, resolve_links(fault.to_read), FileKind::Any, false});
    }
    added.fault = "it needs more than one line of a spec can tell";
    return added;
  }

  std::string path_;
  std::string target_;
  std::string asked_;
  const Resolved& resolved_;
  const Checked& checked_;
};

}  // namespace

Verdict why_program(const std::string& name, const std::string& path, Verdict readable, const Resolved& resolved,
                    const Checked& checked) {
  return ProgramJudge(name, path, resolved, checked).judge(std::move(readable));
}

}  // namespace lnk::host
