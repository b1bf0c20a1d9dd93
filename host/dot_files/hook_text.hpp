// SPDX-License-Identifier: Apache-2.0
//
// The settings files that a hook's text hands to the program it calls: `--config=FILE` and its kin. Pure; takes any bytes.
// Does not do: expand variables and commands, or find names with spaces in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

struct NamedSettings {
  std::string file;
  bool is_sure = false;  ///< its name is that of a settings file: -c and --config have other meanings too
};

/// complexity: linear in `text`
[[nodiscard]] std::vector<NamedSettings> settings_named_in(std::string_view text);

}  // namespace lnk::host
