// SPDX-License-Identifier: Apache-2.0
#include "cli/context.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "spec/shown.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

Result<std::string> home_folder() {
  const char* named = std::getenv("HOME");
  std::string home = named == nullptr ? "" : named;
  if (home.empty()) {
    const passwd* entry = ::getpwuid(::geteuid());
    if (entry != nullptr) home = entry->pw_dir;
  }
  if (climbs(home)) return fail(Code::Invalid, "HOME goes up with \"..\"; set it to where that leads");
  home = std::filesystem::path(home).lexically_normal().native();
  while (home.size() > 1 && home.back() == '/') home.pop_back();
  if (!home.starts_with('/')) return fail(Code::Invalid, "the home folder isn't known; set HOME to an absolute path");
  return home;
}

constexpr std::string_view kModuleDirs = "module-dirs";

/// A line each.
Result<std::vector<std::string>> read_module_dirs(const Settings& settings) {
  LNK_TRY(const auto kept, settings.read(kModuleDirs));
  std::vector<std::string> dirs;
  std::istringstream lines(kept.value_or(""));
  for (std::string line; std::getline(lines, line);) dirs.push_back(line);
  return dirs;
}

}  // namespace

Result<Context> Context::with(Settings settings, const std::vector<std::string>& more_module_dirs) {
  LNK_TRY(auto parts, Parts::of_this_program());
  Context context{std::move(parts), std::move(settings), {}};
  context.module_dirs.push_back(context.parts.modules);
  for (const auto& dir : more_module_dirs) {
    std::error_code error;
    if (!std::filesystem::is_directory(dir, error)) return fail(Code::Gone, "--module-dir " + host::quoted(dir) + " is no folder");
    // Named over a link that others could replace it stays as it was named: the gate then says of each module why it isn't
    // loaded, and the rest goes on.
    context.module_dirs.emplace_back(check_trusted_by_links(dir) ? resolve_links(dir) : dir);
  }
  // A folder above that others may write, or one that holds a link on the way, would let them put others in their place.
  if (auto trusted = check_trusted_by_links(context.settings.folder()); !trusted)
    return fail(std::move(trusted).error().within("the settings"));
  return context;
}

Result<Context> Context::open(const std::vector<std::string>& more_module_dirs) {
  LNK_TRY(const auto folder, Settings::default_folder());
  LNK_TRY(auto settings, Settings::open(folder));
  return with(std::move(settings), more_module_dirs);
}

Result<Context> Context::open_named(const std::filesystem::path& folder, const std::vector<std::string>& more_module_dirs) {
  LNK_TRY(auto settings, Settings::open(folder, Settings::Missing::Refuse));
  return with(std::move(settings), more_module_dirs);
}

Status Context::remember_module_dir(const std::filesystem::path& dir) const {
  if (dir == parts.modules) return {};
  LNK_TRY(const auto dirs, read_module_dirs(settings));
  if (std::find(dirs.begin(), dirs.end(), dir.native()) != dirs.end()) return {};
  std::string text;
  for (const auto& known : dirs) text += known + "\n";
  return settings.write(kModuleDirs, text + dir.native() + "\n");
}

Result<Facts> Context::facts() const {
  LNK_TRY(auto home, home_folder());
  std::vector<std::string> own = {parts.program.native(), parts.library.native(), parts.share.native()};
  LNK_TRY(const auto known, read_module_dirs(settings));
  own.insert(own.end(), known.begin(), known.end());
  for (const auto& dir : module_dirs) own.push_back(dir.native());
  auto facts = gather_facts_for(std::move(home), settings.folder().native(), std::move(own));
  facts.page_opener = (parts.library / "os-linux" / "lnk-open").native();
  if (facts.home_target.empty()) return fail(Code::Invalid, "the home folder " + host::quoted(facts.home) + " can't be resolved");
  if (facts.home == "/" || facts.home_target == "/")
    return fail(Code::Unsupported, "a home of / can't be kept apart from the system; set HOME to a folder of your own");
  return facts;
}

}  // namespace lnk::host
