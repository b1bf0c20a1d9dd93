// SPDX-License-Identifier: Apache-2.0
//
// The calls that the resolver may make: those of its own code and of the C library's resolver.
#pragma once

#include "lnk/seccomp/policy.hpp"

namespace lnk::host {

/// Files are opened to be read and never made, on every kernel; sockets are of the internet, and the kernel's own for
/// routes. None is a Unix socket: behind those stand the person's session and every daemon of the machine.
[[nodiscard]] seccomp::Policy resolver_call_policy();

}  // namespace lnk::host
