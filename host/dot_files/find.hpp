// SPDX-License-Identifier: Apache-2.0
//
// The places of written folders that run as the person outside, as they are now. Looks only: changes nothing, runs nothing,
// and believes nothing of what a program may have written there, but that it names more to be held.
// Guarantees: each place lies strictly inside a grant that writes; no place lies in another. What can't be held is a refusal
// in words.
// Does not do: look below the top for repositories that git's own files don't name.
#pragma once

#include <string>
#include <vector>

#include "dot_files/git_settings.hpp"
#include "environment/environment.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct DotPlace {
  std::string path;
  std::string why;          ///< for a person: "git's hooks"
  bool is_missing = false;  ///< an empty folder is to hold its name
  bool is_marked = false;   ///< it may be one that another run made
};

struct DotPlaces {
  std::vector<DotPlace> places;        ///< sorted by path
  std::vector<std::string> refusals;   ///< each one line; empty: what there is can be held
  std::vector<std::string> gaps;       ///< what can't be held here, each one line
};

/// Who works in the folders outside.
struct DotPerson {
  GitPerson git;
  std::vector<std::string> shared;  ///< folders in which no empty folder is ever put: the home, /tmp, /var/tmp, $TMPDIR
};

[[nodiscard]] DotPerson dot_person(const std::string& home, const Environment& environment);

/// complexity: linear in the index of each repository and in what its git folder holds of hooks, modules and worktrees; the
/// folders themselves are not walked.
[[nodiscard]] DotPlaces find_dot_places(const std::vector<GrantedFile>& files, const DotPerson& person);

/// The settings of agents and editors that are there and lie open, each one line for a person.
[[nodiscard]] std::vector<std::string> agents_gaps(const std::vector<GrantedFile>& files);

}  // namespace lnk::host
