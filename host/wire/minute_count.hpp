// SPDX-License-Identifier: Apache-2.0
//
// How often something happened in the last 60 seconds, a window that slides. Pure: the time is given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "wire/limits.hpp"

namespace lnk::host {

/// Counts by pieces of kMinutePieceMs, in fixed memory. What happened is counted for a minute and up to one piece longer, so
/// that no 60 seconds ever hold more than was counted.
/// units: milliseconds of a clock that never runs back.
class MinuteCount {
 public:
  void add(std::int64_t now_ms) noexcept;
  [[nodiscard]] std::uint64_t count(std::int64_t now_ms) noexcept;
  /// How long until the first of those that are counted is so no more; 0 where none is.
  [[nodiscard]] std::int64_t until_less_ms(std::int64_t now_ms) noexcept;
  void clear() noexcept { *this = {}; }

 private:
  static constexpr std::size_t kPieces = static_cast<std::size_t>(kMinuteMs / kMinutePieceMs) + 1;

  void forget_before(std::int64_t now_ms) noexcept;

  std::array<std::uint32_t, kPieces> pieces_{};
  std::int64_t last_ = 0;  ///< the number of the newest piece since the clock's begin
  std::uint64_t total_ = 0;
};

}  // namespace lnk::host
