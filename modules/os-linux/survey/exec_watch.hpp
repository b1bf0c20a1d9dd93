// SPDX-License-Identifier: Apache-2.0
//
// What an exec watch can do here, told by being one for a moment.
#pragma once

#include "survey/survey.hpp"

namespace lnk::os_linux {

/// Tries a listener with the filter of a listed sandbox on a child: calls are taken, go on, and get sealed memory files.
[[nodiscard]] ExecWatch try_exec_watch();

}  // namespace lnk::os_linux
