// SPDX-License-Identifier: Apache-2.0
//
// What the resolver gives up before it reads an answer.
#pragma once

#include "lnk/cpp/result.hpp"
#include "resolver/sources.hpp"

namespace lnk::host {

/// No capability, no new privileges, no debugger; for the process that opens the sources anew when they move, and which
/// reads nothing that came from outside.
[[nodiscard]] Status give_up_privileges();

/// The rest, for the process that looks up: of files it reads `sources` alone, and writes none. A kernel without
/// Landlock lets it read what the person may; the filter of calls still lets it write nothing and reach no socket of
/// the machine's own.
[[nodiscard]] Status confine(const Sources& sources);

}  // namespace lnk::host
