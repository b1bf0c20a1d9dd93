// SPDX-License-Identifier: Apache-2.0
//
// What the filters of our own processes have in common.
#pragma once

#include "lnk/cpp/result.hpp"
#include "lnk/seccomp/policy.hpp"

namespace lnk::host {

/// Pages that are neither code nor made so: without it nothing that isn't mapped already is ever run.
[[nodiscard]] std::vector<seccomp::Rule> no_new_code();

/// fcntl for flags and pipes alone: no signal is asked for (F_SETOWN, F_SETSIG, F_NOTIFY), no lease and no lock is
/// taken.
[[nodiscard]] seccomp::Rule plain_fcntl();

/// abort(3) raises a signal by tgkill of itself.
[[nodiscard]] seccomp::Rule signal_to_itself();

/// For this thread and those that it makes. Needs PR_SET_NO_NEW_PRIVS.
[[nodiscard]] Status install(const seccomp::Policy& policy);

}  // namespace lnk::host
