// SPDX-License-Identifier: Apache-2.0
//
// What the inner stage is told, as bytes: see inside/format.h.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/base.h"
#include "lnk/cpp/result.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

struct InsideRule {
  std::uint64_t access = 0;
  std::string_view path;
};

/// A mount to look at again; see inside/format.h.
struct InsideCheck {
  std::uint32_t flags = 0;
  std::uint32_t step = 0;
  dev_t device = 0;
  ino_t inode = 0;
  std::string_view path;
};

struct InsideConfig {
  std::string_view cwd;
  std::span<const lnk_str> argv;
  std::span<const lnk_str> env;
  std::array<int, 3> stdio{-1, -1, -1};
  Landlock landlock;
  std::vector<InsideRule> rules;
  std::vector<InsideCheck> checks;
  std::span<const sock_filter> filter;
  bool filter_is_on = false;
  std::array<bool, 3> is_reopened{};  ///< the stream is opened again at its path inside
  std::uint32_t terminal = 0;  ///< LNK_TERMINAL_…
  std::span<const sock_filter> watched = {};    ///< the second filter, with a listener
  std::span<const sock_filter> unwatched = {};  ///< in its place where none can be had
  bool waits_killable = false;
};

/// errors: Invalid for a text that holds NUL or an entry of the environment without a name; Limit
[[nodiscard]] Result<std::string> write_inside_config(const InsideConfig& config);

/// The rights of Landlock that a rule gives on a folder or a file. Where programs are listed no such rule lets any be executed.
[[nodiscard]] std::uint64_t rights_of(RuleClass rule, bool is_file, const Landlock& held, bool are_programs_listed) noexcept;

}  // namespace lnk::os_linux
