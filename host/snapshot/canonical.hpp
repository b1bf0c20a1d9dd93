// SPDX-License-Identifier: Apache-2.0
//
// Canonical JSON: sorted keys, no white space, one spelling of each value; what a hash is taken of.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

[[nodiscard]] std::string canonical_json(const boost::json::value& value);

/// Strict: no comment, trailing comma, invalid UTF-8 or second value, depth 32, and canonical to the byte, so that two
/// readers can't differ.
/// errors: Invalid
[[nodiscard]] Result<boost::json::value> parse_canonical_json(std::string_view text);

}  // namespace lnk::host
