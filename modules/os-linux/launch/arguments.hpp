// SPDX-License-Identifier: Apache-2.0
//
// A plan to bubblewrap's arguments and the descriptors they name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// What became of a step's source.
enum class Found { Folder, File, Missing };

struct Arguments {
  std::string options;         ///< each ends with NUL, for --args
  std::vector<UniqueFd> held;  ///< bubblewrap gets each at its own number
  std::vector<Found> found;    ///< for each step of the plan
};

/// Pins every source. `info` is the number at which bubblewrap finds the descriptor for --info-fd.
/// errors: as pin, with the step's number
[[nodiscard]] Result<Arguments> make_arguments(const Plan& plan, const std::string& inner_stage, int info);

}  // namespace lnk::os_linux
