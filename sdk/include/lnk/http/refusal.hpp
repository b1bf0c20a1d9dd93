// SPDX-License-Identifier: Apache-2.0
//
// Why something was refused, as it is told to the one who asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace lnk::http {

struct Refusal {
  std::uint16_t status = 400;               ///< 0: nothing can be answered any more, the connection closes
  std::string_view reason = "bad-request";  ///< a word of the wire's table, of static storage; sent as Link-Refused
  std::string words = {};                   ///< one line, ASCII, never a byte of what was refused
  std::uint32_t retry_after_s = 0;          ///< sent as Retry-After (RFC 9110 10.2.3); 0: not sent
};

/// A value, or why there is none.
template <class T>
using Checked = std::variant<T, Refusal>;

template <class T>
[[nodiscard]] bool is_refused(const Checked<T>& checked) noexcept {
  return checked.index() == 1;
}

}  // namespace lnk::http
