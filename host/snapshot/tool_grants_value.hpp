// SPDX-License-Identifier: Apache-2.0
//
// [tools] as JSON: what a person approves of tools that run outside.
#pragma once

#include <boost/json.hpp>
#include <vector>

#include "snapshot/object_reader.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] boost::json::array tools_json(const std::vector<GrantedTool>& tools);
/// The network was read before.
void read_tools(ObjectReader& reader, Grants& grants);

/// errors: Invalid: what no tool can be
[[nodiscard]] Status check_granted_tool(const GrantedTool& tool);

}  // namespace lnk::host
