// SPDX-License-Identifier: Apache-2.0
//
// What of the written folders is read only in one run, found as it is when the run starts. Kept nowhere but in the list of
// placeholders: a snapshot says only which folders are open.
#pragma once

#include "dot_files/find.hpp"
#include "dot_files/placeholders.hpp"
#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// errors: Denied with every reason, one a line, where something can't be held
[[nodiscard]] Result<DotPlaces> look_for_dot_files(const Grants& grants);

/// Holds them for a run. The value lives as long as the sandbox and longer: mounts fall away with what they stand on.
[[nodiscard]] Result<Placeholders> hold_dot_files(const Settings& settings, const Grants& grants);

}  // namespace lnk::host
