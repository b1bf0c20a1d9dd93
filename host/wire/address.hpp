// SPDX-License-Identifier: Apache-2.0
//
// Which addresses the wire may connect to: what lnk/http/address.hpp says of them, and which are this machine's own.
#pragma once

#include "lnk/http/address.hpp"

namespace lnk::host {

using http::Address;
using http::closed_kind;
using http::closed_lan_kind;
using http::is_link_name;
using http::is_opened_by_lan;
using http::is_this_machine;
using http::kMetadataService;
using http::kNeighbour;
using http::kThisMachine;
using http::to_text;

/// Told by binding to it, which the kernel allows for its own addresses alone (and, where ip_nonlocal_bind is set, for
/// all: everything is closed then). Where no socket can be made it counts as own.
[[nodiscard]] bool is_own_address(const Address& address) noexcept;

}  // namespace lnk::host
