// SPDX-License-Identifier: Apache-2.0
//
// Which programs may run, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// A line for each, so that of two lists the lines that differ say what changed.
[[nodiscard]] std::vector<std::string> programs_in_words(const std::optional<std::vector<GrantedProgram>>& commands);

}  // namespace lnk::host
