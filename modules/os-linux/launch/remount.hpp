// SPDX-License-Identifier: Apache-2.0
//
// A name of a running sandbox, held read only again after it was replaced from outside.
#pragma once

#include "lnk/cpp/confiner.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::os_linux {

/// Has the keeper start a remounter for it, and waits. errors: Gone where something else stands there or the sandbox has
/// ended; Unsupported where this kernel can't (mount_setattr(2) is of Linux 5.12); after one the processes inside may
/// stay stopped.
[[nodiscard]] Status hold_again(const UniqueFd& keeper, const Replaced& replaced);

}  // namespace lnk::os_linux
