// SPDX-License-Identifier: Apache-2.0
//
// The target's three streams, as the launch hands them on.
#pragma once

#include <array>
#include <string>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::os_linux {

struct Stream {
  UniqueFd fd;
  /// The same once more, to be mounted read only inside, where a file is given for reading alone; else closed. bubblewrap
  /// closes what it has mounted.
  UniqueFd mounted;
};

/// errors: Invalid for a closed number; Denied for a file that is given read only and can't be mounted so, and where programs are
/// listed for a memory file that could be made one
[[nodiscard]] Result<std::array<Stream, 3>> copy_streams(const std::array<int, 3>& stdio, bool are_programs_listed);

/// bubblewrap's options for what is mounted.
[[nodiscard]] std::string stream_options(const std::array<Stream, 3>& streams);

}  // namespace lnk::os_linux
