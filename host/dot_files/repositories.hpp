// SPDX-License-Identifier: Apache-2.0
//
// What git reads and runs for a folder: the repository there or around it, its hooks and settings, and the repositories below
// that it names. All read as files; git is never run.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "dot_files/git_settings.hpp"
#include "dot_files/places.hpp"

namespace lnk::host {

/// A repository as git finds it at a folder.
struct Repository {
  std::string work_tree;
  std::string git;     ///< its own git folder
  std::string common;  ///< that which it shares with other work trees
  std::vector<std::string> named;  ///< as the pointers to these two are written, with their links
};

class Repositories {
 public:
  Repositories(DotPlaceCollector& places, const DotPerson& person);

  /// Holds what git would read and run for a folder that the person works in. True: there is a repository at it.
  bool visit(const std::string& folder);

  /// Whether a repository lies around the folder.
  [[nodiscard]] bool is_within_one(const std::string& folder) const;

  /// Whether hooks or settings met since the last `forget_calls` call this program.
  [[nodiscard]] bool calls(std::string_view program) const { return calls_all_ || calls_.contains(program); }
  void forget_calls() { calls_.clear(), named_.clear(), calls_all_ = false; }

 private:
  void take(const Repository& repository, unsigned depth);
  void take_at(const std::string& work_tree, unsigned depth);
  /// Where git may stand when it takes a relative path of a setting.
  using Tops = std::vector<std::string>;
  [[nodiscard]] Tops tops_of(const Repository& repository);
  void apply(const GitSettings& settings, const Tops& tops);
  void take_settings_file(const std::string& file, const Tops& tops);
  void take_hooks_path(const std::string& folder);
  void take_hooks(const std::string& folder);
  void take_hook(const std::string& file);
  void note_calls(std::string_view text);
  void take_managers(const std::string& top);
  void take_work_trees(const Repository& repository, unsigned depth);
  void take_modules(const std::string& folder, unsigned depth);
  void take_index(const Repository& repository, const Tops& work_trees, unsigned depth);
  void take_gitlink(const std::string& folder, unsigned depth);
  void take_gitmodules(const std::string& work_tree, unsigned depth);
  [[nodiscard]] LookBudget& budget() noexcept { return places_.budget(); }
  [[nodiscard]] bool is_sha256(const Repository& repository);

  DotPlaceCollector& places_;
  const DotPerson& person_;
  GitSettingsReader reader_;
  GitSettings of_person_;
  std::set<std::string> visited_;
  std::set<std::string, std::less<>> calls_;
  std::map<std::string, bool> named_;  ///< settings that hooks hand to what they call: whether it is sure that they are
  bool calls_all_ = false;
};

/// errors: Limit
[[nodiscard]] Result<Repository> repository_at(const std::string& folder);

/// Whether git takes the folder itself for a repository: HEAD, objects and refs stand in it.
[[nodiscard]] bool is_git_folder(const std::string& folder);

}  // namespace lnk::host
