// SPDX-License-Identifier: Apache-2.0
//
// A plan to bubblewrap's arguments and the descriptors they name.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// What became of a step's source.
enum class Found { Folder, File, Missing };

/// What the inner stage looks at again.
struct MountCheck {
  std::size_t step = 0;  ///< the place in the plan's steps
  bool is_read_only = false;
  bool has_identity = false;
  dev_t device = 0;
  ino_t inode = 0;
};

struct Arguments {
  std::string options;         ///< each ends with NUL, for --args
  std::vector<UniqueFd> held;  ///< bubblewrap gets each at its own number
  std::vector<Found> found;    ///< for each step of the plan
  std::vector<MountCheck> checks;
};

/// Pins every source. `info` is the number at which bubblewrap finds the descriptor for --info-fd.
/// errors: as pin, with the step's number
[[nodiscard]] Result<Arguments> make_arguments(const Plan& plan, const std::string& inner_stage, int info);

}  // namespace lnk::os_linux
