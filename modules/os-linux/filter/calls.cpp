// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "filter/target_filter.hpp"

namespace lnk::os_linux {
namespace {

constexpr auto kX86_64 = std::to_array<NamedCall>({
#define LNK_CALL(name, number) {#name, number},
#include "filter/x86_64.inc"
#undef LNK_CALL
});

constexpr auto kAarch64 = std::to_array<NamedCall>({
#define LNK_CALL(name, number) {#name, number},
#include "filter/aarch64.inc"
#undef LNK_CALL
});

}  // namespace

std::span<const NamedCall> calls_of(seccomp::Architecture architecture) noexcept {
  if (architecture == seccomp::Architecture::Aarch64) return kAarch64;
  return kX86_64;
}

}  // namespace lnk::os_linux
