// SPDX-License-Identifier: Apache-2.0
#include "wire/minute_count.hpp"

namespace lnk::host {

void MinuteCount::forget_before(std::int64_t now_ms) noexcept {
  const std::int64_t now = now_ms / kMinutePieceMs;
  if (total_ == 0) last_ = now;
  if (now - last_ >= static_cast<std::int64_t>(kPieces)) {
    clear();
    last_ = now;
  }
  while (last_ < now && total_ != 0) {
    std::uint32_t& oldest = pieces_[static_cast<std::size_t>(++last_) % kPieces];
    total_ -= oldest;
    oldest = 0;
  }
  if (total_ == 0) last_ = now;
}

void MinuteCount::add(std::int64_t now_ms) noexcept {
  forget_before(now_ms);
  ++pieces_[static_cast<std::size_t>(last_) % kPieces];
  ++total_;
}

std::uint64_t MinuteCount::count(std::int64_t now_ms) noexcept {
  forget_before(now_ms);
  return total_;
}

std::int64_t MinuteCount::until_less_ms(std::int64_t now_ms) noexcept {
  forget_before(now_ms);
  if (total_ == 0) return 0;
  std::int64_t oldest = last_ - static_cast<std::int64_t>(kPieces) + 1;
  while (oldest < last_ && (oldest < 0 || pieces_[static_cast<std::size_t>(oldest) % kPieces] == 0)) ++oldest;
  return (oldest + static_cast<std::int64_t>(kPieces)) * kMinutePieceMs - now_ms;
}

}  // namespace lnk::host
