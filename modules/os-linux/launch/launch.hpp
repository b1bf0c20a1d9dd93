// SPDX-License-Identifier: Apache-2.0
//
// A plan carried out: sources pinned, bubblewrap started under its keeper, the target held until its front says go.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "launch/exec_watch.hpp"
#include "lnk/cpp/confiner.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// The programs of this module.
struct Programs {
  std::string inner_stage;
  std::string keeper;
};

/// Beside the module's own file: <its folder>/../os-linux.
[[nodiscard]] Result<Programs> find_programs();

/// The plan's numbers, for the errors of its launch.
struct StepNumbers {
  std::uint32_t landlock = 0;
  std::uint32_t filter = 0;
  std::uint32_t start = 0;
  std::vector<std::string> paths;    ///< of each step, from number 1
  std::vector<std::string> streams;  ///< how bubblewrap names the files that are streams
};

/// What a front holds of a sandbox. Closing `keeper` ends it.
struct RunningSandbox {
  pid_t pid = -1;     ///< the keeper, whose exit code is the target's
  UniqueFd keeper;    ///< to the keeper; the sandbox lives as long as this is open
  UniqueFd control;   ///< to the inner stage, until the target runs
  UniqueFd leader;    ///< with a terminal: to the leader of its session, until the end
  UniqueFd messages;  ///< what bubblewrap says
  UniqueFd doorway;   ///< of the net helper that a launch with a wire starts; handed to the first open_doorway
  std::unique_ptr<ExecWatcher> watcher;  ///< where programs are listed or reported, and a listener can be had
  StepNumbers steps;
  bool has_own_network = false;
  bool has_terminal = false;
  bool stands = false;
};

/// errors: Gone where a source or the machine is not what the plan was made of (its step says which); Denied; Invalid
[[nodiscard]] Result<RunningSandbox> launch(const Plan& plan, const Launch& request, const Programs& programs);

/// Waits until the inside stands. errors: Internal with what failed, its step where it is known
[[nodiscard]] Result<Target> wait_until_it_stands(RunningSandbox& sandbox);

/// What ended a sandbox before it stood; `otherwise` where that isn't known.
[[nodiscard]] Error why_it_ended(const RunningSandbox& sandbox, Error otherwise);

/// Lets the target start and waits until it runs or could not.
[[nodiscard]] Result<Outcome> let_go(RunningSandbox& sandbox);

/// The signal that stopped a target with a terminal; 0: none did. errors: Gone where it has ended
[[nodiscard]] Result<std::uint32_t> what_stopped_it(const RunningSandbox& sandbox);

/// Lets it go on, as its terminal's foreground or not. errors: Gone where it has ended
[[nodiscard]] Status let_go_on(const RunningSandbox& sandbox, bool in_front);

}  // namespace lnk::os_linux
