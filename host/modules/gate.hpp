// SPDX-License-Identifier: Apache-2.0
//
// Whether this machine has what a module's note requires of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// One capability of the machine as a probe told it (lnk/abi/probe.h).
struct MachineCapability {
  std::string name = {};
  std::uint32_t state = 0;  ///< LNK_SUPPORTED, …
  std::uint32_t level = 0;
  int os_errno = 0;
  std::string evidence = {};
  std::string mend = {};
};

struct Requirement {
  std::string name = {};
  std::uint32_t level_min = 0;  ///< 0: that it is there
};

/// Pure: "linux.landlock>=1,linux.userns". An empty text requires nothing. errors: Invalid.
[[nodiscard]] Result<std::vector<Requirement>> parse_requirements(std::string_view text);

/// Pure. errors: Invalid (no sound list), Unsupported (the first that the machine hasn't, with what was found).
[[nodiscard]] Result<void> check_requirements(std::string_view text, std::span<const MachineCapability> machine);

}  // namespace lnk::host
