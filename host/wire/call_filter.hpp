// SPDX-License-Identifier: Apache-2.0
//
// The system calls the wire makes once it serves; no other is made. Executing is not among them, nor is any way to
// another process, a mount, a namespace, or memory that is written and then run.
#pragma once

#include "lnk/cpp/result.hpp"
#include "lnk/seccomp/policy.hpp"

namespace lnk::host {

[[nodiscard]] seccomp::Policy wire_call_policy();

/// Needs no_new_privs. Can't be undone.
[[nodiscard]] Status install_call_filter();

}  // namespace lnk::host
