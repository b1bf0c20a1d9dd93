// SPDX-License-Identifier: Apache-2.0
//
// What grants mean, and what a list of mounts shows: both written from the specification and from mount(2), with none of the
// planner's code.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace lnk::fuzz {

enum class Open { Nothing, Read, Write };

/// What a place of the machine is to a program: the nearest named place decides, and what is closed wins over what is granted
/// at the same place.
[[nodiscard]] Open meant(const os_linux::Snapshot& snapshot, const os_linux::Survey& survey, const std::string& place);

/// Whether a program inside may write at this name: where a grant says so, and in what a sandbox has of its own.
[[nodiscard]] bool is_written_inside(const os_linux::Snapshot& snapshot, const std::string& name);

/// What a name shows inside once every mount of a plan is made.
struct Seen {
  Open open = Open::Nothing;
  std::string place;  ///< of the machine; empty: nothing of it
};
[[nodiscard]] Seen seen(const os_linux::Plan& plan, const std::string& name);

}  // namespace lnk::fuzz
