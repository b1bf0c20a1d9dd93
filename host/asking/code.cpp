// SPDX-License-Identifier: Apache-2.0
#include "asking/code.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cstdlib>

namespace lnk::host {
namespace {

constexpr std::string_view kLetters = "bcdfghjkmnpqrstvwxz";
constexpr unsigned kEvenBelow = 256 - 256 % kLetters.size();  // above it some letters would be likelier

}  // namespace

std::string random_code(std::size_t letters) {
  std::string code;
  while (code.size() < letters) {
    unsigned char byte = 0;
    // Never short once the pool is ready: getrandom(2).
    if (::getrandom(&byte, 1, 0) != 1) std::abort();
    if (byte < kEvenBelow) code += kLetters[byte % kLetters.size()];
  }
  return code;
}

bool is_code(std::string_view text) noexcept { return text.find_first_not_of(kLetters) == std::string_view::npos; }

}  // namespace lnk::host
