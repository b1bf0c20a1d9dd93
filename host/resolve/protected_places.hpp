// SPDX-License-Identifier: Apache-2.0
//
// The places of a person's machine that a spec opens only by name. This is the one list of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

/// Files and folders that run as the person without being asked: keys and shell start files, autostart, systemd's user
/// units, crontabs. Absolute paths, those of the home below `home`.
[[nodiscard]] std::vector<std::string> start_places(std::string_view home);

/// Folders and files that hold keys: closed where a grant that is wider covers them. Absolute paths.
[[nodiscard]] std::vector<std::string> key_places(std::string_view home);

/// The `.env` at the top of a granted folder, which holds keys too; empty: none is there, or a folder is, a Python environment
/// as often as not.
[[nodiscard]] std::string environment_file_in(const std::string& granted);

/// The places, and what those that are links, or below one, lead to: dot files are often kept in a folder of their own.
[[nodiscard]] std::vector<std::string> with_targets(std::vector<std::string> places);

}  // namespace lnk::host
