// SPDX-License-Identifier: Apache-2.0
#include "filter/compiled.hpp"

namespace lnk::os_linux {
namespace {

#include "filter/compiled.inc"

}  // namespace

std::span<const sock_filter> compiled_filter() noexcept { return k_target; }

std::span<const sock_filter> compiled_filter(const ListFilter& filter) noexcept {
  if (!filter.is_watched) return k_unwatched;
  switch (filter.memory) {
    case MemoryFiles::Open:
      return k_watched_open;
    case MemoryFiles::Sealed:
      return k_watched_sealed;
    case MemoryFiles::Refused:
      return k_watched_refused;
  }
  return k_unwatched;
}

}  // namespace lnk::os_linux
