// SPDX-License-Identifier: Apache-2.0
//
// What is asked of a resolver, and its answers: packets between processes of this machine, in its byte order.
// Request: u32 id, u32 type (0 addresses, AAAA those of IPv6 alone, else SRV or TXT), the name. Reply: u32 id, u32 status (0 found, 1 no such name,
// 2 failed), u32 count, count × {u32 family (4, 6), 16 bytes}, or of records count × {u32 size, data}.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/address.hpp"
#include "wire/limits.hpp"

namespace lnk::host {

struct Lookup {
  enum class Kind : std::uint8_t { Found, NoSuchName, Failed, TimedOut } kind = Kind::Failed;
  std::vector<Address> addresses;
  std::vector<std::string> records = {};  ///< the data of each, an SRV's target as text
};

/// DNS's number of AAAA (RFC 3596 2.1).
inline constexpr std::uint32_t kLookupIpv6 = 28;

struct LookupReply {
  std::uint32_t id = 0;
  Lookup lookup;
};

inline constexpr std::size_t kLookupReplyBytesMax =
    3 * sizeof(std::uint32_t) + std::max(kAddressesMax * (sizeof(std::uint32_t) + 16), kDnsRecordsBytesMax);

[[nodiscard]] std::string lookup_request(std::uint32_t id, std::string_view name, std::uint32_t type = 0);
/// None: nobody's answer. One that isn't of the form has failed.
[[nodiscard]] std::optional<LookupReply> read_lookup_reply(std::string_view packet, bool is_of_records = false);
/// The number of what it answers, alone.
[[nodiscard]] std::optional<std::uint32_t> read_lookup_id(std::string_view packet) noexcept;

}  // namespace lnk::host
