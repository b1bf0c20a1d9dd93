// SPDX-License-Identifier: Apache-2.0
#include "filter/compiled.hpp"

#include <array>

namespace lnk::os_linux {
namespace {

constexpr auto kFilter = std::to_array<sock_filter>({
#include "filter/compiled.inc"
});

}  // namespace

std::span<const sock_filter> compiled_filter() noexcept { return kFilter; }

}  // namespace lnk::os_linux
