// SPDX-License-Identifier: Apache-2.0
//
// Moves bytes one way between two streams. Back-pressure: nothing is read that could not be written before. While it
// waits for something to read it holds no buffer and no pipe.
#pragma once

#include <cstdint>
#include <limits>

#include "wire/byte_stream.hpp"
#include "wire/pipe_pool.hpp"

namespace lnk::host {

enum class PumpEnd : std::uint8_t {
  SourceEnded,  ///< the source shut its writing down; all it sent was passed on
  LimitReached,
  SourceFailed,
  SinkFailed,
  Cancelled,
};

struct PumpOptions {
  std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t* counter = nullptr;  ///< grows as bytes move
  Deadline* idle = nullptr;          ///< set anew, to idle_ms, as bytes move
  std::int64_t idle_ms = 0;
};

class Pump {
 public:
  Pump(Loop& loop, PipePool& pipes, ByteStream& from, ByteStream& to, const PumpOptions& options) noexcept
      : loop_(loop), pipes_(pipes), from_(from), to_(to), options_(options), left_(options.bytes_max) {}

  /// Once.
  Task<PumpEnd> run();

 private:
  struct Step {
    bool waits = false;
    bool is_end = false;
    PumpEnd end = PumpEnd::SourceEnded;
  };

  static Step ends(PumpEnd end) noexcept { return {false, true, end}; }
  [[nodiscard]] bool splices() const noexcept;
  void note_read(std::size_t size) noexcept;
  void note_moved(std::size_t size);
  Task<Step> copy_once();
  Task<Step> splice_once();
  Step end_of_splice(ssize_t got, int os_errno, PipePool::Loan loan);

  Loop& loop_;
  PipePool& pipes_;
  ByteStream& from_;
  ByteStream& to_;
  PumpOptions options_;
  std::uint64_t left_;
  std::uint32_t large_reads_ = 0;
  std::uint32_t turns_ = 0;
  bool splice_failed_ = false;
};

}  // namespace lnk::host
