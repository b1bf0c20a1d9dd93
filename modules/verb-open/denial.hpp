// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lnk::verb_open {

struct Denial {
  std::uint32_t status;
  std::string_view reason;  ///< a word of the wire's table
  std::string words;        ///< one line of ASCII
};

}  // namespace lnk::verb_open
