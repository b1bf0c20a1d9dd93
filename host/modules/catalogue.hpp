// SPDX-License-Identifier: Apache-2.0
//
// The module files of some folders. Nothing here looks anywhere else: no environment, no home, no current folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "modules/gate.hpp"

namespace lnk::host {

struct ModuleListing {
  std::string id = {};  ///< of the file's name, which a sound note repeats
  std::string version = {};
  std::string sdk = {};   ///< "1.0"
  std::string kind = {};  ///< "os" or "verb"
  std::filesystem::path file = {};
  bool loaded = false;
  std::string reason = {};  ///< why it isn't loaded
};

struct ModuleSurvey {
  std::vector<ModuleListing> modules = {};      ///< in the order of the folders, then of the names
  std::vector<MachineCapability> machine = {};  ///< what the OS modules' probes told
};

/// Tries every module of the folders: loads the OS modules, has them probe the machine, then loads what it carries.
/// What fails is listed with its reason, and the rest goes on. A folder that can't be read or trusted is listed in
/// words too.
[[nodiscard]] ModuleSurvey survey_modules(std::span<const std::filesystem::path> dirs);
[[nodiscard]] std::vector<ModuleListing> list_modules(std::span<const std::filesystem::path> dirs);

/// The file of one module, by its name alone. errors: Gone (no folder has it), Invalid (two have it: both are named).
[[nodiscard]] Result<std::filesystem::path> find_module(std::span<const std::filesystem::path> dirs,
                                                        std::string_view id);

}  // namespace lnk::host
