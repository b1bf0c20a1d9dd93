// SPDX-License-Identifier: Apache-2.0
//
// Collects the places to be held, each told where it lies in what the grants write.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dot_files/find.hpp"
#include "dot_files/look.hpp"
#include "dot_files/look_budget.hpp"

namespace lnk::host {

class DotPlaceCollector {
 public:
  DotPlaceCollector(const std::vector<GrantedFile>& files, const DotPerson& person) : files_(files), person_(person) {}

  /// Whether a grant writes this place and its dot files are held.
  [[nodiscard]] bool is_written(std::string_view path) const { return writer_of(path) != nullptr; }

  /// Holds a place of a written folder, with no link on the way to it; elsewhere there is nothing to hold.
  void hold(const std::string& path, std::string_view why);
  /// Holds what git would reach by this name: links outside of written folders are followed, as git follows them.
  void hold_named(const std::string& path, std::string_view why);
  /// Holds what it is if it is there, and leaves a missing one.
  void hold_if_there(const std::string& path, std::string_view why);
  /// Holds what the links in a held folder lead to, at any depth: a file that is a link runs as what it leads to.
  void hold_links_in(const std::string& folder);
  /// Holds a settings file; one that isn't there and could be made is refused, since a folder in its place breaks git.
  void hold_settings_file(const std::string& path);

  void refuse(std::string words);
  /// What was met at a place that may be a program's, with the mend.
  void refuse_at(const std::string& place, std::string words);
  [[nodiscard]] LookBudget& budget() noexcept { return budget_; }
  void add_gap(std::string words) { out_.gaps.push_back(std::move(words)); }

  [[nodiscard]] DotPlaces finish() &&;

 private:
  enum class Missing { Hold, Leave, Refuse };

  [[nodiscard]] const GrantedFile* writer_of(std::string_view path) const;
  void settle(const std::string& path, std::string_view why, Missing missing);

  /// A name followed as the kernel does.
  struct Way {
    std::string end;                 ///< where it leads, there or not; empty: nowhere
    std::vector<std::string> links;  ///< on the way, those that a run could change
  };
  [[nodiscard]] Way way_of(const std::string& path);
  void settle_way(const std::string& path, std::string_view why, Missing missing);
  void keep(const GrantedFile& writer, const Seen& seen, std::string_view why);
  [[nodiscard]] bool is_inside_held(const std::string& path) const;
  struct Folder {
    std::string path;
    unsigned depth = 0;
  };
  void look_through(const Folder& folder, std::vector<Folder>& more);

  const std::vector<GrantedFile>& files_;
  const DotPerson& person_;
  std::map<std::string, DotPlace> places_;
  LookBudget budget_;
  std::set<std::string> looked_through_;
  std::size_t links_looked_at_ = 0;
  DotPlaces out_;
};

}  // namespace lnk::host
