// SPDX-License-Identifier: Apache-2.0
//
// Landlock by the highest level that works when tried: a kernel may report a level and refuse its flags.
// source: Documentation/userspace-api/landlock.rst; the numbers stand here since Debian 12's headers end at level 2.
// Level 2: Linux 5.19, 3: 6.2, 4: 6.7, 5: 6.10, 6: 6.12, 7: 6.15, 8: 7.0, 9: 7.1, 10: 7.2.
#pragma once

#include <cstdint>
#include <string>

#include "survey/survey.hpp"

namespace lnk::os_linux {

inline constexpr std::uint64_t kExecute = 1U << 0U;
inline constexpr std::uint64_t kWriteFile = 1U << 1U;
inline constexpr std::uint64_t kReadFile = 1U << 2U;
inline constexpr std::uint64_t kReadDir = 1U << 3U;
inline constexpr std::uint64_t kBaseRights = (1U << 13U) - 1U;  // level 1: up to make_sym
inline constexpr std::uint64_t kRefer = 1U << 13U;              // level 2
inline constexpr std::uint64_t kTruncate = 1U << 14U;           // level 3
inline constexpr std::uint64_t kIoctlDev = 1U << 15U;           // level 5
// Level 9: connect(2) and sendmsg(2) to a path socket. Sockets that were made under the same restriction stay open, so it
// is given on no path at all.
inline constexpr std::uint64_t kResolveUnix = 1U << 16U;
inline constexpr std::uint64_t kScopeSockets = 1U << 0U;        // level 6
inline constexpr std::uint64_t kScopeSignals = 1U << 1U;        // level 6

/// The rights that may be given on a file; the others are of folders, and the kernel refuses them on a file.
inline constexpr std::uint64_t kFileRights = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;

/// What the kernel says of itself: its level, or 0 with errno in `os_errno` (ENOSYS, EOPNOTSUPP).
struct ReportedLandlock {
  std::uint32_t level = 0;
  int os_errno = 0;
};
[[nodiscard]] ReportedLandlock reported_landlock() noexcept;

/// What can be used of it: tried in a forked child by its effects, from the reported level down. Level 1 is not used: it refuses every
/// rename between folders.
[[nodiscard]] Landlock usable_landlock();

/// The first level from `reported` down that `works` says yes to; level 0 where none does.
[[nodiscard]] Landlock highest_that_works(std::uint32_t reported, bool (*works)(const Landlock& level));

}  // namespace lnk::os_linux
