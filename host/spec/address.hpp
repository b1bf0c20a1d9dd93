// SPDX-License-Identifier: Apache-2.0
//
// Addresses as they are written in a spec, and those that no spec can open through the wire.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lnk::host {

using Ipv4Bytes = std::array<std::uint8_t, 4>;
using Ipv6Bytes = std::array<std::uint8_t, 16>;

/// Four decimal numbers without leading zeros, and no other form.
[[nodiscard]] std::optional<Ipv4Bytes> read_ipv4(std::string_view text);
/// Hexadecimal groups (RFC 4291, 2.2, its forms 1 and 2); no dotted end, no zone.
[[nodiscard]] std::optional<Ipv6Bytes> read_ipv6(std::string_view text);
/// The form of RFC 5952.
[[nodiscard]] std::string ipv6_text(const Ipv6Bytes& address);

/// True where the last label is a number in the reading of WHATWG's URL standard ("ends in a number"): such a host is
/// an address to some programs, so it's one here or it is refused.
[[nodiscard]] bool ends_in_number(std::string_view host);

/// What the address is, where it is closed to `hosts`: "loopback", "a private range", …; nothing where it's open.
[[nodiscard]] std::optional<std::string_view> closed_range(const Ipv4Bytes& address);
[[nodiscard]] std::optional<std::string_view> closed_range(const Ipv6Bytes& address);

/// The same for `[lan]`, which opens private ranges but never this machine, a group of machines or a metadata service.
[[nodiscard]] std::optional<std::string_view> closed_lan_range(const Ipv4Bytes& address);
[[nodiscard]] std::optional<std::string_view> closed_lan_range(const Ipv6Bytes& address);

/// What the name is, where it is closed without asking anyone: "this machine", "a metadata service".
[[nodiscard]] std::optional<std::string_view> closed_name(std::string_view name);

}  // namespace lnk::host
