// SPDX-License-Identifier: Apache-2.0
//
// The sockets that the wire listens on inside: its own, and those that lead to one place outside each. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

using InsideIp = std::array<std::uint8_t, 4>;
inline constexpr InsideIp kInsideLoopback = {127, 0, 0, 1};

/// What connects is carried there as it is; the kinds are those of wire/carried.hpp. Of the kind "local" it is read, request by
/// request, for the local runtime at that port.
struct CarriedTo {
  std::string_view kind;
  std::uint16_t port = 0;
};

enum class InsideUse : std::uint8_t { Requests, NameStreams, NameDatagrams };

struct InsideListener {
  InsideIp ip = kInsideLoopback;
  std::uint16_t port = 0;
  std::optional<CarriedTo> to = {};  ///< none: the wire's own
  InsideUse use = InsideUse::Requests;  ///< of the wire's own
};

/// No two at one address and port, as the grants were checked. The wire's own is the last: behind it the wire is ready.
[[nodiscard]] std::vector<InsideListener> inside_listeners(const Grants& grants);

}  // namespace lnk::host
