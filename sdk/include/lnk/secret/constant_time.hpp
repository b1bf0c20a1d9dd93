// SPDX-License-Identifier: Apache-2.0
//
// Comparison whose time tells nothing of the expected text.
//
// Length rule: the time taken depends on the length of `given` alone. The lengths themselves are not kept secret: texts
// of different length differ, after the same work.
#pragma once

#include <string_view>

namespace lnk::secret {

/// `expected` is the text that must not be learned; `given` comes from whoever tries.
[[nodiscard]] bool equal_constant_time(std::string_view expected, std::string_view given) noexcept;

}  // namespace lnk::secret
