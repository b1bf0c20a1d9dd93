// SPDX-License-Identifier: Apache-2.0
//
// What /proc tells of a process and of this boot. A number may be another process's as soon as its own has been waited
// for: the start tells them apart.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "lnk/cpp/result.hpp"

namespace lnk::posix {

struct ProcessStat {
  char state = 'X';         ///< a letter of proc_pid_stat(5)
  pid_t parent = 0;         ///< 0: it is the first of its pid namespace, or its parent can't be seen
  std::uint64_t start = 0;  ///< in clock ticks since this boot
};

/// errors: Gone where there is none; Invalid
[[nodiscard]] Result<ProcessStat> process_stat(pid_t pid);

/// The first process, pid 1, of the innermost pid namespace that `pid` is in, as numbered here: pid_namespaces(7).
/// errors: Gone where one on the way has ended; Invalid
[[nodiscard]] Result<pid_t> first_process_around(pid_t pid);

/// Names this boot, with no line end: random(4).
[[nodiscard]] Result<std::string> boot_id();

}  // namespace lnk::posix
