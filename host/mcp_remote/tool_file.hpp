// SPDX-License-Identifier: Apache-2.0
//
// What of a kept tool is for the way to its server: the URL and the headers. Pure.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "mcp_remote/request_head.hpp"

namespace lnk::host::remote {

/// The headers of the tool whose file this is; its URL must be `url`, so that no value goes to another server than the one it was
/// given for. errors: Invalid, with no value in its words
[[nodiscard]] Result<Headers> headers_of_tool(std::string_view file, std::string_view url);

}  // namespace lnk::host::remote
