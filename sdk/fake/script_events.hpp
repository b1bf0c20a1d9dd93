// SPDX-License-Identifier: Apache-2.0
//
// A script's step as an event.
#pragma once

#include <boost/json/fwd.hpp>

#include "lnk/fake/verb_bench.hpp"

namespace lnk::fake {

/// Sends the step's event. errors: Invalid where the step is none.
[[nodiscard]] Result<Sent> send_event(VerbBench& bench, const boost::json::object& step);

}  // namespace lnk::fake
