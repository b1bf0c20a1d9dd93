// SPDX-License-Identifier: Apache-2.0
//
// The URL of a tool as a person gives it. Pure.
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// https://, or http:// on this machine alone (localhost, 127.0.0.1, [::1]). It is kept and shown, and a command line
/// that every process may read holds it, so nothing of a secret may stand in it: no user, no fragment, no parameter of
/// such a name. errors: Invalid, in words that hold nothing of the URL but a parameter's name
[[nodiscard]] Status check_tool_url(std::string_view url);

}  // namespace lnk::host
