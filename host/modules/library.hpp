// SPDX-License-Identifier: Apache-2.0
//
// The one place where a library is opened.
#pragma once

#include <filesystem>

#include "lnk/abi/module.h"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// Opens a module's file, which runs its initialisers, and finds its table. The library stays to the process's end.
/// errors: Invalid (the loader's words; no such symbol).
[[nodiscard]] Result<const lnk_module_api*> open_library(const std::filesystem::path& file);

}  // namespace lnk::host
