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

Task<PumpEnd> pump(Loop& loop, PipePool& pipes, ByteStream& from, ByteStream& to, PumpOptions options);

}  // namespace lnk::host
