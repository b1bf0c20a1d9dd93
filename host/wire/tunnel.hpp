// SPDX-License-Identifier: Apache-2.0
//
// CONNECT, and what a WebSocket's 101 makes of a connection: bytes both ways, each way ending by itself.
#pragma once

#include <string>

#include "wire/exchange.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

/// Dials, answers 200 and moves bytes until both ways have ended, one has failed, or nothing moved for 30 minutes. A
/// refusal is answered. To port 443, where hosts are listed, nothing goes out before the client's ClientHello is read and asks for the
/// host that is tunnelled to; else both ends are closed. `exchange.request` may keep bytes that came with the head: they are the tunnel's first.
Task<void> run_tunnel(WireParts& parts, Exchange& exchange);

/// What follows a 101, alike. `exchange.request` and `reply` may keep bytes that came with the heads.
Task<void> run_upgraded(WireParts& parts, Exchange& exchange, ByteStream& outside, MessageReader& reply);

}  // namespace lnk::host
