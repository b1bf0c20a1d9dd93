// SPDX-License-Identifier: Apache-2.0
//
// Processes of ours that root started, and that need nothing of root's.
#pragma once

#include "lnk/cpp/result.hpp"

namespace lnk::posix {

/// Gives up every capability of this thread, for good where it has no new privileges; the bounding set stays, since only
/// an execve(2) could take from it. Threads made after have none either (capabilities(7)), so it is called before them.
[[nodiscard]] Status drop_capabilities();

}  // namespace lnk::posix
