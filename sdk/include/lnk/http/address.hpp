// SPDX-License-Identifier: Apache-2.0
//
// Which addresses and names belong to everyone, and which to this machine, a network or a cloud. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/http/authority.hpp"

namespace lnk::http {

struct Address {
  bool is_ipv6 = false;
  AddressBytes bytes{};  ///< an IPv4 address in the first four
  friend bool operator==(const Address&, const Address&) = default;
};

/// A cloud's, by which who runs in it gets keys: what closed_kind says of one.
inline constexpr std::string_view kMetadataService = "a metadata service";

inline constexpr std::string_view kThisMachine = "this machine";
/// A public address on a link of this machine.
inline constexpr std::string_view kNeighbour = "a machine of the local network";

/// Empty: open to all. Else what the address is, in words that stand in a refusal ("a private range").
/// source: RFC 6890 and IANA's special-purpose registries; the clouds' documents for metadata services
[[nodiscard]] std::string_view closed_kind(const Address& address) noexcept;

/// The same where the machine is one that [lan] names: private and carriers' ranges are open then, and IPv4's link-local
/// one. Not IPv6's, whose addresses are of no use without a zone.
[[nodiscard]] std::string_view closed_lan_kind(const Address& address) noexcept;

/// Whether [lan] opens what is of this kind.
[[nodiscard]] bool is_opened_by_lan(std::string_view kind) noexcept;

/// The same for a name, before anyone is asked for its addresses: this machine's names and metadata services'.
[[nodiscard]] std::string_view closed_kind(std::string_view folded_name) noexcept;

/// What a host is by its form alone, for who looks up no name: as closed_kind has it, or a name that networks have of their own.
/// Empty: everyone's.
[[nodiscard]] std::string_view own_kind(const Host& host) noexcept;

/// Whether a kind is one of this machine's own.
[[nodiscard]] bool is_this_machine(std::string_view kind) noexcept;

/// A name that any machine on the link may answer for (RFC 6762): it is pinned to an address when it is asked about.
[[nodiscard]] bool is_link_name(std::string_view folded_name) noexcept;

[[nodiscard]] std::string to_text(const Address& address);

}  // namespace lnk::http
