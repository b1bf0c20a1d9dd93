// SPDX-License-Identifier: Apache-2.0
//
// The front's life while its target runs: signals that reach the front go on to the target, and the wall's end is the
// run's.
#pragma once

#include <functional>
#include <vector>

#include "launch/wall.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// INT, TERM, HUP, QUIT, USR1, USR2, WINCH, TSTP and CONT, held from now on and read from a descriptor, so that none is
/// lost between the first process of a run and its last.
class HeldSignals {
 public:
  [[nodiscard]] static Result<HeldSignals> hold();
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  /// The next one that waits; 0: none.
  [[nodiscard]] int next() const;

 private:
  UniqueFd fd_;
};

/// Something that happens while the target runs.
struct Watch {
  int fd;                            ///< -1: nothing is watched
  bool again;                        ///< false: it is watched until it happened once
  std::function<Status()> readable;  ///< called when it is; for an end of file once where it is watched again. An error ends the run
};

class TerminalJob;

/// Until the wall ends: its exit code. `job` is null where the sandbox has no terminal. errors: what a watch said; the wall
/// still stands then
[[nodiscard]] Result<int> supervise(Wall& wall, const Target& target, const HeldSignals& signals,
                                    const std::vector<Watch>& watches, TerminalJob* job);

}  // namespace lnk::host
