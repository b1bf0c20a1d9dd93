// SPDX-License-Identifier: Apache-2.0
//
// host [":" port], read strictly: a name, an IPv4 address in dotted decimal, or an IPv6 address in brackets. What two
// readers could take for two hosts is refused: userinfo, percent-encoding, bytes beyond ASCII, zone ids, and every
// other spelling of an IPv4 address (source: WHATWG URL "ends in a number"; inet_aton(3) takes octal, hex and short
// forms).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/http/refusal.hpp"

namespace lnk::http {

enum class HostKind : std::uint8_t { Name, Ipv4, Ipv6 };

/// An IPv4 address stands in the first four bytes.
using AddressBytes = std::array<std::uint8_t, 16>;

struct Host {
  HostKind kind = HostKind::Name;
  std::string text;        ///< folded to lower case, no last dot; an IPv6 address in RFC 5952's form, without brackets
  AddressBytes address{};  ///< Ipv4 and Ipv6 alone

  friend bool operator==(const Host&, const Host&) = default;
};

struct Authority {
  Host host;
  std::uint16_t port = 0;  ///< 0: none was written

  /// As a Host field or a CONNECT target has it: brackets round IPv6, the port where it isn't `default_port`.
  [[nodiscard]] std::string to_text(std::uint16_t default_port) const;
  friend bool operator==(const Authority&, const Authority&) = default;
};

/// One host without brackets or port, as a list of hosts names it ("example.com", "192.0.2.1", "2001:db8::1").
[[nodiscard]] Checked<Host> parse_host(std::string_view text);
[[nodiscard]] Checked<Authority> parse_authority(std::string_view text);

[[nodiscard]] bool parse_ipv4(std::string_view text, AddressBytes& address) noexcept;
[[nodiscard]] bool parse_ipv6(std::string_view text, AddressBytes& address) noexcept;
/// RFC 5952, a mapped IPv4 address (::ffff:192.0.2.1) in its mixed form.
[[nodiscard]] std::string format_ipv6(const AddressBytes& address);
[[nodiscard]] std::string format_ipv4(const AddressBytes& address);

}  // namespace lnk::http
