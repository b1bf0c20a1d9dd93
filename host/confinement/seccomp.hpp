// SPDX-License-Identifier: Apache-2.0
//
// What the filters of our own processes have in common.
#pragma once

#include <cstdint>
#include <span>

#include "lnk/cpp/result.hpp"
#include "lnk/seccomp/policy.hpp"

namespace lnk::host {

/// What a process of ours that talks to the network makes: no exec, no new process, no pages that are made code, no file opened.
/// Each adds its own to it. All else fails with EPERM; a call of another architecture ends it.
[[nodiscard]] seccomp::Policy network_process_policy();

/// Calls that pass whatever their arguments are.
void add_passed(seccomp::Policy& policy, std::span<const std::uint32_t> numbers);

/// For this thread and those that it makes. Needs PR_SET_NO_NEW_PRIVS.
[[nodiscard]] Status install(const seccomp::Policy& policy);

}  // namespace lnk::host
