// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "resolve/resolve.hpp"

namespace lnk::host {

/// Refuses names under [env] which the wire sets or clears itself: what a spec says of them would say nothing.
void refuse_variables_of_the_wire(const Resolved& resolved, bool has_wire, std::vector<std::string>& refusals);

}  // namespace lnk::host
