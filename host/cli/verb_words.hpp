// SPDX-License-Identifier: Apache-2.0
//
// What a verb of others is given by its table, in words, whole: the table itself, and each place that it opens.
#pragma once

#include <string>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

[[nodiscard]] std::vector<std::string> verb_in_words(const GrantedVerb& verb);

}  // namespace lnk::host
