// SPDX-License-Identifier: Apache-2.0
#include "wire/pump.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

PumpEnd sink_end(const Status& status) noexcept {
  return status.error().code == Code::Timeout ? PumpEnd::Cancelled : PumpEnd::SinkFailed;
}

}  // namespace

Task<PumpEnd> Pump::run() {
  // An idle tunnel is two of these that wait: a plain socket is waited for here and not through a coroutine of its own.
  Watch* const watch = from_.plain_watch();
  while (left_ > 0) {
    Step step;
    if (splices()) {
      step = co_await splice_once();
    } else {
      step = co_await copy_once();
    }
    if (step.is_end) co_return step.end;
    Wake wake = Wake::Ready;
    if (step.waits && watch != nullptr) wake = co_await watch->readable();
    if (step.waits && watch == nullptr) wake = co_await from_.wait_readable();
    if (wake == Wake::Cancelled) co_return PumpEnd::Cancelled;
    if (!step.waits && ++turns_ % kReadsPerTurn == 0) co_await Turn(loop_);
  }
  co_return PumpEnd::LimitReached;
}

bool Pump::splices() const noexcept {
  return large_reads_ >= kLargeReadsToSplice && !splice_failed_ && from_.plain_watch() != nullptr &&
         to_.plain_watch() != nullptr;
}

void Pump::note_read(std::size_t size) noexcept { large_reads_ = size >= kLargeReadBytes ? large_reads_ + 1 : 0; }

void Pump::note_moved(std::size_t size) {
  left_ -= size;
  if (options_.counter != nullptr) *options_.counter += size;
  if (options_.idle != nullptr) options_.idle->set(options_.idle_ms);
}

Task<Pump::Step> Pump::copy_once() {
  const std::span<std::byte> buffer = loop_.buffer();
  const Io io = from_.try_read(buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left_))));
  if (io.kind == Io::Kind::WouldBlock) co_return Step{true, false, {}};
  if (io.kind == Io::Kind::Ended) co_return ends(PumpEnd::SourceEnded);
  if (io.kind == Io::Kind::Failed) co_return ends(PumpEnd::SourceFailed);
  note_read(io.size);
  const Status written = co_await write_all(to_, buffer.first(io.size));
  if (!written) co_return ends(sink_end(written));
  note_moved(io.size);
  co_return Step{};
}

/// One pipeful. The pipe stays borrowed while the sink is waited for, and is empty again at the end.
Task<Pump::Step> Pump::splice_once() {
  constexpr unsigned kFlags = SPLICE_F_MOVE | SPLICE_F_NONBLOCK;
  auto loan = pipes_.borrow();
  if (!loan) {
    splice_failed_ = true;
    co_return Step{};
  }
  const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(kPipeBytes, left_));
  const posix::Pipe& pipe = loan->pipe;
  const ssize_t got = ::splice(from_.plain_watch()->fd(), nullptr, pipe.write.get(), nullptr, most, kFlags);
  if (got <= 0) co_return end_of_splice(got, errno, std::move(*loan));
  note_read(static_cast<std::size_t>(got));
  for (std::size_t left = static_cast<std::size_t>(got); left > 0;) {
    const ssize_t put = ::splice(pipe.read.get(), nullptr, to_.plain_watch()->fd(), nullptr, left, kFlags);
    if (put > 0) {
      left -= static_cast<std::size_t>(put);
      note_moved(static_cast<std::size_t>(put));
      continue;
    }
    if (put == 0 || (errno != EAGAIN && errno != EINTR)) co_return ends(PumpEnd::SinkFailed);
    if (co_await to_.wait_writable() == Wake::Cancelled) co_return ends(PumpEnd::Cancelled);
  }
  pipes_.give_back(std::move(*loan));
  co_return Step{};
}

Pump::Step Pump::end_of_splice(ssize_t got, int os_errno, PipePool::Loan loan) {
  pipes_.give_back(std::move(loan));
  if (got == 0) return ends(PumpEnd::SourceEnded);
  if (os_errno == EAGAIN || os_errno == EINTR) return Step{true, false, {}};
  if (os_errno != EINVAL) return ends(PumpEnd::SourceFailed);
  splice_failed_ = true;  // a socket of a kind that doesn't splice
  return Step{};
}

}  // namespace lnk::host
