// SPDX-License-Identifier: Apache-2.0
//
// A program that a person names at a prompt, and that is kept to be started later, outside of every sandbox.
#pragma once

#include <string>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// Its absolute path. Looked up now, on the person's PATH and from the current folder: what starts it later has
/// neither.
[[nodiscard]] Result<std::string> typed_program(const std::string& name);

}  // namespace lnk::host
