// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a request, by its head alone: no name is looked up for it.
#pragma once

#include <cstdint>
#include <optional>

#include "lnk/http/head.hpp"
#include "wire/host_list.hpp"

namespace lnk::host {

enum class Road : std::uint8_t { Tunnel, Plain, Verb };

struct Decision {
  Road road = Road::Plain;
  std::optional<http::Refusal> refusal;  ///< none: go
};

/// `own_port`: the wire's port inside, which its own Host has.
[[nodiscard]] Decision decide(const http::RequestHead& head, const HostList& hosts, std::uint16_t own_port);

/// On a port inside that is a service of this machine, found through a verb: what is asked there is the service's own.
[[nodiscard]] Decision decide_at_port(const http::RequestHead& head, std::uint16_t port);

/// By name alone, as for a CONNECT: closed names and addresses first, then the list.
[[nodiscard]] std::optional<http::Refusal> check_target(const http::Authority& target, const HostList& hosts);

}  // namespace lnk::host
