// SPDX-License-Identifier: Apache-2.0
//
// What was learned of the machine and is kept for the boot, so that a start doesn't learn it again: the OS module's survey,
// and its file's hash at a stamp. Opens nothing: a survey only makes a plan, and the kernel holds what the plan asks.
#pragma once

#include <string>

#include "launch/wall.hpp"
#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

struct MachineState {
  std::string module_sha256;
  std::string module_stamp;  ///< the module's file as it had that hash
  std::string survey_json;
};

/// What is kept of this boot for this user and the OS module's file; empty members: nothing is.
[[nodiscard]] Result<MachineState> load_machine_state(const Settings& settings, const std::string& module_file);
[[nodiscard]] Status keep_machine_state(const Settings& settings, const std::string& module_file, const MachineState& state);

/// A module file's hash, read again only where the file's stamp is another than when it was hashed last.
[[nodiscard]] Result<std::string> module_hash(const Settings& settings, const std::string& module_file);

}  // namespace lnk::host
