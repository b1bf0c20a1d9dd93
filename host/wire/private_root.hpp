// SPDX-License-Identifier: Apache-2.0
//
// Where the kernel has no Landlock: a mount namespace whose root holds one folder and nothing else.
#pragma once

#include <string>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// `folder` keeps its path. Everything else that was opened before stays open; nothing else is reached by path.
/// errors: the step that failed, and what forbids it
[[nodiscard]] Status enter_private_root(const std::string& folder);

}  // namespace lnk::host
