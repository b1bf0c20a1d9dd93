// SPDX-License-Identifier: Apache-2.0
//
// What the kernel answers when it is asked for the route to an address. Pure: bytes in, a value out. source: rtnetlink(7)
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lnk::host {

/// What the kernel says of the route to one address.
struct RouteAnswer {
  enum class Kind : std::uint8_t { None, Route, NotUnderstood };  ///< None: it leads nowhere
  Kind kind = Kind::NotUnderstood;
  std::uint8_t type = 0;         ///< RTN_…
  std::uint8_t prefix_bits = 0;  ///< of the route, not of the address
  bool has_gateway = false;
  std::uint32_t interface = 0;
};

/// A packet that is cut short, or no answer to such a question, is NotUnderstood.
[[nodiscard]] RouteAnswer read_route_answer(std::string_view packet) noexcept;

/// A piece of a packet as a value; false: it isn't there in full.
template <class Value>
[[nodiscard]] bool read_at(std::string_view packet, std::size_t offset, Value& value) noexcept {
  if (packet.size() < sizeof value || offset > packet.size() - sizeof value) return false;
  std::memcpy(&value, packet.data() + offset, sizeof value);
  return true;
}

}  // namespace lnk::host
