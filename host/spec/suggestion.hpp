// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lnk::host {

/// The known name that a person most likely meant, or "" where none is near.
/// complexity: the known names × the lengths of both; an unknown name over 64 bytes is near to nothing.
[[nodiscard]] std::string_view nearest_name(std::string_view written, std::span<const std::string_view> known);

/// `; did you mean "x"?`, or "".
[[nodiscard]] std::string did_you_mean(std::string_view written, std::span<const std::string_view> known);

}  // namespace lnk::host
