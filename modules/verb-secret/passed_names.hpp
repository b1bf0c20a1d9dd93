// SPDX-License-Identifier: Apache-2.0
//
// The names of fields and parameters that may stand beside a secret, and the one list of each. Fields are a pass-list: a
// request's meaning hangs on those that servers act upon, and nobody knows all that would change the method, the path
// or the identity. Parameters are every service's own, so those are refused that are known to do so.
// Pure: names in, words out.
#pragma once

#include <string>
#include <string_view>

#include "lnk/secret/rule.hpp"

namespace lnk::verb_secret {

/// Whether a field of this name goes on: one that API clients send, or that the rule names.
[[nodiscard]] bool is_passed_field(const secret::Rule& rule, std::string_view name);

/// Why a parameter of this name, decoded, may not stand beside the secret; empty: it may.
[[nodiscard]] std::string_view parameter_fault(const secret::Rule& rule, std::string_view name);

}  // namespace lnk::verb_secret
