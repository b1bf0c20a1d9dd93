// SPDX-License-Identifier: Apache-2.0
#include "wire/carried.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "wire/tunnel.hpp"

namespace lnk::host {
namespace {

http::Authority authority_of(const CarriedTarget& target) { return {{http::HostKind::Name, target.host, {}}, target.port}; }

using Dialed = http::Checked<std::unique_ptr<ByteStream>>;

/// An endpoint that [lan] names as well may be private.
Task<Dialed> dial(WireParts& parts, const CarriedTarget& target) {
  if (target.kind == CarriedTarget::Kind::Endpoint) {
    const http::Authority authority = authority_of(target);
    co_return co_await parts.dialer.dial(authority, parts.hosts.find_machine(authority));
  }
  co_return co_await parts.dialer.dial_own_port(target.port);
}

/// None: it is let through, and counted.
std::optional<http::Refusal> ask_gate(Gate& gate, const ByteStream& client) {
  if (auto closed = gate.look(client.cuttable())) return closed;
  return gate.count_call();
}

}  // namespace

std::string_view name_of(CarriedTarget::Kind kind) noexcept {
  return kind == CarriedTarget::Kind::Endpoint ? "tcp" : "localhost";
}

Task<void> carry_connection(WireParts& parts, UniqueFd accepted, CarriedTarget target) {
  const std::unique_ptr<ByteStream> client = make_plain_stream(parts.loop, std::move(accepted));
  CallLog log(parts.log, ++parts.last_call_id);
  log.set_target({std::string(name_of(target.kind)), target.host, target.port});
  if (auto refusal = ask_gate(parts.gate, *client)) {
    log.refused_unsaid(*refusal);
    co_return;
  }
  Dialed dialed = co_await dial(parts, target);
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
    log.refused_unsaid(*refusal);
    parts.gate.note_refusal(log, client->cuttable());
    co_return;
  }
  const std::unique_ptr<ByteStream> outside = std::get<0>(std::move(dialed));
  log.opened();
  std::string first_bytes;
  if (target.kind == CarriedTarget::Kind::Endpoint && is_hello_read(target.port)) {
    if (const auto refusal = co_await read_hello(parts, *client, authority_of(target), first_bytes)) {
      log.refused_unsaid(*refusal);
      log.closed();
      parts.gate.note_refusal(log, client->cuttable());
      co_return;
    }
  }
  co_await move_both_ways(parts, *client, *outside, log, first_bytes);
  if (const auto closed = parts.gate.closed()) log.cut(closed->reason);
  log.closed();
}

}  // namespace lnk::host
