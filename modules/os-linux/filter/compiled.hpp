// SPDX-License-Identifier: Apache-2.0
//
// The target's filter of this architecture, compiled while building.
#pragma once

#include <linux/filter.h>

#include <span>

namespace lnk::os_linux {

[[nodiscard]] std::span<const sock_filter> compiled_filter() noexcept;

}  // namespace lnk::os_linux
