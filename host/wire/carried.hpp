// SPDX-License-Identifier: Apache-2.0
//
// A socket that listens inside and leads to one place outside: what connects to it is carried there and back as it is, and
// nothing of it is read. It is a call like any: the gate is asked, and the log has its lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/posix/unique_fd.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

struct CarriedTarget {
  enum class Kind : std::uint8_t {
    Localhost,  ///< a port of this machine's loopback
    Endpoint,   ///< a name of [tcp], looked up for each connection
  } kind = Kind::Localhost;
  std::string host;  ///< as the log has it
  std::uint16_t port = 0;
};

/// The kind's name, in what the front says and in the log.
[[nodiscard]] std::string_view name_of(CarriedTarget::Kind kind) noexcept;

/// One connection, to its end. There is no form in which a refusal could be told: it is closed, and the log says why.
Task<void> carry_connection(WireParts& parts, UniqueFd client, CarriedTarget target);

}  // namespace lnk::host
