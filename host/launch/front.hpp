// SPDX-License-Identifier: Apache-2.0
//
// The front: starts a sandbox from a snapshot, stays its parent, and returns its exit code. Opens nothing that the
// snapshot doesn't hold. Everything it starts ends with it, killed by KILL included.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "environment/environment.hpp"
#include "launch/parts.hpp"
#include "launch/wall.hpp"
#include "lnk/cpp/result.hpp"
#include "modules/instance.hpp"
#include "modules/module.hpp"
#include "settings/settings.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// The OS module loaded, with its survey of this boot.
struct OsModule {
  Module module;
  Instance instance;
  WallBuilder builder;
  std::string survey_json;

  /// Looks at the machine, and keeps what it sees for the boot.
  [[nodiscard]] Status look_again(const Settings& settings, const ModuleUse& use);
  /// errors: Gone where the file is no longer what the snapshot names
  [[nodiscard]] static Result<OsModule> load(const Settings& settings, const ModuleUse& use);
};

enum class EnvironmentOf { Nothing, Harness };

struct RunRequest {
  const Snapshot& snapshot;
  const Settings& settings;
  const Parts& parts;
  std::vector<std::string> argv;
  std::string cwd;  ///< with links followed
  EnvironmentOf environment = EnvironmentOf::Nothing;
  std::function<void(std::string_view)> notice;  ///< one line for the person while the target runs
  std::function<void(const SeenProgram&)> every_program = {};  ///< set: each program that is started is told, or nothing is run
};

struct RunEnd {
  int code = 0;
  std::string words;  ///< why the target did not run, or what is to be known of how it ended; empty: nothing
  std::string watch_ended = {};  ///< why programs are missing from what `every_program` was told; empty: none are
};

/// Makes a plan and drops it. errors: what this machine can't hold of the grants
[[nodiscard]] Status check_plan(const Settings& settings, const Snapshot& snapshot);

/// errors: Denied where a program may not start in `cwd`
[[nodiscard]] Status check_start(std::string_view cwd, const Grants& grants, EnvironmentOf environment);

/// errors: nothing ran; the exit code for it is 125
[[nodiscard]] Result<RunEnd> run_snapshot(const RunRequest& request);

}  // namespace lnk::host
