// SPDX-License-Identifier: Apache-2.0
//
// The sockets inside that the wire asks its front for while the program runs: one for each port of an endpoint's name, made
// when that name is first asked for. The wire parses what others send, so what it asks is held against the grants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "launch/wall.hpp"
#include "launch/wire_process.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// Whether the grants open it: an address that names are given, never one that anything else listens at, and a port of an
/// endpoint; any port where there is a mongodb+srv name, whose servers say theirs.
[[nodiscard]] bool may_be_made(const EndpointAsk& ask, const Grants& grants) noexcept;

class EndpointSockets {
 public:
  EndpointSockets(Wall& wall, WireProcess& wire, const Grants& grants) noexcept : wall_(wall), wire_(wire), grants_(grants) {}

  /// Hands the socket to the wire, or tells it that there is none. errors: the wire is gone
  [[nodiscard]] Status make(const EndpointAsk& ask);

 private:
  Wall& wall_;
  WireProcess& wire_;
  const Grants& grants_;
  std::size_t made_ = 0;
};

}  // namespace lnk::host
