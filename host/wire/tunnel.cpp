// SPDX-License-Identifier: Apache-2.0
#include "wire/tunnel.hpp"

#include <algorithm>
#include <optional>

#include "wire/client_hello.hpp"
#include "wire/limits.hpp"
#include "wire/pump.hpp"

namespace lnk::host {
namespace {

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

http::Refusal refuse_hello(const http::Authority& target, std::string_view fault) {
  return {0, "name-mismatch", "the tunnel to " + target.to_text(0) + " began with what " + std::string(fault)};
}

/// The words of why it may not go on; empty: it may.
std::string_view mismatch(const ClientHello& hello, const http::Authority& target) {
  if (target.host.kind != http::HostKind::Name) return hello.name().empty() ? "" : "names a server, and the host is an address";
  if (hello.name().empty()) return "names no server";
  return hello.name() == target.host.text ? "" : "names another server";
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

  /// What came with the heads goes first, and is let go before the tunnel waits.
  Task<void> run(std::string& first_out, std::string& first_in) {
    idle_.set(kIdleMs);
    const bool is_out_sent = co_await send_first(outside_, first_out, log_.out);
    if (!is_out_sent) co_return;
    const bool is_in_sent = co_await send_first(client_, first_in, log_.in);
    if (!is_in_sent) co_return;
    spawn(move_out());
    co_await move(outside_, client_, log_.in);
    co_await out_ended_;
  }

 private:
  static Task<bool> send_first(ByteStream& to, std::string& bytes, std::uint64_t& counter) {
    if (bytes.empty()) co_return true;
    const Status written = co_await write_all(to, to_bytes(bytes));
    if (!written) co_return false;
    counter += bytes.size();
    std::string().swap(bytes);
    co_return true;
  }

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

bool is_hello_read(std::uint16_t port) noexcept {
  constexpr std::uint16_t kHttps = 443;
  return port == kHttps;
}

Task<std::optional<http::Refusal>> read_hello(WireParts& parts, ByteStream& client, http::Authority target, std::string& bytes) {
  Deadline slow(parts.loop, &client);
  slow.set(kHelloMs);
  ClientHello hello;
  for (;;) {
    const auto state = hello.read(bytes);
    if (state == ClientHello::State::Refused) co_return refuse_hello(target, hello.fault());
    if (state == ClientHello::State::Whole) {
      const auto why = mismatch(hello, target);
      if (why.empty()) co_return std::nullopt;
      co_return refuse_hello(target, why);
    }
    const auto room = parts.loop.buffer().first(std::min(parts.loop.buffer().size(), kHelloBytesMax - bytes.size()));
    const auto got = co_await read_some(client, room);
    if (!got) co_return refuse_hello(target, slow.is_over() ? "was not whole in 10 s" : "was cut");
    if (*got == 0) co_return refuse_hello(target, "ended early");
    bytes.append(reinterpret_cast<const char*>(room.data()), *got);
  }
}

Task<void> move_both_ways(WireParts& parts, ByteStream& client, ByteStream& outside, CallLog& log, std::string& first_bytes) {
  Tunnel tunnel(parts, client, outside, log);
  std::string nothing;
  co_await tunnel.run(first_bytes, nothing);
}

Task<void> run_tunnel(WireParts& parts, Exchange& exchange) {
  exchange.reply.close_after();
  auto dialed = co_await parts.dialer.dial(exchange.head.authority, parts.hosts.find_machine(exchange.head.authority));
  if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
    exchange.log.refused(*refusal);
    co_await exchange.refuse(std::move(*refusal));
    co_return;
  }
  exchange.log.status = 200;
  exchange.log.opened();
  const std::unique_ptr<ByteStream> outside = std::get<0>(std::move(dialed));
  const Status answered = co_await exchange.reply.establish_tunnel();
  if (!answered) co_return;
  std::string first_bytes = exchange.request.take_kept();
  if (is_hello_read(exchange.head.authority.port) && parts.hosts.is_list()) {
    if (const auto refusal = co_await read_hello(parts, exchange.client, exchange.head.authority, first_bytes)) {
      exchange.log.refused(*refusal);
      co_return;
    }
  }
  co_await move_both_ways(parts, exchange.client, *outside, exchange.log, first_bytes);
}

Task<void> run_upgraded(WireParts& parts, Exchange& exchange, ByteStream& outside, MessageReader& reply) {
  std::string first_out = exchange.request.take_kept();
  std::string first_in = reply.take_kept();
  Tunnel tunnel(parts, exchange.client, outside, exchange.log);
  co_await tunnel.run(first_out, first_in);
}

}  // namespace lnk::host
