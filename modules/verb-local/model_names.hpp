// SPDX-License-Identifier: Apache-2.0
//
// Which model a request may name. A name can be a way out by itself: some runtimes fetch what a name names, or hand the
// request to a model elsewhere.
// Pure: names in, words out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lnk::verb_local {

/// Why this model may not be asked for, in words that name it; empty: it may. `models`: the spec's; empty: it names
/// none.
[[nodiscard]] std::string model_fault(const std::vector<std::string>& models, std::string_view name);

}  // namespace lnk::verb_local
