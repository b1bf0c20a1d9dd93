// SPDX-License-Identifier: Apache-2.0
//
// Hard links of what is held read only: by another name that lies in a written folder a program can write the same file.
#pragma once

#include <optional>
#include <string>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// A file at `path`, or anywhere below it, that has another name as well; nothing: none has, or nothing is there. Links are not
/// followed. Git's objects are not counted: a clone on the same disk links them, and none of them is run.
/// errors: what can't be looked at; Limit where there is too much of it
[[nodiscard]] Result<std::optional<std::string>> with_another_name(const std::string& path);

}  // namespace lnk::host
