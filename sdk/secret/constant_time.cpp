// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/constant_time.hpp"

#include <cstddef>

namespace lnk::secret {

bool equal_constant_time(std::string_view expected, std::string_view given) noexcept {
  // Where the lengths differ `given` is compared with itself: the same work, and a difference already noted.
  const bool same_size = expected.size() == given.size();
  const char* against = same_size ? expected.data() : given.data();
  // volatile: the compiler may not leave the loop early once the answer is known.
  volatile unsigned char difference = same_size ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(against[i]) ^ static_cast<unsigned char>(given[i])));
  }
  return difference == 0;
}

}  // namespace lnk::secret
