// SPDX-License-Identifier: Apache-2.0
//
// What a tool that runs outside is, in words: a line for each part, which names the tool.
#pragma once

#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] std::vector<std::string> tool_in_words(const GrantedTool& tool);

/// Its command's words, or its URL.
[[nodiscard]] std::string tool_command_in_words(const GrantedTool& tool);

}  // namespace lnk::host
