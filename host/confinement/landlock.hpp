// SPDX-License-Identifier: Apache-2.0
//
// Landlock for a process of ours: every right of files that the kernel knows is taken, but for those that are named; no
// TCP socket is bound; no abstract socket and no process outside is reached, where the kernel can hold that. source:
// landlock(7)
#pragma once

#include <cstdint>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// LANDLOCK_ACCESS_FS_… on a folder and all below it, or on one file as it is: one that replaces it isn't it.
struct FileRule {
  int place = -1;  ///< O_PATH; not owned
  std::uint64_t rights = 0;
};

struct LandlockRules {
  std::vector<FileRule> files;
  bool holds_connect = false;  ///< TCP is connected to `ports` alone, where the kernel can hold that (level 4)
  std::vector<std::uint16_t> ports;
};

/// Below 1 where the kernel has none, or it is off.
[[nodiscard]] long landlock_level() noexcept;

/// Holds this thread and those that it makes. Needs PR_SET_NO_NEW_PRIVS.
/// errors: Unsupported
[[nodiscard]] Status hold_by_landlock(const LandlockRules& rules);

}  // namespace lnk::host
