// SPDX-License-Identifier: Apache-2.0
//
// [verb.<id>] to what it opens: the module is found, its schema is read without running it, the table is held against that, and
// the values that the schema marks become grants. So a module opens nothing that the spec doesn't say, and its code runs in
// the wire alone.
#pragma once

#include <vector>

#include "cli/context.hpp"
#include "resolve/resolve.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// Adds the verbs of a spec; what is wrong with their tables is added to the refusals, a line each. Returns their modules.
[[nodiscard]] std::vector<ModuleUse> add_verbs(const Context& context, const SpecSource& source, Resolved& into);

}  // namespace lnk::host
