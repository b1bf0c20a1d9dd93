// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 as lower-case hex: snapshots and modules are known by it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// errors: Gone where the file can't be opened or read; os_errno says why.
[[nodiscard]] Result<std::string> sha256_file(const std::filesystem::path& file);

}  // namespace lnk::host
