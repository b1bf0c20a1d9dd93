// SPDX-License-Identifier: Apache-2.0
//
// The variables by which a loader, a shell or an interpreter is made to run code that its program doesn't name. They are
// cleared from every sandbox's environment and refused in [env]. This is the one list.
#pragma once

#include <string_view>

namespace lnk::host {

/// True for a variable that injects code, or settings that do, into programs that merely inherit it.
[[nodiscard]] bool is_injection_variable(std::string_view name) noexcept;

}  // namespace lnk::host
