// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "spec/spec.hpp"

namespace lnk::fuzz {

/// Ends the process where the spec grants what no spec may. Written from the document's rules and from libc, with none
/// of the parser's code.
void check_spec(const host::Spec& spec);

/// The grants of this version as TOML, one key a line.
[[nodiscard]] std::string printed_spec(const host::Spec& spec);

}  // namespace lnk::fuzz
