// SPDX-License-Identifier: Apache-2.0
#include "resolve/programs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "environment/environment.hpp"
#include "lnk/cpp/utf8.hpp"
#include "programs/lookup.hpp"
#include "programs/program_file.hpp"
#include "resolve/check.hpp"
#include "resolve/program_place.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

std::string path_variable_of(const Grants& grants) {
  return environment_from_nothing(own_environment(), grants, nullptr).at("PATH");
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + host::quoted(name);
  return "allow = [" + text + "]";
}

void sort_once(std::vector<std::string>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Holds what a program's file says of itself against the list, and gives its loader.
class HeadJudge {
 public:
  HeadJudge(const ProgramGround& ground, std::vector<std::string>& loaders) : ground_(ground), loaders_(loaders) {}

  [[nodiscard]] std::string judge(const std::string& target) const {
    const auto head = read_program_file(target);
    if (!head)
      return (head.error().code == Code::Invalid ? "" : "can't be read, and so not what it needs to run: ") +
             head.error().text;
    if (head->kind == ProgramKind::Script) return judge_script(*head);
    return head->loader.empty() ? std::string() : judge_loader(head->loader);
  }

  /// Any program of a folder may ask for any.
  void add_loaders_of_machine() const {
    for (const auto& loader : machine_loaders())
      if (const auto target = resolve_links(loader); place_fault(target, ground_).empty()) loaders_.push_back(target);
  }

 private:
  [[nodiscard]] std::string judge_loader(const std::string& name) const {
    if (!name.starts_with('/')) return "its loader, " + host::quoted(name) + ", isn't named by an absolute path";
    const auto target = resolve_links(name);
    if (!std::filesystem::is_regular_file(target)) return {};  // it can't run, and says so itself
    const auto fault = place_fault(target, ground_);
    if (!fault.empty()) return "its loader, " + host::quoted(target) + ": " + fault;
    loaders_.push_back(target);
    return {};
  }

  [[nodiscard]] std::string judge_script(const ProgramHead& head) const {
    if (!head.interpreter.starts_with('/'))
      return "is a script, and its interpreter, " + host::quoted(head.interpreter) +
             ", isn't named by an absolute path";
    std::vector<std::string> missing;
    add_missing(head.interpreter, missing);
    const bool is_by_env = head.interpreter.ends_with("/env");
    const auto by_env = is_by_env ? program_of_env(head.argument) : std::string();
    const auto found = by_env.empty() ? std::string() : ground_.look.find(by_env);
    if (!found.empty()) add_missing(found, missing);
    if (missing.empty()) return {};
    const std::string first = "is a script that " + host::quoted(head.interpreter) + " starts";
    if (is_by_env && !by_env.empty())
      return first + " by looking " + host::quoted(by_env) + " up, and both must be listed; add to " + list_of(missing);
    return first + ", and an interpreter must be listed too; add to " + list_of(missing);
  }

  void add_missing(const std::string& path, std::vector<std::string>& missing) const {
    const auto target = resolve_links(path);
    if (find_listed(target, ground_.grants) != nullptr) return;
    const auto name = name_to_list(target, path, ground_);
    missing.push_back(name.empty() ? path : name);
  }

  const ProgramGround& ground_;
  std::vector<std::string>& loaders_;
};

std::string judge_one(const GrantedProgram& program, const ProgramGround& ground, std::vector<std::string>& loaders) {
  if (!is_utf8(program.path)) return "isn't UTF-8, which a kept snapshot can't hold; rename it";
  if (auto fault = kind_fault(program.target, program.is_folder); !fault.empty()) return fault;
  if (auto fault = place_fault(program.target, ground); !fault.empty()) return fault;
  const HeadJudge head(ground, loaders);
  if (!program.is_folder) return head.judge(program.target);
  head.add_loaders_of_machine();
  return folder_fault(program.target, ground);
}

}  // namespace

std::string LooksInside::find(const std::string& name) const {
  Grants grants;
  grants.files = files;
  return find_on_path(name, path_variable, [&grants](const std::string& path) {
    return is_open(path, grants) && is_open(resolve_links(path), grants);
  });
}

LooksInside looks_inside(const Grants& grants) { return {path_variable_of(grants), grants.files}; }

LooksInside looks_inside(const Resolved& resolved) {
  Grants grants;
  grants.env_pass = resolved.env_pass;
  grants.env_set = resolved.env_set;
  for (const auto& file : resolved.files) grants.files.push_back(file.grant);
  return looks_inside(grants);
}

ProgramGround ground_for_programs(const Grants& grants, const std::vector<std::string>& closed) {
  return {grants, closed, looks_inside(grants), resolve_links(grants.home)};
}

std::string program_words(std::string_view written) { return "allow " + host::quoted(written) + ": "; }

const GrantedProgram* find_listed(std::string_view target, const Grants& grants) {
  if (!grants.commands) return nullptr;
  const auto names_it = [target](const GrantedProgram& program) {
    return program.is_folder ? is_within(target, program.target) : program.target == target;
  };
  const auto found = std::find_if(grants.commands->begin(), grants.commands->end(), names_it);
  return found == grants.commands->end() ? nullptr : &*found;
}

const GrantedProgram* find_same_file(const std::string& target, const Grants& grants) {
  struct stat wanted {};
  if (!grants.commands || ::stat(target.c_str(), &wanted) != 0 || wanted.st_nlink < 2) return nullptr;
  const auto is_it = [&wanted](const GrantedProgram& program) {
    struct stat other {};
    return !program.is_folder && ::stat(program.target.c_str(), &other) == 0 && other.st_dev == wanted.st_dev &&
           other.st_ino == wanted.st_ino;
  };
  const auto found = std::find_if(grants.commands->begin(), grants.commands->end(), is_it);
  return found == grants.commands->end() ? nullptr : &*found;
}

JudgedPrograms judge_programs(const ProgramGround& ground) {
  JudgedPrograms judged;
  if (!ground.grants.commands) return judged;
  const auto& programs = *ground.grants.commands;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (auto words = judge_one(programs[i], ground, judged.loaders); !words.empty())
      judged.faults.push_back({i, std::move(words)});
  sort_once(judged.loaders);
  return judged;
}

std::string judge_started(const std::string& path, const ProgramGround& ground, std::vector<std::string>& loaders) {
  auto words = judge_one({path, path, path, false}, ground, loaders);
  sort_once(loaders);
  return words;
}

std::string head_fault(const std::string& target, const ProgramGround& ground) {
  std::vector<std::string> loaders;
  return HeadJudge(ground, loaders).judge(target);
}

std::string line_of(const Origin& origin) {
  const auto column = origin.rfind(':');
  return column == std::string::npos ? origin : origin.substr(0, column);
}

std::string name_to_list(const std::string& target, const std::string& seen_as, const ProgramGround& ground) {
  std::vector<std::string> names;
  for (const auto& path : {seen_as, target}) {
    const auto name = path.substr(path.rfind('/') + 1);
    if (!name.empty() && resolve_links(ground.look.find(name)) == target) names.push_back(name);
  }
  const auto& home = ground.home_target;
  if (home.size() > 1 && target != home && is_within(target, home)) names.push_back("~" + target.substr(home.size()));
  names.push_back(target);
  const auto can_be_written = [](const std::string& name) { return is_utf8(name) && read_program(name).has_value(); };
  const auto found = std::find_if(names.begin(), names.end(), can_be_written);
  return found == names.end() ? std::string() : *found;
}

}  // namespace lnk::host
