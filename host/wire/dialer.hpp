// SPDX-License-Identifier: Apache-2.0
//
// Connections to the outside. A name is resolved once; every address it has is checked; one that was checked is
// connected to, and never looked up again. An address that stands in the request asks no resolver.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lnk/http/authority.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/byte_stream.hpp"
#include "wire/host_list.hpp"
#include "wire/nat64.hpp"
#include "wire/neighbours.hpp"
#include "wire/resolver_client.hpp"

namespace lnk::host {

class Gate;

class Dialer {
 public:
  Dialer(Loop& loop, ResolverClient& resolver, Neighbours& neighbours) noexcept
      : loop_(loop), resolver_(resolver), neighbours_(neighbours) {}

  /// From then on nothing is connected to while the gate is closed: the refusal is the gate's.
  void obey(const Gate& gate) noexcept { gate_ = &gate; }
  /// A plain connection to `target`, whose port is set. The caller has checked that its snapshot grants the host; the
  /// addresses are checked here. `machine`: what [lan] says of it, by which it may be private; null: nothing.
  /// Refusals: closed-address (403), upstream (502, 504).
  Task<http::Checked<std::unique_ptr<ByteStream>>> dial(const http::Authority& target, const ListedMachine* machine = nullptr);
  /// A port of this machine's loopback, which the caller has checked that its snapshot grants: at 127.0.0.1, and at ::1 where
  /// nothing takes it there, as for servers that listen on what their resolver names first. Refusals: upstream.
  Task<http::Checked<std::unique_ptr<ByteStream>>> dial_own_port(std::uint16_t port);

 private:
  Task<http::Checked<std::vector<Address>>> find_addresses(const http::Authority& target);
  Task<http::Checked<std::unique_ptr<ByteStream>>> connect_to_one(const http::Authority& target, const std::vector<Address>& addresses);
  Task<bool> learn_nat64();
  [[nodiscard]] std::optional<http::Refusal> closed_meanwhile() const;

  Loop& loop_;
  ResolverClient& resolver_;
  Neighbours& neighbours_;
  const Gate* gate_ = nullptr;  ///< none: nothing closes
  std::vector<Nat64Prefix> nat64_;
  std::int64_t nat64_until_ms_ = 0;  ///< when it is to be asked again
};

}  // namespace lnk::host
