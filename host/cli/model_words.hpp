// SPDX-License-Identifier: Apache-2.0
//
// What [model] opens, in words, and what of models the wire can't see.
#pragma once

#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// A line each, so that of two specs the lines that differ say what changed.
[[nodiscard]] std::vector<std::string> models_in_words(const Grants& grants);

/// What a person or a harness should know beside what is granted.
[[nodiscard]] std::vector<std::string> model_warnings(const Grants& grants);

}  // namespace lnk::host
