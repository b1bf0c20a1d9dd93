// SPDX-License-Identifier: Apache-2.0
#include "wire/nat64.hpp"

#include <algorithm>
#include <array>

namespace lnk::host {
namespace {

constexpr std::array<std::uint8_t, 6> kPrefixSizes = {12, 8, 7, 6, 5, 4};
constexpr std::size_t kSkipped = 8;  ///< this byte is none of the address's (RFC 6052 2.2)

Address within(const http::AddressBytes& bytes, std::size_t prefix_size) noexcept {
  Address found;
  std::size_t at = prefix_size;
  for (std::size_t index = 0; index < 4; ++index) {
    if (at == kSkipped) ++at;
    found.bytes[index] = bytes[at++];
  }
  return found;
}

/// The two addresses of the probe (RFC 7050 2.2).
bool is_of_probe(const Address& address) noexcept {
  const auto& bytes = address.bytes;
  return bytes[0] == 192 && bytes[1] == 0 && bytes[2] == 0 && (bytes[3] == 170 || bytes[3] == 171);
}

bool is_in(const Address& address, const Nat64Prefix& prefix) noexcept {
  return address.is_ipv6 && std::equal(prefix.bytes.begin(), prefix.bytes.begin() + prefix.size, address.bytes.begin());
}

}  // namespace

std::vector<Nat64Prefix> nat64_prefixes(const std::vector<Address>& of_probe) {
  std::vector<Nat64Prefix> prefixes;
  for (const Address& address : of_probe) {
    if (!address.is_ipv6) continue;
    // An address that holds it in two places is taken in both: one of them is the network's.
    for (const std::uint8_t size : kPrefixSizes) {
      if (!is_of_probe(within(address.bytes, size))) continue;
      Nat64Prefix prefix{{}, size};
      std::copy_n(address.bytes.begin(), size, prefix.bytes.begin());
      if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
    }
  }
  return prefixes;
}

std::vector<Address> ipv4_within(const Address& address, const std::vector<Nat64Prefix>& prefixes) {
  std::vector<Address> found;
  for (const Nat64Prefix& prefix : prefixes) {
    if (is_in(address, prefix)) found.push_back(within(address.bytes, prefix.size));
  }
  return found;
}

}  // namespace lnk::host
