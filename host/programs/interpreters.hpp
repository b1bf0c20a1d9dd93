// SPDX-License-Identifier: Apache-2.0
//
// The programs that run any code they are handed. A list that allows one of them allows what it can be told to do,
// which no rule about files holds. This is the one list; what it lacks is only not marked.
#pragma once

#include <string_view>

namespace lnk::host {

/// By the last part of a program's path: "bash", "python3.11".
[[nodiscard]] bool is_interpreter(std::string_view path) noexcept;

}  // namespace lnk::host
