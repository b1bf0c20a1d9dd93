// SPDX-License-Identifier: Apache-2.0
//
// The variables by which the clients of a hosted model's provider find the wire instead of the provider. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// Every variable that is set or cleared for a provider.
[[nodiscard]] std::vector<std::string_view> model_variables(std::string_view provider);

/// Points the provider's clients at the wire, with the placeholder as their key. What they would take a credential from before
/// that is cleared. `wire`: "http://127.0.0.1:40781".
void set_model_variables(std::map<std::string, std::string>& environment, const GrantedProvider& granted, std::string_view wire,
                         const std::string& placeholder);

}  // namespace lnk::host
