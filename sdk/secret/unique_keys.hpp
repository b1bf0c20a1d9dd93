// SPDX-License-Identifier: Apache-2.0
//
// JSON with a key twice in one object means one thing to one reader and another to the next; Boost.JSON keeps the last.
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::secret {

inline constexpr std::size_t kRuleDepthMax = 8;  ///< a rule is three deep

/// errors: Invalid where the text is no JSON or has a key twice.
/// A key is compared as what it means, so "a" and "\u0061" are the same.
Result<void> check_json(std::string_view json);

}  // namespace lnk::secret
