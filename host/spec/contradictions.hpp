// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/reader.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

/// Refuses what a spec says in two ways at once, as far as the text alone shows it.
void refuse_contradictions(Reader& reader, const Spec& spec);

}  // namespace lnk::host
