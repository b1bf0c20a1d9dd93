// SPDX-License-Identifier: Apache-2.0
//
// The children of this process, which is the reaper of all that they leave behind (PR_SET_CHILD_SUBREAPER).
#pragma once

#include <sys/types.h>

#include <optional>

namespace lnk::host {

/// Kills those that are this process's own children now. A child's number is its own until it was waited for, so nobody
/// else is ever meant; their children become this process's, and are found by the next call.
void kill_children() noexcept;

struct Reaped {
  pid_t pid;
  int code;  ///< 128+n for signal n
};
enum class Left { Some, None };

/// Waits for one that has ended; nothing: none has. `left`: whether there are children still.
[[nodiscard]] std::optional<Reaped> reap_one(Left& left) noexcept;

}  // namespace lnk::host
