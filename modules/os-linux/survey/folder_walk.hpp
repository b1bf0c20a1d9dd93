// SPDX-License-Identifier: Apache-2.0
//
// The two walks of a survey, by mode bits alone. Neither opens a file.
#pragma once

#include <string>
#include <vector>

#include "survey/survey.hpp"

namespace lnk::os_linux {

/// Entries below `root` that not everyone may read and this person may: what must be closed so that a sandbox sees no
/// more than anyone. A folder that not everyone may list or pass is closed whole.
[[nodiscard]] std::vector<ClosedEntry> find_closed_entries(const std::string& root);

/// Files at the top of /proc that this person may read and others may not, and those that tell of the keyring.
[[nodiscard]] std::vector<ClosedEntry> find_closed_proc_entries();

/// The entries at the top of /proc, outside those of processes, that are or hold what this person's rights could write;
/// "/proc/sys" is always one.
[[nodiscard]] std::vector<std::string> find_writable_proc_entries();

}  // namespace lnk::os_linux
