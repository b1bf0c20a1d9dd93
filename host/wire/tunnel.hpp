// SPDX-License-Identifier: Apache-2.0
//
// CONNECT, and what a WebSocket's 101 makes of a connection: bytes both ways, each way ending by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/exchange.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

/// Dials, answers 200 and moves bytes until both ways have ended, one has failed, or nothing moved for 30 minutes. A
/// refusal is answered. To port 443, where hosts are listed, nothing goes out before the client's ClientHello is read and asks for the
/// host that is tunnelled to; else both ends are closed. `exchange.request` may keep bytes that came with the head: they are the tunnel's first.
Task<void> run_tunnel(WireParts& parts, Exchange& exchange);

/// What a CDN serves is told by the name in the ClientHello, so what goes to a named host could go to its neighbour.
[[nodiscard]] bool is_hello_read(std::uint16_t port) noexcept;

/// Reads the client's first bytes until its ClientHello is whole; `bytes` holds what came, from what was kept on. None: it asks for
/// that host, and for no other.
Task<std::optional<http::Refusal>> read_hello(WireParts& parts, ByteStream& client, http::Authority target, std::string& bytes);

/// The moving alone, from `first_bytes` of the client's on, which are let go of. The call's bytes are counted in `log`.
Task<void> move_both_ways(WireParts& parts, ByteStream& client, ByteStream& outside, CallLog& log, std::string& first_bytes);

/// What follows a 101, alike. `exchange.request` and `reply` may keep bytes that came with the heads.
Task<void> run_upgraded(WireParts& parts, Exchange& exchange, ByteStream& outside, MessageReader& reply);

}  // namespace lnk::host
