// SPDX-License-Identifier: Apache-2.0
//
// The front's life while its target runs: signals that reach the front go on to the target, and the wall's end is the
// run's.
#pragma once

#include <functional>

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

struct Watched {
  int fd = -1;                   ///< readable once; -1: nothing is watched
  std::function<void()> ended;   ///< called when it is
};

/// Until the wall ends: its exit code.
[[nodiscard]] Result<int> supervise(Wall& wall, const Target& target, const HeldSignals& signals, const Watched& wire);

}  // namespace lnk::host
