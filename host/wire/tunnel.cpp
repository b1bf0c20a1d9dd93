// SPDX-License-Identifier: Apache-2.0
#include "wire/tunnel.hpp"

#include "wire/limits.hpp"
#include "wire/pump.hpp"

namespace lnk::host {
namespace {

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

class Tunnel {
 public:
  Tunnel(WireParts& parts, ByteStream& client, ByteStream& outside, CallLog& log) noexcept
      : parts_(parts),
        client_(client),
        outside_(outside),
        log_(log),
        idle_(parts.loop, &client, &outside),
        out_ended_(parts.loop) {}

  Task<void> run(std::string first_bytes) {
    idle_.set(kIdleMs);
    if (!first_bytes.empty()) {
      const Status written = co_await write_all(outside_, to_bytes(first_bytes));
      if (!written) co_return;
      log_.out += first_bytes.size();
      std::string().swap(first_bytes);
    }
    spawn(move_out());
    co_await move(outside_, client_, log_.in);
    co_await out_ended_;
  }

 private:
  Task<void> move_out() {
    co_await move(client_, outside_, log_.out);
    out_ended_.raise();
  }

  /// An end is passed on and the other way goes on (half-close); a failure ends both.
  Task<void> move(ByteStream& from, ByteStream& to, std::uint64_t& counter) {
    PumpOptions options;
    options.counter = &counter;
    options.idle = &idle_;
    options.idle_ms = kIdleMs;
    Pump pump(parts_.loop, parts_.pipes, from, to, options);
    const PumpEnd end = co_await pump.run();
    bool goes_on = end == PumpEnd::SourceEnded;
    if (goes_on) goes_on = (co_await to.shutdown_write()).has_value();
    if (goes_on) co_return;
    client_.cancel();
    outside_.cancel();
  }

  WireParts& parts_;
  ByteStream& client_;
  ByteStream& outside_;
  CallLog& log_;
  Deadline idle_;
  Signal out_ended_;
};

}  // namespace

Task<void> run_tunnel(WireParts& parts, Exchange& exchange) {
  exchange.reply.close_after();
  auto dialed = co_await parts.dialer.dial(exchange.head.authority);
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
    exchange.log.refused(*refusal);
    co_await exchange.reply.refuse(std::move(*refusal));
    co_return;
  }
  exchange.log.status = 200;
  exchange.log.opened();
  const std::unique_ptr<ByteStream> outside = std::get<0>(std::move(dialed));
  const Status answered = co_await exchange.reply.establish_tunnel();
  if (!answered) co_return;
  std::string first_bytes = exchange.request.take_kept();
  Tunnel tunnel(parts, exchange.client, *outside, exchange.log);
  co_await tunnel.run(std::move(first_bytes));
}

}  // namespace lnk::host
