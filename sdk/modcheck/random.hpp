// SPDX-License-Identifier: Apache-2.0
//
// Numbers and texts that a seed tells, the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lnk::modcheck {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31U);
  }
  /// 0 to `count` - 1; 0 where `count` is 0.
  std::size_t below(std::size_t count) noexcept { return count == 0 ? 0 : static_cast<std::size_t>(next() % count); }
  /// True once in `count` times.
  bool one_in(std::size_t count) noexcept { return below(count) == 0; }

  template <class T>
  const T& pick(std::span<const T> from) noexcept {
    return from[below(from.size())];
  }

  /// Words a request is made of, now and then with bytes that belong in none.
  std::string text(std::size_t parts_max) {
    static constexpr std::string_view kParts[] = {
        "a",  "bot",  "/",        "..", "%2e", "%2F", "{secret}", "?",       "secret", "getMe",
        "\\", "\x7F", "\xC3\xA4", " ",  ":",   "//",  "~",        "user:pw", "0",      "sendMessage",
        "&",  "=",    "#",        "%",  "%zz", "\t",  "Basic ",   "bearer",  ";",      "@"};
    std::string out;
    for (std::size_t left = below(parts_max + 1); left > 0; --left)
      out += pick(std::span<const std::string_view>(kParts));
    if (one_in(16)) out += std::string(below(3000), 'x');
    if (one_in(16)) out += static_cast<char>(below(256));
    return out;
  }

 private:
  std::uint64_t state_;
};

}  // namespace lnk::modcheck
