// SPDX-License-Identifier: Apache-2.0
//
// What a secret's rule lets a program do with it, in words. A line holds one part of the rule and names the secret, so
// that of two rules the lines that differ say what changed.
#pragma once

#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] std::vector<std::string> secret_in_words(const GrantedSecret& secret);

}  // namespace lnk::host
