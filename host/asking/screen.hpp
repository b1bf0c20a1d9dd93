// SPDX-License-Identifier: Apache-2.0
//
// The person's screen, and the programs of the machine that show something on it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

/// Whether this process's environment names one.
[[nodiscard]] bool has_screen();
/// An environment by which it is found, built from nothing.
[[nodiscard]] std::vector<std::string> screen_environment();
/// The first of these that is root's or the person's own; empty: none is there. Never by the PATH, which names what the
/// person runs by name and not what this program may.
[[nodiscard]] std::string trusted_program(std::span<const std::string_view> paths);

}  // namespace lnk::host
