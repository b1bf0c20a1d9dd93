// SPDX-License-Identifier: Apache-2.0
//
// The tools kept in the settings: each a file of its own, tools/NAME.json, written whole by rename. Beside it lies
// tools/NAME.log, what the tool said on its standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"
#include "tools/definition.hpp"

namespace lnk::host {

/// Replaces one of that name.
[[nodiscard]] Status keep_tool(const Settings& settings, const ToolDefinition& tool);
/// errors: Gone: none of that name is kept; Invalid: what is kept is not whole; both with how to add it
[[nodiscard]] Result<ToolDefinition> load_tool(const Settings& settings, std::string_view name);
[[nodiscard]] Result<std::vector<std::string>> list_tools(const Settings& settings);
/// False where none of that name was kept. Its log goes with it.
[[nodiscard]] Result<bool> remove_tool(const Settings& settings, std::string_view name);

/// The tool's log, to be added to; 0600, and made where there is none.
/// errors: Denied: what lies there is no file of the person's own
[[nodiscard]] Result<UniqueFd> open_tool_log(const Settings& settings, std::string_view name);
[[nodiscard]] std::string tool_log_path(const Settings& settings, std::string_view name);

/// errors: Gone, "snapshot-stale": the tool that is kept is not the one that was approved
[[nodiscard]] Result<ToolDefinition> load_granted_tool(const Settings& settings, const GrantedTool& granted);

}  // namespace lnk::host
