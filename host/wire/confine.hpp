// SPDX-License-Identifier: Apache-2.0
//
// The wire confines itself, once it holds all that it needs: it parses what both sides send and holds secrets.
// Guarantees after success: nothing is executed, no new privileges, no memory of this process is read or dumped by
// others of its user, no file is reached but below one folder, no socket of another family than IPv4 and IPv6 is made, and
// where the kernel can hold it (Landlock 4) TCP is connected to the ports alone that the spec names.
// Does not keep the process from an address at these ports: that is what the rest of the wire decides.
#pragma once

#include <cstdint>
#include <string>
#include <optional>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "wire/config.hpp"

namespace lnk::host {

/// Every port outside that this wire may have to connect to, in order, each once. Nothing: any, since a mongodb+srv name's
/// servers say theirs.
[[nodiscard]] std::optional<std::vector<std::uint16_t>> ports_outside(const WireConfig& config);

/// `folder`: the one that stays open, absolute. Can't be undone. Call it with one thread, everything loaded.
/// errors: the step and what would mend it; nothing may be served then
[[nodiscard]] Status confine(const std::string& folder, const std::optional<std::vector<std::uint16_t>>& ports);

}  // namespace lnk::host
