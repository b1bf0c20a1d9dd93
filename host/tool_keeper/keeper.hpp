// SPDX-License-Identifier: Apache-2.0
//
// The parent of one tool that runs outside. Whatever a tool starts becomes the keeper's child when its own parent ends,
// so that none of it outlives the tool; and the tool ends with its front, however that went, since the keeper sees the
// end of its socket.
#pragma once

#include <string>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

struct KeptTool {
  UniqueFd control;
  UniqueFd stream;  ///< the tool's standard input and output
  UniqueFd log;
  std::string folder;  ///< where it is started
  char** argv = nullptr;
  char** env = nullptr;
};

/// Runs it to its end, and ends all that is left of it. errors: it was not started, and the front was told where that
/// could be
[[nodiscard]] Status keep(KeptTool tool);

}  // namespace lnk::host
