// SPDX-License-Identifier: Apache-2.0
//
// What a run makes for itself before its wire starts: its name in the log, its secret and placeholders, and the verbs'
// parts of the snapshot.
#pragma once

#include "environment/environment.hpp"
#include "launch/wire_process.hpp"
#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct RunIdentity {
  Identity identity;
  WireConfig wire;
};

/// errors: Gone where a secret that the snapshot names is no longer kept, or by another rule; a tool likewise
[[nodiscard]] Result<RunIdentity> make_run(const Settings& settings, const Snapshot& snapshot);

}  // namespace lnk::host
