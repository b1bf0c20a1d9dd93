// SPDX-License-Identifier: Apache-2.0
#include "dot_files/repositories.hpp"

#include <algorithm>
#include <filesystem>

#include "dot_files/git_index.hpp"
#include "dot_files/hook_text.hpp"
#include "dot_files/look.hpp"
#include "dot_files/names.hpp"
#include "resolve/resolve.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

Entry entry_of(const std::string& path) {
  const auto seen = look_at(path);
  return seen && seen->at == path ? seen->entry : Entry::Missing;
}

std::string joined(const std::string& folder, std::string_view rest) {
  auto clean = (std::filesystem::path(folder) / rest).lexically_normal().native();
  while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  return clean;
}

/// A file that holds one path and a line's end.
std::string path_in(const std::string& file, std::string_view prefix = {}) {
  const auto text = read_plain(file, LookLimits::kPointerBytes, Links::Followed);
  if (!text || !*text || !(*text)->starts_with(prefix)) return {};
  auto path = (*text)->substr(prefix.size());
  path.resize(std::min(path.find('\0'), path.size()));
  while (path.ends_with('\n') || path.ends_with('\r')) path.pop_back();
  return path;
}

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.front() == '/') return false;
  const std::filesystem::path parts(path);
  return std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part == ".." || part == "." || part.empty(); });
}

}  // namespace

bool is_git_folder(const std::string& folder) {
  const auto head = entry_of(folder + "/HEAD");
  if (head != Entry::File && head != Entry::Link) return false;
  return entry_of(folder + "/commondir") == Entry::File ||
         (entry_of(folder + "/objects") != Entry::Missing && entry_of(folder + "/refs") != Entry::Missing);
}

Result<Repository> repository_at(const std::string& folder) {
  Repository found{folder, joined(folder, ".git"), {}, {}};
  if (entry_of(found.git) == Entry::Link) found.git = resolve_links(found.git);
  if (entry_of(found.git) == Entry::File) {
    const auto pointer = path_in(found.git, "gitdir: ");
    if (pointer.empty()) return fail(Code::Gone, "no repository");
    // git asks nothing back of what it points to, so neither does this: what is read there only closes more.
    found.named.push_back(joined(folder, pointer));
    found.git = resolve_links(found.named.back());
  }
  if (found.git.empty() || !is_git_folder(found.git)) return fail(Code::Gone, "no repository");
  const auto common = path_in(found.git + "/commondir");
  if (!common.empty()) found.named.push_back(joined(found.git, common));
  found.common = common.empty() ? found.git : resolve_links(found.named.back());
  return found;
}

Repositories::Repositories(DotPlaceCollector& places, const DotPerson& person) : places_(places), person_(person), reader_(person.git, places.budget()) {
  for (const auto& file : person.git.files) {
    auto settings = reader_.read(file);
    if (!settings) {
      places_.refuse(settings.error().text);
      continue;
    }
    // Its own file may be kept in a written folder and linked from the home.
    for (const auto& name : settings->files) of_person_.files.push_back(name);
    for (auto& setting : settings->settings) of_person_.settings.push_back(std::move(setting));
  }
}

bool Repositories::visit(const std::string& folder) {
  apply(of_person_, {folder});
  const auto here = repository_at(folder);
  if (here) take(*here, 0);
  for (auto above = std::filesystem::path(folder).parent_path(); above.has_relative_path(); above = above.parent_path())
    if (const auto around = repository_at(above.native())) take(*around, 0);
  return here.has_value();
}

bool Repositories::is_within_one(const std::string& folder) const {
  for (auto above = std::filesystem::path(folder).parent_path(); above.has_relative_path(); above = above.parent_path())
    if (repository_at(above.native())) return true;
  return false;
}

void Repositories::take_at(const std::string& work_tree, unsigned depth) {
  if (!budget().take(work_tree, LookLimits::kRepositorySteps)) return;
  if (const auto found = repository_at(work_tree)) take(*found, depth);
}

void Repositories::take(const Repository& repository, unsigned depth) {
  if (!visited_.insert(repository.work_tree).second) return;
  if (depth == LookLimits::kRepositoryDepth || visited_.size() > LookLimits::kRepositories)
    return places_.refuse_at(repository.work_tree, host::quoted(repository.work_tree) +
                                                       " is one of more repositories in each other than can be looked through; write folders in them instead");
  places_.hold(joined(repository.work_tree, ".git"), "a repository");
  for (const auto& name : repository.named) places_.hold_named(name, "a repository's git folder");
  for (const auto& folder : {repository.git, repository.common}) places_.hold_if_there(folder, "a repository's git folder");
  const Tops work_trees = tops_of(repository);
  // Hooks of a push into it are run in the git folder: githooks(5).
  Tops tops = work_trees;
  for (const auto& folder : {repository.git, repository.common})
    if (std::find(tops.begin(), tops.end(), folder) == tops.end()) tops.push_back(folder);
  apply(of_person_, tops);
  take_settings_file(repository.common + "/config", tops);
  take_settings_file(repository.git + "/config.worktree", tops);
  places_.hold_named(repository.common + "/hooks", "git's hooks");  // it may be a link to a folder beside the sources
  take_hooks(repository.common + "/hooks");
  for (const auto& work_tree : work_trees) take_managers(work_tree);
  take_work_trees(repository, depth);
  take_modules(repository.common + "/modules", depth);
  take_index(repository, work_trees, depth);
  for (const auto& work_tree : work_trees) take_gitmodules(work_tree, depth);
}

/// The folder that the repository was found at, and the work tree that its settings name in its stead: a relative core.worktree
/// is one of the git folder (git-config(1)), and git stands at the work tree's top whenever it was started inside. Started
/// outside, beside the .git, it stays where it was started: setup_explicit_git_dir in git's setup.c.
Repositories::Tops Repositories::tops_of(const Repository& repository) {
  Tops tops = {repository.work_tree};
  const auto add = [&tops](std::string top) {
    if (!top.empty() && std::find(tops.begin(), tops.end(), top) == tops.end()) tops.push_back(std::move(top));
  };
  for (const auto& file : {repository.common + "/config", repository.git + "/config.worktree"}) {
    const auto settings = reader_.read(file);  // what can't be read is refused where it is applied
    if (!settings) continue;
    for (const auto& setting : settings->settings) {
      if (setting.key != "core.worktree" || !setting.value || setting.value->empty()) continue;
      if (!budget().take(file, LookLimits::kPlaceSteps)) return tops;
      if (tops.size() >= LookLimits::kTops) {
        places_.refuse_at(file, host::quoted(file) + " sets core.worktree to too many places, of which git takes one");
        return tops;
      }
      add(joined(repository.git, *setting.value));
      add(resolve_links(joined(repository.git, *setting.value)));
    }
  }
  return tops;
}

void Repositories::take_settings_file(const std::string& file, const Tops& tops) {
  const auto settings = reader_.read(file);
  if (!settings) return places_.refuse_at(file, settings.error().text);
  apply(*settings, tops);
}

void Repositories::apply(const GitSettings& settings, const Tops& tops) {
  for (const auto& file : settings.files) places_.hold_settings_file(file);
  for (const auto& setting : settings.settings) {
    if (!setting.value) continue;
    if (!budget().take(tops.front())) return;
    note_calls(*setting.value);
    if (setting.key != "core.hookspath") continue;
    // A relative one is taken at the folder that the hooks are run in: git-config(1).
    for (const auto& top : tops)
      if (const auto folder = reader_.path_of(*setting.value, top); !folder.empty()) take_hooks_path(folder);
  }
}

void Repositories::take_hooks_path(const std::string& folder) {
  // husky's stubs in _ run the scripts beside it.
  if (folder.ends_with("/_")) places_.hold_named(folder.substr(0, folder.size() - 2), "what git's hooks call");
  places_.hold_named(folder, "git's hooks");
  take_hooks(folder);
}

void Repositories::take_hooks(const std::string& folder) {
  const auto names = budget().names(folder, LookLimits::kHooks, Links::Followed);
  if (!names) return places_.refuse_at(folder, names.error().text + ", and git's hooks are taken from it");
  for (const auto& name : *names)
    if (!name.ends_with(".sample")) take_hook(joined(folder, name));
  places_.hold_links_in(folder);
}

void Repositories::take_hook(const std::string& file) {
  // A hook is often a link to a file beside the sources.
  places_.hold_named(file, "a hook of git's");
  const auto text = budget().read(file, LookLimits::kHookBytes, Links::Followed);
  if (!text) calls_all_ = true;  // too large to be told
  if (text && *text) note_calls(**text);
}

void Repositories::note_calls(std::string_view text) {
  bool calls_one = false;
  std::string_view last;
  for (const auto& file : dot_files()) {
    if (file.reader.empty() || file.reader == last) continue;  // those of one reader lie together
    last = file.reader;
    if (text.find(last) == std::string_view::npos) continue;
    calls_.emplace(last);
    calls_one = true;
  }
  if (!calls_one) return;
  for (auto& named : settings_named_in(text)) named_[std::move(named.file)] |= named.is_sure;
}

/// Hooks call the managers' files at the top, below that of the written folder too, and what they name to them.
void Repositories::take_managers(const std::string& top) {
  constexpr std::string_view kWhy = "a hook manager's file";
  for (const auto& file : dot_files()) {
    if (file.reader.empty()) continue;
    const auto path = joined(top, file.name);
    if (calls(file.reader))
      places_.hold(path, kWhy);
    else if (file.when_missing == WhenMissing::HoldIfCalled)
      places_.hold_if_there(path, kWhy);
    else
      continue;
    places_.hold_links_in(path);
  }
  for (const auto& [name, is_sure] : named_) {
    const auto path = joined(top, name);
    if (is_sure)
      places_.hold_named(path, kWhy);
    else if (entry_of(path) == Entry::File || entry_of(path) == Entry::Link)
      places_.hold_named(path, kWhy);
  }
}

void Repositories::take_work_trees(const Repository& repository, unsigned depth) {
  const auto folder = repository.common + "/worktrees";
  const auto names = budget().names(folder, LookLimits::kWorkTrees, Links::Followed);
  if (!names) return places_.refuse_at(folder, names.error().text);
  for (const auto& name : *names) {
    if (!budget().take(folder, LookLimits::kPlaceSteps)) return;
    const auto pointer = path_in(repository.common + "/worktrees/" + name + "/gitdir");
    if (pointer.empty()) continue;
    const auto git = joined(repository.common + "/worktrees/" + name, pointer);
    if (!places_.is_written(git)) continue;
    places_.hold_if_there(git, "a linked work tree's .git");
    take_at(std::filesystem::path(git).parent_path().native(), depth + 1);
  }
}

void Repositories::take_modules(const std::string& folder, unsigned depth) {
  const auto names = budget().names(folder, LookLimits::kModules, Links::Followed);
  if (!names) return places_.refuse_at(folder, names.error().text);
  if (depth == LookLimits::kRepositoryDepth) return places_.refuse_at(folder, host::quoted(folder) + " holds submodules deeper than can be looked through");
  for (const auto& name : *names) {
    if (!budget().take(folder, LookLimits::kRepositorySteps)) return;
    const auto module = joined(folder, name);
    if (!is_git_folder(module)) {
      take_modules(module, depth + 1);  // the name of a submodule may have slashes
      continue;
    }
    const auto settings = reader_.read(module + "/config");
    if (!settings) return places_.refuse_at(module, settings.error().text);
    for (const auto& setting : settings->settings) {
      if (setting.key != "core.worktree" || !setting.value) continue;
      const auto work_tree = joined(module, *setting.value);
      if (!places_.is_written(work_tree)) continue;
      places_.hold_if_there(work_tree + "/.git", "a submodule's .git");
      take_at(work_tree, depth + 1);
    }
    take_modules(module + "/modules", depth + 1);
  }
}

bool Repositories::is_sha256(const Repository& repository) {
  const auto settings = reader_.read(repository.common + "/config");
  return settings && std::any_of(settings->settings.begin(), settings->settings.end(), [](const auto& setting) {
           return setting.key == "extensions.objectformat" && setting.value == "sha256";
         });
}

void Repositories::take_index(const Repository& repository, const Tops& work_trees, unsigned depth) {
  std::string file = repository.git + "/index";
  const std::size_t hash_bytes = is_sha256(repository) ? kSha256Bytes : kSha1Bytes;
  // A split index holds what changed, and names the one that holds the rest.
  for (int part = 0; part < 2 && !file.empty(); ++part) {
    const auto bytes = budget().read(file, LookLimits::kIndexBytes, Links::Followed);
    if (!bytes) return places_.refuse_at(file, bytes.error().text + ", and what git runs in can't be told");
    if (!*bytes || (*bytes)->empty()) return;
    const auto index = read_git_index(**bytes, hash_bytes);
    if (!index) return places_.refuse_at(file, host::quoted(file) + " " + index.error().text + "; git status tells what is wrong");
    for (const auto& path : index->gitlinks) {
      if (path.empty())
        return places_.refuse_at(file, host::quoted(file) + " is split in a way that hides a submodule's name; join it with: git update-index --no-split-index");
      if (!is_plain_path(path)) continue;
      if (!budget().take(file, LookLimits::kPlaceSteps)) return;
      for (const auto& work_tree : work_trees) take_gitlink(joined(work_tree, path), depth);
    }
    file = index->shared.empty() ? std::string() : repository.git + "/sharedindex." + index->shared;
  }
}

/// git runs itself in such a folder once a repository is there. One that isn't there yet can't be held by an empty .git, at
/// which git gives up, and so the folder is held.
void Repositories::take_gitlink(const std::string& folder, unsigned depth) {
  if (!places_.is_written(folder)) return;
  const auto git = joined(folder, ".git");
  const auto seen = look_at(git);
  const bool is_missing = seen && seen->entry == Entry::Missing;
  places_.hold(is_missing ? folder : git, "a submodule");
  if (!is_missing) take_at(folder, depth + 1);
}

void Repositories::take_gitmodules(const std::string& work_tree, unsigned depth) {
  const auto text = budget().read(joined(work_tree, ".gitmodules"), LookLimits::kGitmodulesBytes, Links::Refused);
  if (!text) return places_.refuse_at(work_tree, text.error().text);
  if (!*text) return;
  for (const auto& setting : read_git_text(**text).settings) {
    if (!is_git_key(setting.key, "submodule", "path") || !setting.value || !is_plain_path(*setting.value)) continue;
    if (!budget().take(work_tree, LookLimits::kPlaceSteps)) return;
    const auto folder = joined(work_tree, *setting.value);
    // The file is the program's to write: what it names can be held, but is no reason to refuse a start.
    const auto there = entry_of(folder + "/.git");
    if (!places_.is_written(folder) || (there != Entry::Folder && there != Entry::File)) continue;
    places_.hold(folder + "/.git", "a submodule's .git");
    take_at(folder, depth + 1);
  }
}

}  // namespace lnk::host
