// SPDX-License-Identifier: Apache-2.0
//
// What every command stands on: where this program's parts and the person's settings are.
#pragma once

#include <filesystem>
#include <vector>

#include "launch/parts.hpp"
#include "lnk/cpp/result.hpp"
#include "resolve/resolve.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

struct Context {
  Parts parts;
  Settings settings;
  std::vector<std::filesystem::path> module_dirs;  ///< the installed one first

  /// The settings of the environment.
  [[nodiscard]] static Result<Context> open(const std::vector<std::string>& more_module_dirs);
  /// The settings of an argument alone, which must be there.
  [[nodiscard]] static Result<Context> open_named(const std::filesystem::path& folder,
                                                  const std::vector<std::string>& more_module_dirs);

  [[nodiscard]] Result<Facts> facts() const;
  /// A folder that a module of a run was taken from is never written by a sandbox again: its modules are code of ours.
  [[nodiscard]] Status remember_module_dir(const std::filesystem::path& dir) const;

 private:
  [[nodiscard]] static Result<Context> with(Settings settings, const std::vector<std::string>& more_module_dirs);
};

}  // namespace lnk::host
