// SPDX-License-Identifier: Apache-2.0
//
// What one look at the written folders may cost. A program may have left anything in them, and no start may hang or grow without
// end over it: this is the one place of every limit. Past one the start is refused, in words that name the place and the mend.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dot_files/look.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

struct LookLimits {
  // Of one thing each, far above what real ones have.
  static constexpr std::size_t kPointerBytes = 16U << 10U;       ///< a .git file, a commondir: a path of 4 KiB and some
  static constexpr std::size_t kHookBytes = 1U << 20U;           ///< past it a hook is taken to call every manager
  static constexpr std::size_t kGitmodulesBytes = 4U << 20U;
  static constexpr std::size_t kIndexBytes = 256U << 20U;        ///< some two million files
  static constexpr std::size_t kSettingsFileBytes = 1U << 20U;
  static constexpr std::size_t kSettingsFiles = 512;             ///< in one reading; real ones have a handful
  static constexpr unsigned kIncludeDepth = 10;                  ///< git's own: MAX_INCLUDE_DEPTH
  static constexpr std::size_t kHooks = 1024;                    ///< in one folder
  static constexpr std::size_t kWorkTrees = 1024;                ///< of one repository
  static constexpr std::size_t kTops = 16;                       ///< of one repository, by core.worktree: real ones have one
  static constexpr std::size_t kModules = 1024;                  ///< in one folder
  static constexpr std::size_t kHeldEntries = 16384;             ///< in all of .vscode, .idea, … together: real ones have dozens
  static constexpr unsigned kHeldDepth = 16;
  // Of a whole look.
  static constexpr std::size_t kRepositories = 1024;
  static constexpr unsigned kRepositoryDepth = 16;
  static constexpr std::size_t kPlaces = 2048;                   ///< each is a mount, and the folders above it as many more
  static constexpr std::size_t kRefusals = 32;                   ///< told at once
  static constexpr std::size_t kBytes = 512U << 20U;             ///< read of all files: half a second from memory
  static constexpr std::size_t kSteps = 1U << 18U;               ///< below: some million calls of the system, two or three seconds
  // What is taken from the steps; each part of a path is one, and so is a setting.
  static constexpr std::size_t kEntrySteps = 4;                  ///< to tell what stands at a name
  static constexpr std::size_t kPlaceSteps = 16;                 ///< to settle a place, the missing parts above it too
  static constexpr std::size_t kRepositorySteps = 16;            ///< to tell whether one is there
};

class LookBudget {
 public:
  /// False: it is used up, and `place` is where, if it is the first. Whoever asks then stops.
  bool take(std::string_view place, std::size_t steps = 1);

  /// read_plain, with what it read taken from the budget; nothing once it is used up.
  /// errors: Limit
  [[nodiscard]] Result<std::optional<std::string>> read(const std::string& path, std::size_t bytes_max, Links links);

  /// names_in, likewise.
  /// errors: Limit
  [[nodiscard]] Result<std::vector<std::string>> names(const std::string& path, std::size_t names_max, Links links);

  [[nodiscard]] bool is_spent() const noexcept { return spent_at_.has_value(); }
  /// Where it was used up.
  [[nodiscard]] const std::string& place() const { return *spent_at_; }

 private:
  std::size_t steps_ = LookLimits::kSteps;
  std::size_t bytes_ = LookLimits::kBytes;
  std::optional<std::string> spent_at_;
};

}  // namespace lnk::host
