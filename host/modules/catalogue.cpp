// SPDX-License-Identifier: Apache-2.0
#include "modules/catalogue.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "modules/module.hpp"
#include "modules/module_file.hpp"
#include "trust/trust.hpp"

namespace lnk::host {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kModulesMax = 256;  // files of one folder that are looked at

std::string quoted(const fs::path& path) { return "'" + posix::escaped(path.native()) + "'"; }

ModuleListing refused(const fs::path& file, std::string reason) {
  ModuleListing listing;
  listing.id = posix::escaped(file.stem().native());
  listing.file = file;
  listing.reason = std::move(reason);
  return listing;
}

/// The *.so files of a folder, by name. errors: Gone, Denied, Limit.
Result<std::vector<fs::path>> module_files(const fs::path& dir) {
  LNK_CHECK(check_trusted(dir));
  std::error_code error;
  fs::directory_iterator entry(dir, error);
  if (error) return fail(Code::Gone, "the folder " + quoted(dir) + " can't be read: " + error.message(), error.value());
  std::vector<fs::path> files;
  for (; entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".so") files.push_back(entry->path());
    if (files.size() > kModulesMax)
      return fail(Code::Limit,
                  "the folder " + quoted(dir) + " has more than " + std::to_string(kModulesMax) + " modules");
  }
  if (error) return fail(Code::Gone, "the folder " + quoted(dir) + " can't be read: " + error.message(), error.value());
  std::sort(files.begin(), files.end());
  return files;
}

/// The same folder or file under two names counts once.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

/// The note of a file that is not loaded, for what it tells of itself. Its errors are Module::load's to word.
void describe(ModuleListing& listing) {
  const auto file = ModuleFile::open(listing.file);
  if (!file) return;
  const auto note = file->note();
  if (!note) return;
  listing.sdk = std::to_string(note->sdk_major) + "." + std::to_string(note->sdk_minor);
  listing.kind = kind_word(note->kind);
}

/// An OS module is gated by what its own probe tells, the others by what all of these told.
Status try_module(ModuleListing& listing, ModuleSurvey& survey) {
  const bool is_os = listing.kind == kind_word(ModuleKind::Os);
  LoadOptions options;
  if (!is_os) options.machine = survey.machine;
  LNK_TRY(const Module module, Module::load(listing.file, options));
  listing.version = posix::escaped(module.version());
  if (!is_os) return {};
  LNK_TRY(const std::vector<MachineCapability> told, module.probe());
  survey.machine.insert(survey.machine.end(), told.begin(), told.end());
  auto held = check_requirements(module.note().needs, survey.machine);
  if (!held) return fail(std::move(held).error().within("module " + quoted(listing.file)));
  return {};
}

void load_one(ModuleListing& listing, ModuleSurvey& survey) {
  const Status tried = try_module(listing, survey);
  listing.loaded = tried.has_value();
  if (!tried) listing.reason = tried.error().text;
}

/// Two files of one name: neither is loaded, and each names both. A file whose note has another id than its name is
/// refused for that alone, and takes no other with it.
void refuse_doubles(std::vector<ModuleListing>& listings) {
  std::map<std::string, std::vector<ModuleListing*>> by_id;
  for (ModuleListing& listing : listings) by_id[listing.id].push_back(&listing);
  for (const auto& [id, same] : by_id) {
    if (same.size() < 2) continue;
    std::string files;
    for (const ModuleListing* listing : same) files += (files.empty() ? "" : " and ") + quoted(listing->file);
    for (ModuleListing* listing : same) listing->reason = "two modules are named '" + id + "': " + files;
  }
}

std::vector<ModuleListing> candidates(std::span<const fs::path> dirs) {
  std::vector<ModuleListing> listings;
  std::vector<std::pair<dev_t, ino_t>> seen;
  for (const fs::path& dir : dirs) {
    const auto self = identity(dir);
    if (self && std::find(seen.begin(), seen.end(), *self) != seen.end()) continue;
    if (self) seen.push_back(*self);
    auto files = module_files(dir);
    if (!files) {
      listings.push_back(refused(dir, files.error().text));
      continue;
    }
    for (const fs::path& file : *files) {
      describe(listings.emplace_back(refused(file, "")));
    }
  }
  return listings;
}

}  // namespace

ModuleSurvey survey_modules(std::span<const fs::path> dirs) {
  ModuleSurvey survey{candidates(dirs), {}};
  refuse_doubles(survey.modules);
  // The OS modules first: their probes say what the others are gated by.
  for (const bool is_os_turn : {true, false}) {
    for (ModuleListing& listing : survey.modules) {
      const bool is_os = listing.kind == kind_word(ModuleKind::Os);
      if (is_os == is_os_turn && listing.reason.empty()) load_one(listing, survey);
    }
  }
  return survey;
}

std::vector<ModuleListing> list_modules(std::span<const fs::path> dirs) { return survey_modules(dirs).modules; }

Result<fs::path> find_module(std::span<const fs::path> dirs, std::string_view id) {
  if (!is_module_id(id)) return fail(Code::Invalid, "'" + posix::escaped(id) + "' is no module's id");
  std::optional<fs::path> found;
  for (const fs::path& dir : dirs) {
    fs::path file = dir / (std::string(id) + ".so");
    const auto self = identity(file);
    if (!self || (found && identity(*found) == self)) continue;
    if (found)
      return fail(Code::Invalid,
                  "two modules are named '" + std::string(id) + "': " + quoted(*found) + " and " + quoted(file));
    found = std::move(file);
  }
  if (found) return *std::move(found);
  std::string places;
  for (const fs::path& dir : dirs) places += (places.empty() ? "" : ", ") + quoted(dir);
  return fail(Code::Gone,
              "there is no module '" + std::string(id) + "' in " + (places.empty() ? "any folder" : places));
}

}  // namespace lnk::host
