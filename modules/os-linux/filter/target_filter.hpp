// SPDX-License-Identifier: Apache-2.0
//
// The filter of a sandboxed program: a pass-list. What is known and needed passes; what is known and dangerous is
// refused with the error that lets programs fall back; what is not known is answered as a kernel that hasn't got it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "lnk/seccomp/policy.hpp"

namespace lnk::os_linux {

struct NamedCall {
  std::string_view name;
  std::uint32_t number;
};

/// Every system call of an architecture, by number.
[[nodiscard]] std::span<const NamedCall> calls_of(seccomp::Architecture architecture) noexcept;

struct RefusedCall {
  std::string_view name;
  int error;
  std::string_view reason;
};

/// A call of which some uses pass; `refused` says which don't.
struct PartlyRefusedCall {
  std::string_view name;
  std::string_view refused;
  seccomp::Rule (*rule)(std::uint32_t number);
};

struct PassedCalls {
  std::string_view subject;
  std::string_view names;  ///< separated by one space
};

[[nodiscard]] std::span<const PassedCalls> passed_calls() noexcept;
[[nodiscard]] std::span<const PartlyRefusedCall> partly_refused_calls() noexcept;
[[nodiscard]] std::span<const RefusedCall> refused_calls() noexcept;

/// The lists above, for one architecture; names that it hasn't got are left out.
[[nodiscard]] seccomp::Policy target_policy(seccomp::Architecture architecture);

}  // namespace lnk::os_linux
