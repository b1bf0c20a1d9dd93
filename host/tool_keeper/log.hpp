// SPDX-License-Identifier: Apache-2.0
//
// A tool's standard error, kept in a file that never grows beyond a size: where it would, its older half goes. The file
// stays the same one, so that several runs may write to it.
#pragma once

#include <cstddef>
#include <string_view>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Thousands of lines: what led to an end is among the last.
inline constexpr std::size_t kToolLogBytesMax = 1024 * 1024;
inline constexpr std::string_view kToolLogCut = "[earlier lines are gone: this file is kept to 1 MiB]\n";

class ToolLog {
 public:
  /// Open to read and to append.
  explicit ToolLog(UniqueFd file) noexcept : file_(std::move(file)) {}

  /// What can't be written is left out: a full disk ends no tool.
  void append(std::string_view bytes) noexcept;

 private:
  void make_room() noexcept;

  UniqueFd file_;
};

}  // namespace lnk::host
