// SPDX-License-Identifier: Apache-2.0
//
// The files of a folder that run as the person outside, on what the person would do anyway: on any git command, on entering
// the folder, on opening it in an editor. This is the one list of them.
#pragma once

#include <span>
#include <string_view>

namespace lnk::host {

/// What is done about a name that isn't there when a run starts.
enum class WhenMissing {
  Leave,         ///< a new one runs nothing by itself
  Hold,          ///< something would read it, so an empty folder holds the name
  HoldIfCalled,  ///< only where git's hooks or settings call the program that reads it
  OnlyIfCalled,  ///< there or not, it is of interest only where they do
};

struct DotFile {
  std::string_view name;
  WhenMissing when_missing;
  std::string_view reader = {};  ///< what a hook or setting that calls the reader holds
};

[[nodiscard]] std::span<const DotFile> dot_files() noexcept;

/// Settings by which an agent or editor runs commands as the person once it is started in the folder outside: hooks, servers of
/// tools, plugins. They stay writable, and are told of.
[[nodiscard]] std::span<const std::string_view> agents_settings() noexcept;

}  // namespace lnk::host
