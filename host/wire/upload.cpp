// SPDX-License-Identifier: Apache-2.0
#include "wire/upload.hpp"

#include "wire/body_writer.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {

Upload::Upload(Exchange& exchange, ByteStream& outside, Deadline& idle) noexcept
    : exchange_(exchange),
      outside_(outside),
      idle_(idle),
      stall_(exchange.loop, &exchange.client),
      ended_(exchange.loop) {}

void Upload::start() {
  if (exchange_.request.is_body_whole()) {
    is_whole_ = true;
    return;
  }
  is_running_ = true;
  spawn(run());
}

Task<void> Upload::run() {
  co_await move_body();
  stall_.clear();
  is_running_ = false;
  ended_.raise();
  if (bell_ != nullptr) bell_->ring();
}

/// The request's own fault is told to the client; the outside is let go, since its request will never be whole.
void Upload::take_end(const ReadEnd& end) {
  if (!drops_) {
    if (end.kind == ReadEnd::Kind::Refused) refusal_ = end.refusal;
    if (end.kind == ReadEnd::Kind::TimedOut) refusal_ = refuse_slow_body();
  }
  exchange_.reply.close_after();
  outside_.cancel();
}

Task<void> Upload::move_body() {
  const http::Framing framing = exchange_.head.body.framing;
  while (!exchange_.request.is_body_whole()) {
    if (!drops_) stall_.set(kBodyStallMs);
    auto read = co_await exchange_.request.read_body();
    if (const auto* end = std::get_if<ReadEnd>(&read)) {
      take_end(*end);
      co_return;
    }
    const auto bytes = std::get<BodyPiece>(read).bytes;
    if (drops_) {
      dropped_ += bytes.size();
      if (dropped_ > kLingerBytes) co_return;
      continue;
    }
    stall_.clear();  // from here on it is the outside that is waited for
    exchange_.log.out += bytes.size();
    idle_.set(kIdleMs);
    const Status written = co_await write_body_piece(outside_, framing, bytes);
    if (!written) co_await give_up();
  }
  if (drops_) co_return;
  const Status ended = co_await write_body_end(outside_, framing);
  is_whole_ = ended.has_value();
  if (!is_whole_) co_await give_up();
}

/// The outside may have answered and closed: the reply tells. One that still reads would wait for the rest.
Task<void> Upload::give_up() {
  drops_ = true;
  static_cast<void>(co_await outside_.shutdown_write());
}

Task<void> Upload::finish() {
  if (!is_running_) co_return;
  exchange_.reply.close_after();
  drops_ = true;
  static_cast<void>(co_await exchange_.client.shutdown_write());
  stall_.set(kLingerMs);
  outside_.cancel();
  co_await ended_;
}

}  // namespace lnk::host
