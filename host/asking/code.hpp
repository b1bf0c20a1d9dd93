// SPDX-License-Identifier: Apache-2.0
//
// Codes of letters that a person reads and types: none that is taken for another, and no vowel, so that none is a word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lnk::host {

/// From the kernel's random bytes, each letter as likely as any other.
[[nodiscard]] std::string random_code(std::size_t letters);
/// Whether it has such letters alone.
[[nodiscard]] bool is_code(std::string_view text) noexcept;

}  // namespace lnk::host
