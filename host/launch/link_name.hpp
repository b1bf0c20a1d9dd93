// SPDX-License-Identifier: Apache-2.0
//
// Where a .local name leads, as the machine's own services know it: a resolver of ours that is not confined to files and
// DNS is started for it alone, so that the libraries of those services (nsswitch.conf(5)) are never loaded into the front.
#pragma once

#include <string>
#include <vector>

#include "launch/parts.hpp"
#include "lnk/cpp/result.hpp"
#include "wire/address.hpp"

namespace lnk::host {

/// errors: Gone where no service knows it, Timeout, with words that follow on the name
[[nodiscard]] Result<std::vector<Address>> look_up_link_name(const Parts& parts, const std::string& name);

/// The one of `addresses` that [lan] may open, IPv4 before IPv6.
/// errors: Denied: there is none, and what the first is
[[nodiscard]] Result<Address> choose_lan_address(const std::vector<Address>& addresses);

}  // namespace lnk::host
