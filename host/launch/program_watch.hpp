// SPDX-License-Identifier: Apache-2.0
//
// What is told of the programs of a run while it goes on. Advice: the kernel alone refuses, and what is told here can
// be raced by who is told of.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "launch/supervise.hpp"
#include "launch/wall.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// A person reads no more; a program could try any number.
inline constexpr std::size_t kRefusedNamesMax = 256;

/// What is said of refused programs: each path once.
class RefusedPrograms {
 public:
  /// `commands_at`: where the list stands. `listed`: the files that it let run as the run began.
  RefusedPrograms(std::string commands_at, std::set<std::string> listed)
      : commands_at_(std::move(commands_at)), listed_(std::move(listed)) {}

  /// One line; empty: nothing is said.
  [[nodiscard]] std::string words_of(const std::string& path);

 private:
  std::string commands_at_;
  std::set<std::string> listed_;
  std::set<std::string, std::less<>> named_;
  bool is_full_ = false;
};

struct ProgramWatchOptions {
  std::string commands_at;                        ///< of a list, whose refused programs are named; empty: there is none
  std::set<std::string> listed;                   ///< the paths of its files, as seen inside
  std::function<void(const SeenProgram&)> every;  ///< where every program is watched: each; else none
  std::function<void(std::string_view)> notice;   ///< one line for the person
};

class ProgramWatch {
 public:
  /// For a wall that stands and was not let go. errors: every program is to be told, and none is; or the module failed
  [[nodiscard]] static Result<ProgramWatch> start(Wall& wall, ProgramWatchOptions options);

  /// To be watched again and again; its descriptor is -1 where nothing is told.
  [[nodiscard]] Watch watch(Wall& wall);
  /// Tells what has come, or some of it where it is much. False: nothing has.
  bool take(Wall& wall);
  /// Tells what is left, once the program has ended.
  void finish(Wall& wall);
  /// Why not every program was told; empty: they were, so far.
  [[nodiscard]] const std::string& ended() const noexcept { return ended_; }

 private:
  explicit ProgramWatch(ProgramWatchOptions options)
      : refused_(std::move(options.commands_at), std::move(options.listed)),
        every_(std::move(options.every)),
        notice_(std::move(options.notice)) {}

  RefusedPrograms refused_;
  std::function<void(const SeenProgram&)> every_;
  std::function<void(std::string_view)> notice_;
  int readable_ = -1;
  std::string ended_;
};

}  // namespace lnk::host
