// SPDX-License-Identifier: Apache-2.0
#include "wire/carried.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "wire/tunnel.hpp"

namespace lnk::host {
namespace {

using Dialed = http::Checked<std::unique_ptr<ByteStream>>;

Task<Dialed> dial(Dialer& dialer, const CarriedTarget& target) {
  switch (target.kind) {
    case CarriedTarget::Kind::Localhost:
      break;
  }
  co_return co_await dialer.dial_own_port(target.port);
}

/// None: it is let through, and counted.
std::optional<http::Refusal> ask_gate(Gate& gate, const ByteStream& client) {
  if (auto closed = gate.look(client.cuttable())) return closed;
  return gate.count_call();
}

/// No status was sent to anybody.
void note_refused(CallLog& log, http::Refusal refusal) {
  refusal.status = 0;
  log.refused(refusal);
}

}  // namespace

std::string_view name_of(CarriedTarget::Kind kind) noexcept {
  switch (kind) {
    case CarriedTarget::Kind::Localhost:
      break;
  }
  return "localhost";
}

Task<void> carry_connection(WireParts& parts, UniqueFd accepted, CarriedTarget target) {
  const std::unique_ptr<ByteStream> client = make_plain_stream(parts.loop, std::move(accepted));
  CallLog log(parts.log, ++parts.last_call_id);
  log.set_target({std::string(name_of(target.kind)), target.host, target.port});
  if (auto refusal = ask_gate(parts.gate, *client)) {
    note_refused(log, std::move(*refusal));
    co_return;
  }
  Dialed dialed = co_await dial(parts.dialer, target);
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
    note_refused(log, std::move(*refusal));
    parts.gate.note_refusal(log, client->cuttable());
    co_return;
  }
  const std::unique_ptr<ByteStream> outside = std::get<0>(std::move(dialed));
  log.opened();
  co_await move_both_ways(parts, *client, *outside, log);
  if (const auto closed = parts.gate.closed()) log.cut(closed->reason);
  log.closed();
}

}  // namespace lnk::host
