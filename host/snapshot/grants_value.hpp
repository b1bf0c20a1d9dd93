// SPDX-License-Identifier: Apache-2.0
//
// What is granted as JSON, in a snapshot and where it is approved, and back.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] boost::json::object grants_value(const Grants& grants);
/// errors: Invalid, with the place in it
[[nodiscard]] Result<Grants> read_grants(const boost::json::value& value);

[[nodiscard]] boost::json::array strings_json(const std::vector<std::string>& texts);
/// A path as the resolver writes it: absolute, with no part that climbs or stands still.
[[nodiscard]] bool is_clean_path(std::string_view path);

}  // namespace lnk::host
