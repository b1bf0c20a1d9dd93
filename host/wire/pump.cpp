// SPDX-License-Identifier: Apache-2.0
#include "wire/pump.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

class Pump {
 public:
  Pump(Loop& loop, PipePool& pipes, ByteStream& from, ByteStream& to, PumpOptions options) noexcept
      : loop_(loop), pipes_(pipes), from_(from), to_(to), options_(options) {}

  Task<PumpEnd> run() {
    while (left_ > 0) {
      Step step;
      if (large_reads_ >= kLargeReadsToSplice && can_splice()) {
        step = co_await splice_once();
      } else {
        step = co_await copy_once();
      }
      if (step.is_end) co_return step.end;
      if (step.waits && co_await from_.wait_readable() == Wake::Cancelled) co_return PumpEnd::Cancelled;
      if (!step.waits && ++turns_ % kReadsPerTurn == 0) co_await Turn(loop_);
    }
    co_return PumpEnd::LimitReached;
  }

  void set_left(std::uint64_t left) noexcept { left_ = left; }

 private:
  struct Step {
    bool waits = false;
    bool is_end = false;
    PumpEnd end = PumpEnd::SourceEnded;
  };

  static Step ends(PumpEnd end) noexcept { return {false, true, end}; }

  static PumpEnd sink_end(const Status& status) noexcept {
    return status.error().code == Code::Timeout ? PumpEnd::Cancelled : PumpEnd::SinkFailed;
  }

  /// Bulk shows by reads that fill: an exchange of small messages gains nothing by a pipe.
  void note_read(std::size_t size) noexcept { large_reads_ = size >= kLargeReadBytes ? large_reads_ + 1 : 0; }

  void note_moved(std::size_t size) {
    left_ -= size;
    if (options_.counter != nullptr) *options_.counter += size;
    if (options_.idle != nullptr) options_.idle->set(options_.idle_ms);
  }

  [[nodiscard]] bool can_splice() const noexcept {
    return !splice_failed_ && from_.plain_fd() >= 0 && to_.plain_fd() >= 0;
  }

  Task<Step> copy_once() {
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
  Task<Step> splice_once() {
    auto pipe = pipes_.borrow();
    if (!pipe) {
      splice_failed_ = true;
      co_return Step{};
    }
    const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(kPipeBytes, left_));
    const ssize_t got =
        ::splice(from_.plain_fd(), nullptr, pipe->write.get(), nullptr, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    if (got <= 0) co_return end_of_splice(got, errno, std::move(*pipe));
    note_read(static_cast<std::size_t>(got));
    for (std::size_t left = static_cast<std::size_t>(got); left > 0;) {
      const ssize_t put =
          ::splice(pipe->read.get(), nullptr, to_.plain_fd(), nullptr, left, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
      if (put > 0) {
        left -= static_cast<std::size_t>(put);
        note_moved(static_cast<std::size_t>(put));
        continue;
      }
      if (put == 0 || (errno != EAGAIN && errno != EINTR)) co_return ends(PumpEnd::SinkFailed);
      if (co_await to_.wait_writable() == Wake::Cancelled) co_return ends(PumpEnd::Cancelled);
    }
    pipes_.give_back(std::move(*pipe));
    co_return Step{};
  }

  Step end_of_splice(ssize_t got, int os_errno, posix::Pipe pipe) {
    pipes_.give_back(std::move(pipe));
    if (got == 0) return ends(PumpEnd::SourceEnded);
    if (os_errno == EAGAIN || os_errno == EINTR) return Step{true, false, {}};
    if (os_errno != EINVAL) return ends(PumpEnd::SourceFailed);
    splice_failed_ = true;  // a socket of a kind that doesn't splice
    return Step{};
  }

  static constexpr std::size_t kLargeReadBytes = 16 * 1024;
  static constexpr unsigned kLargeReadsToSplice = 8;

  Loop& loop_;
  PipePool& pipes_;
  ByteStream& from_;
  ByteStream& to_;
  PumpOptions options_;
  std::uint64_t left_ = 0;
  unsigned large_reads_ = 0;
  unsigned turns_ = 0;
  bool splice_failed_ = false;
};

}  // namespace

Task<PumpEnd> pump(Loop& loop, PipePool& pipes, ByteStream& from, ByteStream& to, PumpOptions options) {
  Pump one(loop, pipes, from, to, options);
  one.set_left(options.bytes_max);
  co_return co_await one.run();
}

}  // namespace lnk::host
