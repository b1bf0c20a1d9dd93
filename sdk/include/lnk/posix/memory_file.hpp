// SPDX-License-Identifier: Apache-2.0
//
// Files that live in memory alone (memfd_create(2)).
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::posix {

/// A memory file that holds `content`, at offset 0, sealed against any change, itself not executable.
/// errors: Limit; os_errno.
[[nodiscard]] Result<UniqueFd> make_sealed_file(const char* name, std::string_view content);

}  // namespace lnk::posix
