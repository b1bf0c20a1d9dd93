// SPDX-License-Identifier: Apache-2.0
//
// What this machine can do for a wall, told by doing.
#pragma once

#include <string>

#include "lnk/cpp/module.hpp"

namespace lnk::os_linux {

[[nodiscard]] Status report_capabilities(CapabilityReport& report, const std::string& inner_stage);

}  // namespace lnk::os_linux
