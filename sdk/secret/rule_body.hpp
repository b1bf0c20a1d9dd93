// SPDX-License-Identifier: Apache-2.0
//
// A rule's "refuse_body": a list of {"name":…} with at most one of "holds", and "values" with or without "json".
#pragma once

#include <boost/json/fwd.hpp>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/held_field.hpp"

namespace lnk::secret {

/// errors: Invalid, with the entry and what to write.
[[nodiscard]] Result<std::vector<HeldField>> read_held_fields(const boost::json::object& rule);

}  // namespace lnk::secret
