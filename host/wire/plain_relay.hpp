// SPDX-License-Identifier: Apache-2.0
//
// A request in absolute-form, relayed: its head written anew, its body and the reply as they come.
#pragma once

#include <memory>

#include "wire/exchange.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

/// A connection outside that a finished exchange left usable: the same client's next request to the same place may take
/// it. Clients never share one.
struct KeptConnection {
  http::Authority place;
  std::unique_ptr<ByteStream> stream;
};

Task<void> relay_plain(WireParts& parts, Exchange& exchange, KeptConnection& kept);

}  // namespace lnk::host
