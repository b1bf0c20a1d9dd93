// SPDX-License-Identifier: Apache-2.0
//
// Connections to the outside. A name is resolved once; every address it has is checked; one that was checked is
// connected to, and never looked up again. An address that stands in the request asks no resolver.
#pragma once

#include <memory>
#include <vector>

#include "lnk/http/authority.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/byte_stream.hpp"
#include "wire/neighbours.hpp"
#include "wire/resolver_client.hpp"

namespace lnk::host {

class Dialer {
 public:
  Dialer(Loop& loop, ResolverClient& resolver, Neighbours& neighbours) noexcept
      : loop_(loop), resolver_(resolver), neighbours_(neighbours) {}

  /// A plain connection to `target`, whose port is set. The caller has checked that its snapshot grants the host; the
  /// addresses are checked here. Refusals: closed-address (403), upstream (502, 504).
  Task<http::Checked<std::unique_ptr<ByteStream>>> dial(const http::Authority& target);

 private:
  Task<http::Checked<std::vector<Address>>> find_addresses(const http::Authority& target);

  Loop& loop_;
  ResolverClient& resolver_;
  Neighbours& neighbours_;
};

}  // namespace lnk::host
