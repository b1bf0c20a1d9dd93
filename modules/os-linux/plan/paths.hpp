// SPDX-License-Identifier: Apache-2.0
//
// Absolute, lexically clean paths as bytes. A name may hold any byte but '/' and NUL.
#pragma once

#include <string>
#include <string_view>

namespace lnk::os_linux {

/// "/a", "/a/b"; no "." or "..", no doubled or last '/', no NUL. "/" is clean.
[[nodiscard]] bool is_clean_path(std::string_view path) noexcept;

/// `path` is `folder` or below it.
[[nodiscard]] bool is_within(std::string_view path, std::string_view folder) noexcept;

/// Folders before what they hold, siblings by bytes: '/' sorts before every other byte.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace lnk::os_linux
