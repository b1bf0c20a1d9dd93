// SPDX-License-Identifier: Apache-2.0
//
// The settings that git would read, gathered from files without running git, with what they include. Every include is
// followed, those of an includeIf as if its condition held: reading more only closes more.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dot_files/git_text.hpp"
#include "dot_files/look_budget.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// Where git finds the settings of a person and a machine: git-config(1), "FILES".
struct GitPerson {
  std::string home;
  std::string config_home;         ///< $XDG_CONFIG_HOME, else ~/.config
  std::vector<std::string> files;  ///< those of the person and of the machine, absolute
};

struct GitSettings {
  std::vector<GitSetting> settings;
  std::vector<std::string> files;  ///< each file that git looks for, there or not; absolute, links in it not followed
};

class GitSettingsReader {
 public:
  GitSettingsReader(const GitPerson& person, LookBudget& budget) : person_(person), budget_(budget) {}

  /// What one file says, with all that it includes.
  /// errors: Limit where files are larger, deeper or more than any real settings are
  [[nodiscard]] Result<GitSettings> read(const std::string& file);

  /// A path of a setting: `~/` is the home, and what is relative is taken at `folder`. Clean and absolute; empty: no path.
  [[nodiscard]] std::string path_of(std::string_view value, const std::string& folder) const;

 private:
  [[nodiscard]] Status add(const std::string& file, unsigned depth, GitSettings& into);

  const GitPerson& person_;
  LookBudget& budget_;
  std::map<std::string, GitText> texts_;  ///< by file: those of the person are read for each repository
};

}  // namespace lnk::host
