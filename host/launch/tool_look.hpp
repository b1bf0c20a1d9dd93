// SPDX-License-Identifier: Apache-2.0
//
// A tool is started once as it would be in a run, to learn what it offers.
#pragma once

#include <map>
#include <string>

#include "launch/tool_process.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// A server may be fetched from a registry as it is first started.
inline constexpr int kToolLookMs = 60'000;

/// A tool's name → the hash of its definition. The server is ended before this returns.
/// errors: in words to follow the tool's name: it can't be started, ended, didn't answer in time, speaks another
/// protocol
[[nodiscard]] Result<std::map<std::string, std::string>> look_at_tool(const ToolStart& start);

}  // namespace lnk::host
