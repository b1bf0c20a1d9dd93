// SPDX-License-Identifier: Apache-2.0
//
// The addresses and names that no spec can open through the wire.
#pragma once

#include <optional>
#include <string_view>

#include "lnk/http/authority.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

/// `kind` is Ipv4 or Ipv6. What the address is, where it is closed to `hosts`: "loopback", "a private range", …;
/// nothing where it's open.
[[nodiscard]] std::optional<std::string_view> closed_range(HostKind kind, const http::AddressBytes& address);

/// The same for `[lan]`, which opens private ranges but never this machine, a group of machines or a metadata service.
[[nodiscard]] std::optional<std::string_view> closed_lan_range(HostKind kind, const http::AddressBytes& address);

/// What the name is, where it is closed without asking anyone: "this machine", "a metadata service".
[[nodiscard]] std::optional<std::string_view> closed_name(std::string_view name);

}  // namespace lnk::host
