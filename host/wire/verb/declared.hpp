// SPDX-License-Identifier: Apache-2.0
//
// What a verb says of itself once, before its first event.
#pragma once

#include <cstdint>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"
#include "wire/config.hpp"
#include "wire/verb/route_table.hpp"

namespace lnk::host {

/// What a verb said of itself.
struct Declared {
  std::vector<Route> routes;
  std::vector<VerbUpstream> upstreams;  ///< without handles: those are granted, not declared
  std::uint64_t body_bytes_max = 0;
};

/// Has the verb declare itself. errors: the verb's own, or what it declared that can't be.
Result<Declared> declare(const lnk_verb& table, lnk_instance* instance);

}  // namespace lnk::host
