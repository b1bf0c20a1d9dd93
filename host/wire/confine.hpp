// SPDX-License-Identifier: Apache-2.0
//
// The wire confines itself, once it holds all that it needs: it parses what both sides send and holds secrets.
// Guarantees after success: nothing is executed, no new privileges, no memory of this process is read or dumped by
// others of its user, no file is reached but below one folder, no socket of another family than IPv4 and IPv6 is made.
// Does not keep the process from connecting where it will; that is what the rest of the wire decides.
#pragma once

#include <string>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// `folder`: the one that stays open, absolute. Can't be undone. Call it with one thread, everything loaded.
/// errors: the step and what would mend it; nothing may be served then
[[nodiscard]] Status confine(const std::string& folder);

}  // namespace lnk::host
