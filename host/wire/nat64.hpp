// SPDX-License-Identifier: Apache-2.0
//
// The prefix by which this network reaches IPv4 from IPv6 alone: an address in it is an IPv4 address in another form,
// so that one of a closed range is closed in it too. Pure. source: RFC 6052 2.2 (where the address stands), RFC 7050 3
// (how a network tells its prefix)
#pragma once

#include <string_view>
#include <vector>

#include "wire/address.hpp"

namespace lnk::host {

/// Has IPv4 addresses alone; an IPv6 one was made for it by the network, and tells its prefix.
inline constexpr std::string_view kNat64Probe = "ipv4only.arpa";

struct Nat64Prefix {
  http::AddressBytes bytes{};
  std::uint8_t size = 0;  ///< in bytes: 4, 5, 6, 7, 8 or 12
  friend bool operator==(const Nat64Prefix&, const Nat64Prefix&) = default;
};

/// From the addresses of kNat64Probe. None: this network makes none.
[[nodiscard]] std::vector<Nat64Prefix> nat64_prefixes(const std::vector<Address>& of_probe);

/// The IPv4 addresses that `address` stands for: none where it is in no prefix.
[[nodiscard]] std::vector<Address> ipv4_within(const Address& address, const std::vector<Nat64Prefix>& prefixes);

}  // namespace lnk::host
