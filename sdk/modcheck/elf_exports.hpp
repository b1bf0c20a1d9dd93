// SPDX-License-Identifier: Apache-2.0
//
// The names that a shared library offers to others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::modcheck {

/// Pure. The defined, visible symbols of the dynamic table. errors: Invalid (no sound ELF file, or no section headers).
[[nodiscard]] Result<std::vector<std::string>> read_exports(std::span<const std::byte> file);

}  // namespace lnk::modcheck
