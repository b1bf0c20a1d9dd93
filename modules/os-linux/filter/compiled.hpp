// SPDX-License-Identifier: Apache-2.0
//
// The filters of this architecture, compiled while building.
#pragma once

#include <linux/filter.h>

#include <span>

#include "filter/list_filter.hpp"

namespace lnk::os_linux {

[[nodiscard]] std::span<const sock_filter> compiled_filter() noexcept;
/// One of kListFilters.
[[nodiscard]] std::span<const sock_filter> compiled_filter(const ListFilter& filter) noexcept;

}  // namespace lnk::os_linux
