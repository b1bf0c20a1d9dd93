// SPDX-License-Identifier: Apache-2.0
#include "dot_files/repositories.hpp"

#include <algorithm>
#include <filesystem>

#include "dot_files/git_index.hpp"
#include "dot_files/look.hpp"
#include "dot_files/names.hpp"
#include "resolve/resolve.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kPointerBytesMax = 16U << 10U;  // a path of 4 KiB and some
constexpr std::size_t kHookBytesMax = 1U << 20U;
constexpr std::size_t kGitmodulesBytesMax = 4U << 20U;
constexpr std::size_t kIndexBytesMax = 256U << 20U;  // some two million files
constexpr std::size_t kHooksMax = 1024;
constexpr std::size_t kWorkTreesMax = 1024;
constexpr std::size_t kRepositoriesMax = 1024;
constexpr unsigned kDepthMax = 16;

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
  const auto text = read_plain(file, kPointerBytesMax, Links::Followed);
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

Repositories::Repositories(DotPlaceCollector& places, const DotPerson& person) : places_(places), person_(person), reader_(person.git) {
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
  apply(of_person_, folder);
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
  if (const auto found = repository_at(work_tree)) take(*found, depth);
}

void Repositories::take(const Repository& repository, unsigned depth) {
  if (!visited_.insert(repository.work_tree).second) return;
  if (depth == kDepthMax || visited_.size() > kRepositoriesMax)
    return places_.refuse(host::quoted(repository.work_tree) + " is one of more repositories in each other than can be looked through; write folders in them instead");
  places_.hold(joined(repository.work_tree, ".git"), "a repository");
  for (const auto& name : repository.named) places_.hold_named(name, "a repository's git folder");
  for (const auto& folder : {repository.git, repository.common}) places_.hold_if_there(folder, "a repository's git folder");
  apply(of_person_, repository.work_tree);
  take_settings_file(repository.common + "/config", repository.work_tree);
  take_settings_file(repository.git + "/config.worktree", repository.work_tree);
  places_.hold_named(repository.common + "/hooks", "git's hooks");  // it may be a link to a folder beside the sources
  take_hooks(repository.common + "/hooks");
  take_managers(repository.work_tree);
  take_work_trees(repository, depth);
  take_modules(repository.common + "/modules", depth);
  take_index(repository, depth);
  take_gitmodules(repository, depth);
}

void Repositories::take_settings_file(const std::string& file, const std::string& work_tree) {
  const auto settings = reader_.read(file);
  if (!settings) return places_.refuse(settings.error().text);
  apply(*settings, work_tree);
}

void Repositories::apply(const GitSettings& settings, const std::string& work_tree) {
  for (const auto& file : settings.files) places_.hold_settings_file(file);
  for (const auto& setting : settings.settings) {
    if (!setting.value) continue;
    note_calls(*setting.value);
    if (setting.key != "core.hookspath") continue;
    if (const auto folder = reader_.path_of(*setting.value, work_tree); !folder.empty()) {
      // husky's stubs in _ run the scripts beside it.
      if (folder.ends_with("/_")) places_.hold_named(folder.substr(0, folder.size() - 2), "what git's hooks call");
      places_.hold_named(folder, "git's hooks");
      take_hooks(folder);
    }
  }
}

void Repositories::take_hooks(const std::string& folder) {
  const auto names = names_in(folder, kHooksMax, Links::Followed);
  if (!names) return places_.refuse(names.error().text + ", and git's hooks are taken from it");
  for (const auto& name : *names)
    if (!name.ends_with(".sample")) take_hook(joined(folder, name));
}

void Repositories::take_hook(const std::string& file) {
  // A hook is often a link to a file beside the sources.
  places_.hold_named(file, "a hook of git's");
  const auto text = read_plain(file, kHookBytesMax, Links::Followed);
  if (!text) calls_all_ = true;  // too large to be told
  if (text && *text) note_calls(**text);
}

void Repositories::note_calls(std::string_view text) {
  for (const auto& file : dot_files())
    if (!file.reader.empty() && text.find(file.reader) != std::string_view::npos) calls_.emplace(file.reader);
}

/// Hooks below the top call the managers' files there.
void Repositories::take_managers(const std::string& work_tree) {
  for (const auto& file : dot_files()) {
    if (file.when_missing != WhenMissing::HoldIfCalled) continue;
    const auto path = joined(work_tree, file.name);
    if (calls(file.reader))
      places_.hold(path, "a hook manager's file");
    else
      places_.hold_if_there(path, "a hook manager's file");
  }
}

void Repositories::take_work_trees(const Repository& repository, unsigned depth) {
  const auto names = names_in(repository.common + "/worktrees", kWorkTreesMax, Links::Followed);
  if (!names) return places_.refuse(names.error().text);
  for (const auto& name : *names) {
    const auto pointer = path_in(repository.common + "/worktrees/" + name + "/gitdir");
    if (pointer.empty()) continue;
    const auto git = joined(repository.common + "/worktrees/" + name, pointer);
    if (!places_.is_written(git)) continue;
    places_.hold_if_there(git, "a linked work tree's .git");
    take_at(std::filesystem::path(git).parent_path().native(), depth + 1);
  }
}

void Repositories::take_modules(const std::string& folder, unsigned depth) {
  const auto names = names_in(folder, kRepositoriesMax, Links::Followed);
  if (!names) return places_.refuse(names.error().text);
  if (depth == kDepthMax) return places_.refuse(host::quoted(folder) + " holds submodules deeper than can be looked through");
  for (const auto& name : *names) {
    const auto module = joined(folder, name);
    if (!is_git_folder(module)) {
      take_modules(module, depth + 1);  // the name of a submodule may have slashes
      continue;
    }
    const auto settings = reader_.read(module + "/config");
    if (!settings) return places_.refuse(settings.error().text);
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

void Repositories::take_index(const Repository& repository, unsigned depth) {
  std::string file = repository.git + "/index";
  const std::size_t hash_bytes = is_sha256(repository) ? kSha256Bytes : kSha1Bytes;
  // A split index holds what changed, and names the one that holds the rest.
  for (int part = 0; part < 2 && !file.empty(); ++part) {
    const auto mapped = MappedFile::map(file, kIndexBytesMax, Links::Followed);
    if (!mapped) return places_.refuse(mapped.error().text + ", and what git runs in can't be told");
    if (mapped->bytes().empty()) return;
    const auto index = read_git_index(mapped->bytes(), hash_bytes);
    if (!index) return places_.refuse(host::quoted(file) + " " + index.error().text + "; git status tells what is wrong");
    for (const auto& path : index->gitlinks) {
      if (path.empty())
        return places_.refuse(host::quoted(file) + " is split in a way that hides a submodule's name; join it with: git update-index --no-split-index");
      if (is_plain_path(path)) take_gitlink(joined(repository.work_tree, path), depth);
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

void Repositories::take_gitmodules(const Repository& repository, unsigned depth) {
  const auto text = read_plain(joined(repository.work_tree, ".gitmodules"), kGitmodulesBytesMax, Links::Refused);
  if (!text) return places_.refuse(text.error().text);
  if (!*text) return;
  for (const auto& setting : read_git_text(**text).settings) {
    if (!is_git_key(setting.key, "submodule", "path") || !setting.value || !is_plain_path(*setting.value)) continue;
    const auto folder = joined(repository.work_tree, *setting.value);
    // The file is the program's to write: what it names can be held, but is no reason to refuse a start.
    const auto there = entry_of(folder + "/.git");
    if (!places_.is_written(folder) || (there != Entry::Folder && there != Entry::File)) continue;
    places_.hold(folder + "/.git", "a submodule's .git");
    take_at(folder, depth + 1);
  }
}

}  // namespace lnk::host
