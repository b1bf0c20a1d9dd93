// SPDX-License-Identifier: Apache-2.0
#include "dot_files/find.hpp"

#include <filesystem>

#include "dot_files/look.hpp"
#include "dot_files/names.hpp"
#include "dot_files/places.hpp"
#include "dot_files/repositories.hpp"
#include "resolve/check.hpp"
#include "resolve/resolve.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

std::string value_of(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

bool is_folder(const std::string& path) {
  const auto seen = look_at(path);
  return seen && seen->at == path && seen->entry == Entry::Folder;
}

bool writes_dot_file(const GrantedFile* nearest) { return nearest != nullptr && nearest->access == Access::Write && !nearest->open_dot_files; }

std::vector<const GrantedFile*> written_folders(const std::vector<GrantedFile>& files) {
  std::vector<const GrantedFile*> written;
  for (const auto& file : files)
    if (writes_dot_file(&file) && is_folder(file.target)) written.push_back(&file);
  return written;
}

/// A folder that git takes for a repository itself, and one inside: hooks and settings lie open in it. A .git in a folder is what
/// git takes before the folder itself.
bool is_inside_git_folder(std::filesystem::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (repository_at(folder.native())) return false;
    if (is_git_folder(folder.native())) return true;
  }
  return false;
}

class Finder {
 public:
  Finder(const std::vector<GrantedFile>& files, const DotPerson& person) : places_(files, person), repositories_(places_, person) {}

  void take(const GrantedFile& file) {
    if (is_inside_git_folder(file.target))
      return places_.refuse("write " + host::quoted(file.path) +
                            ": is a git folder or inside one, whose hooks and settings run as you outside; write the work tree instead, or name it in "
                            "write_dot_files as well");
    repositories_.forget_calls();
    const bool has_repository = repositories_.visit(file.target);
    for (const auto& name : dot_files()) this->name(file.target + "/" + std::string(name.name), name);
    if (!has_repository) hold_bare(file);
  }

  DotPlaces finish() && { return std::move(places_).finish(); }

 private:
  void name(const std::string& path, const DotFile& file) {
    const bool is_called = !file.reader.empty() && repositories_.calls(file.reader);
    if (file.when_missing == WhenMissing::OnlyIfCalled && !is_called) return;
    const bool is_read = file.when_missing == WhenMissing::Hold || is_called;
    if (is_read)
      places_.hold(path, "a protected name");
    else
      places_.hold_if_there(path, "a protected name");
    if (file.name != ".git") places_.hold_links_in(path);
  }

  /// Where git finds no repository at the folder it takes the folder itself for one, if HEAD, objects and refs are made in it:
  /// setup_git_directory_gently in git's setup.c. A folder at HEAD is none that git takes.
  void hold_bare(const GrantedFile& file) {
    if (!repositories_.is_within_one(file.target)) return places_.hold(file.target + "/HEAD", "what would make the folder a repository");
    // There a HEAD of ours would stand in the way: git then no longer tells it from the commit.
    places_.hold_if_there(file.target + "/HEAD", "what would make the folder a repository");
    places_.add_gap(host::quoted(file.path) + " lies inside a repository: a bare repository made at its top is one that git runs from there (git config --global "
                    "safe.bareRepository explicit closes that)");
  }

  DotPlaceCollector places_;
  Repositories repositories_;
};

}  // namespace

DotPerson dot_person(const std::string& home, const Environment& environment) {
  DotPerson person;
  person.git.home = home;
  person.git.config_home = value_of(environment, "XDG_CONFIG_HOME");
  if (!person.git.config_home.starts_with('/')) person.git.config_home = home + "/.config";
  person.git.files = {"/etc/gitconfig", person.git.config_home + "/git/config", home + "/.gitconfig"};
  for (const char* name : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"})
    if (auto file = value_of(environment, name); file.starts_with('/')) person.git.files.push_back(std::move(file));
  for (const auto& folder : {home, std::string("/tmp"), std::string("/var/tmp"), value_of(environment, "TMPDIR")})
    if (folder.starts_with('/')) person.shared.push_back(resolve_links(folder));
  return person;
}

DotPlaces find_dot_places(const std::vector<GrantedFile>& files, const DotPerson& person) {
  const auto written = written_folders(files);
  if (written.empty()) return {};
  Finder finder(files, person);
  for (const auto* file : written) finder.take(*file);
  return std::move(finder).finish();
}

std::vector<std::string> agents_gaps(const std::vector<GrantedFile>& files) {
  std::vector<std::string> gaps;
  for (const auto* file : written_folders(files))
    for (const auto name : agents_settings()) {
      const auto path = file->target + "/" + std::string(name);
      const auto seen = look_at(path);
      if (!seen || seen->at != path || seen->entry == Entry::Missing || !writes_dot_file(nearest_grant(path, files))) continue;
      gaps.push_back(host::quoted(path) + " can hold settings by which an agent or editor runs commands as you, and is the program's to write; name it in "
                     "[files] read or hide to close it");
    }
  return gaps;
}

}  // namespace lnk::host
