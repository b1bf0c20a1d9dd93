// SPDX-License-Identifier: Apache-2.0
#include "wire/plain_relay.hpp"

#include <optional>

#include "lnk/http/write.hpp"
#include "wire/body_writer.hpp"
#include "wire/limits.hpp"
#include "wire/pump.hpp"
#include "wire/refusals.hpp"
#include "wire/tunnel.hpp"
#include "wire/upload.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kHttpPort = 80;

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Nothing was sent to it since the last reply and its other end still stands: a kept connection that is readable has
/// ended or says what nobody asked.
bool is_still_good(ByteStream& stream) {
  std::byte byte;
  return stream.try_read(std::span(&byte, 1)).kind == Io::Kind::WouldBlock;
}

class Relay {
 public:
  Relay(WireParts& parts, Exchange& exchange, KeptConnection& kept) noexcept
      : parts_(parts), exchange_(exchange), kept_(kept), idle_(parts.loop) {}

  Task<void> run() {
    if (!co_await take_kept_or_dial()) co_return;
    exchange_.log.opened();
    if (!co_await send_head()) co_return;
    const Status invited = co_await exchange_.reply.invite_body();
    if (!invited) co_return;
    Upload upload(exchange_, *stream_, idle_);
    upload.start();
    co_await relay_reply(upload);
    co_await upload.finish();
    const bool is_reusable = upload.is_whole() && reply_keeps_ && reader_->kept().empty() && !exchange_.reply.closes();
    if (is_reusable) kept_ = {exchange_.head.authority, std::move(stream_)};
  }

 private:
  Task<bool> take_kept_or_dial() {
    std::unique_ptr<ByteStream> kept = std::exchange(kept_.stream, nullptr);
    const bool is_usable = kept && kept_.place == exchange_.head.authority && is_still_good(*kept);
    if (!is_usable) co_return co_await dial();
    stream_ = std::move(kept);
    // It may end at this very moment; a request that changes nothing and has no body is then sent once more.
    may_repeat_ =
        exchange_.request.is_body_whole() && (exchange_.head.method == "GET" || exchange_.head.method == "HEAD");
    co_return true;
  }

  Task<bool> dial() {
    may_repeat_ = false;
    const http::Authority& target = exchange_.head.authority;
    auto dialed = co_await parts_.dialer.dial(target, parts_.hosts.find_machine(target));
    if (auto* refusal = std::get_if<http::Refusal>(&dialed)) {
      co_await refuse(std::move(*refusal));
      co_return false;
    }
    stream_ = std::get<0>(std::move(dialed));
    co_return true;
  }

  /// False: answered. Whether it could be written is not asked: a server may answer and close before it has read it
  /// all.
  Task<bool> send_head() {
    const std::string head = http::write_origin_request(exchange_.head, kHttpPort);
    if (head.empty()) {
      co_await refuse(refuse_bad_request("a head that can't be passed on"));
      co_return false;
    }
    reader_.emplace(parts_.loop, *stream_);
    idle_.cancels(stream_.get(), &exchange_.client);
    idle_.set(kIdleMs);
    const Status written = co_await write_all(*stream_, to_bytes(head));
    if (!written)
      static_cast<void>(co_await stream_->shutdown_write());  // else a host that still reads would wait for the rest
    co_return true;
  }

  Task<void> refuse(http::Refusal refusal) {
    exchange_.log.refused(refusal);
    co_await exchange_.refuse(std::move(refusal));
  }

  Task<void> relay_reply(Upload& upload) {
    auto read = co_await read_final_head();
    if (may_repeat_ && is_closed(read)) {
      if (!co_await dial()) co_return;
      if (!co_await send_head()) co_return;
      read = co_await read_final_head();
    }
    if (const auto& refusal = upload.refusal()) {
      co_await refuse(*refusal);
      co_return;
    }
    if (const auto* end = std::get_if<ReadEnd>(&read)) {
      co_await refuse(to_refusal(*end));
      co_return;
    }
    const auto& head = std::get<http::ReplyHead>(read);
    exchange_.log.status = head.status;
    const auto fields = http::end_to_end_fields(head.fields);
    if (head.is_websocket) {
      co_await switch_to_websocket(head, fields);
      co_return;
    }
    const bool holds_head = !reader_->kept().empty();
    const Status begun = co_await exchange_.reply.begin(head.status, head.reason, fields, head.told_length, holds_head);
    if (!begun) co_return;
    reader_->begin_body(head.body);
    if (!co_await relay_body(head)) co_return;
    const Status ended = co_await exchange_.reply.end();
    reply_keeps_ = ended && head.wants_keep_alive;
  }

  /// From here on a tunnel: what the client sent behind its request is no request any more.
  Task<void> switch_to_websocket(const http::ReplyHead& head, const std::vector<http::Field>& fields) {
    const Status switched = co_await exchange_.reply.switch_to_websocket(head.reason, fields);
    idle_.clear();
    if (!switched) co_return;
    co_await run_upgraded(parts_, exchange_, *stream_, *reader_);
  }

  /// The reply behind all interim ones, which are not passed on; of switches of protocols only that to a WebSocket,
  /// where it was asked for.
  Task<ReadResult<http::ReplyHead>> read_final_head() {
    for (int count = 0; count <= http::kInterimRepliesMax; ++count) {
      auto read = co_await reader_->read_reply(exchange_.head.method);
      const auto* head = std::get_if<http::ReplyHead>(&read);
      if (head == nullptr || head->status >= 200) co_return read;
      if (head->status == 101 && exchange_.head.asks_websocket && head->is_websocket) co_return read;
      if (head->status == 101) break;
    }
    co_return ReadEnd{ReadEnd::Kind::Refused, refuse_upstream("the host's interim replies made no sense")};
  }

  static bool is_closed(const ReadResult<http::ReplyHead>& read) noexcept {
    const auto* end = std::get_if<ReadEnd>(&read);
    return end != nullptr && (end->kind == ReadEnd::Kind::Closed || end->kind == ReadEnd::Kind::Cut);
  }

  static http::Refusal to_refusal(const ReadEnd& end) {
    switch (end.kind) {
      case ReadEnd::Kind::Refused:
        return end.refusal;
      case ReadEnd::Kind::TimedOut:
        return refuse_upstream_timeout("the host did not answer in time");
      case ReadEnd::Kind::Closed:
      case ReadEnd::Kind::Cut:
        break;
    }
    return refuse_upstream("the host closed the connection without a whole reply");
  }

  /// False: cut short.
  Task<bool> relay_body(const http::ReplyHead& head) {
    while (!reader_->is_body_whole()) {
      const bool is_raw =
          exchange_.reply.takes_raw() && head.body.framing != http::Framing::Chunked && reader_->kept().empty();
      if (is_raw) co_return co_await pump_body(head.body);
      auto read = co_await reader_->read_body();
      const auto* piece = std::get_if<BodyPiece>(&read);
      if (piece == nullptr) {
        exchange_.log.cut();
        co_return false;
      }
      exchange_.log.in += piece->bytes.size();
      const Status written = co_await exchange_.reply.piece(piece->bytes);
      if (!written) co_return false;
      idle_.set(kIdleMs);
    }
    co_return true;
  }

  /// Past reader and writer: both sides are framed alike.
  Task<bool> pump_body(const http::Body& body) {
    PumpOptions options;
    std::uint64_t moved = 0;
    if (body.framing == http::Framing::Length) options.bytes_max = reader_->body_left();
    options.counter = &moved;
    options.idle = &idle_;
    options.idle_ms = kIdleMs;
    Pump pump(parts_.loop, parts_.pipes, *stream_, exchange_.client, options);
    const PumpEnd end = co_await pump.run();
    exchange_.log.in += moved;
    exchange_.reply.count_raw(moved);
    reader_->skip_body(moved);
    if (end == PumpEnd::SourceEnded && body.framing == http::Framing::UntilClose) reader_->end_body();
    const bool is_by_source = end == PumpEnd::SourceEnded || end == PumpEnd::SourceFailed;
    if (is_by_source && !reader_->is_body_whole()) exchange_.log.cut();
    co_return reader_->is_body_whole();
  }

  WireParts& parts_;
  Exchange& exchange_;
  KeptConnection& kept_;
  Deadline idle_;
  std::unique_ptr<ByteStream> stream_;
  std::optional<MessageReader> reader_;
  bool may_repeat_ = false;
  bool reply_keeps_ = false;
};

}  // namespace

Task<void> relay_plain(WireParts& parts, Exchange& exchange, KeptConnection& kept) {
  Relay relay(parts, exchange, kept);
  co_await relay.run();
}

}  // namespace lnk::host
