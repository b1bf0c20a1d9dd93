// SPDX-License-Identifier: Apache-2.0
//
// Named places to an ordered list of mounts: folders before what they hold, the nearest named place deciding.
#pragma once

#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// Which of two places with one path decides: the later.
enum class Rank { System, Read, Write, Hide, Closed };

struct Place {
  Rank rank = Rank::System;
  PlanStep step;
  bool always = false;  ///< a Mask that is made even where nothing of the machine would be seen
};

/// errors: Invalid where a place lies below a link
[[nodiscard]] Result<std::vector<PlanStep>> order_mounts(std::vector<Place> places);

}  // namespace lnk::os_linux
