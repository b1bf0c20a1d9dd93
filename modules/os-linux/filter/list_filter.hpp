// SPDX-License-Identifier: Apache-2.0
//
// The second filter, of a sandbox that lists its programs or whose programs are watched. It stands above the target's
// filter, and of two answers the kernel takes the stricter (seccomp(2)), so it opens nothing.
//
// Files are Landlock's to refuse. What is refused here is what is in no folder for Landlock to judge: memory files.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lnk/seccomp/policy.hpp"

namespace lnk::os_linux {

/// What becomes of memory files.
enum class MemoryFiles : std::uint8_t {
  Open,    ///< as they are: any program may run
  Sealed,  ///< made by the exec watch, so that they can't be run; with the seal asked for they are made as they are
  Refused  ///< no such call: nothing here could seal them
};

struct ListFilter {
  std::string_view name;  ///< of its compiled file and its golden one
  bool is_watched = false;
  MemoryFiles memory = MemoryFiles::Refused;
};

inline constexpr ListFilter kWatchedSealed{"watched_sealed", true, MemoryFiles::Sealed};
inline constexpr ListFilter kWatchedRefused{"watched_refused", true, MemoryFiles::Refused};
inline constexpr ListFilter kUnwatched{"unwatched", false, MemoryFiles::Refused};
inline constexpr ListFilter kWatchedOpen{"watched_open", true, MemoryFiles::Open};
inline constexpr std::array<ListFilter, 4> kListFilters = {kWatchedSealed, kWatchedRefused, kUnwatched, kWatchedOpen};

[[nodiscard]] seccomp::Policy list_policy(const ListFilter& filter, seccomp::Architecture architecture);

}  // namespace lnk::os_linux
