// SPDX-License-Identifier: Apache-2.0
//
// How much of bodies the calls of all verbs hold at a time, whole: each has a limit of its own, and a program may make many calls.
#pragma once

#include <cstddef>
#include <utility>

#include "wire/limits.hpp"

namespace lnk::host {

class HeldBodies {
 public:
  /// What one call holds, to its end.
  class Share {
   public:
    explicit Share(HeldBodies& all) noexcept : all_(all) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { release(); }

    /// False: all calls would hold too much, and this one holds no more than before.
    [[nodiscard]] bool grow(std::size_t bytes) noexcept {
      if (bytes > kHeldBodiesBytesMax - all_.bytes_) return false;
      all_.bytes_ += bytes;
      bytes_ += bytes;
      return true;
    }
    void release() noexcept { all_.bytes_ -= std::exchange(bytes_, 0); }

   private:
    HeldBodies& all_;
    std::size_t bytes_ = 0;
  };

 private:
  std::size_t bytes_ = 0;
};

}  // namespace lnk::host
