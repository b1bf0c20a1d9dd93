// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "programs/interpreters.hpp"
#include "programs/program_file.hpp"
#include "resolve/programs.hpp"
#include "resolve/why.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// What a reader of an allowed program should know of it.
std::string more_of(const std::string& path, const std::string& target) {
  if (is_interpreter(path) || is_interpreter(target)) return "; an interpreter: it runs any code that it is handed";
  const auto head = read_program_file(target);
  if (!head || head->kind != ProgramKind::Script) return {};
  return "; a script, which its interpreter " + host::quoted(head->interpreter) + " runs";
}

class ProgramJudge {
 public:
  ProgramJudge(const std::string& name, const std::string& path, const Resolved& resolved, const Checked& checked)
      : path_(path),
        target_(resolve_links(path)),
        asked_("run " + host::quoted(name) + ": "),
        resolved_(resolved),
        checked_(checked) {}

  [[nodiscard]] Verdict judge(Verdict readable) const {
    if (!readable.allowed || !resolved_.commands) {
      readable.words = asked_ +
                       (readable.allowed ? "any program that can be read may run, since no [commands] lists which" +
                                               more_of(path_, target_) + "; "
                                         : "it can't be read inside; ") +
                       readable.words;
      return readable;
    }
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
  [[nodiscard]] Verdict by_entry(const GrantedProgram& entry, const std::string& how = {}) const {
    const auto is_it = [&entry](const auto& program) {
      return program.grant.path == entry.path && program.grant.is_folder == entry.is_folder;
    };
    const auto& origin = std::find_if(resolved_.commands->begin(), resolved_.commands->end(), is_it)->origin;
    const auto lists = asked_ + "allow = [" + host::quoted(entry.written) + "] lists it" + how;
    const auto fault = head_fault(target_, ground_for_programs(checked_.grants, checked_.closed));
    if (!fault.empty()) return {false, origin, "grant", lists + ", but it " + fault, {}};
    return {true, origin, "grant", lists + more_of(path_, target_), {}};
  }

  /// With the mend, where a list with it would be taken.
  [[nodiscard]] Verdict by_no_entry() const {
    Verdict verdict{false,
                    resolved_.commands_at,
                    "command-not-listed",
                    asked_ + "no entry of allow lists it; it runs only as the command that is started",
                    {}};
    auto grants = checked_.grants;
    const auto name = name_to_list(target_, path_, ground_for_programs(grants, checked_.closed));
    if (name.empty()) return verdict;
    grants.commands->push_back({name, target_, target_, false});
    const auto faults = judge_programs(ground_for_programs(grants, checked_.closed)).faults;
    if (faults.empty())
      verdict.mend = "[commands] allow = [" + toml_string(name) + "]";
    else
      verdict.words += "; and a list that names it is refused: " + faults.back().words;
    return verdict;
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
