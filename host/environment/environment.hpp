// SPDX-License-Identifier: Apache-2.0
//
// What a program in the sandbox finds in its environment. Pure: environments are values.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

using Environment = std::map<std::string, std::string>;

/// Where the wire listens inside: the specification's "What every sandbox has".
inline constexpr std::uint16_t kWirePort = 40781;

/// A run's own names on the wire. None is a secret of anything outside: each is good on this wire alone.
struct Identity {
  std::string secret;                               ///< in the paths below /_link/s/
  std::map<std::string, std::string> placeholders;  ///< a secret's name → what the program holds in its place
  std::map<std::string, std::string> model_placeholders = {};  ///< a provider's name → the same
};

/// This process's environment.
[[nodiscard]] Environment own_environment();

/// `run`: the few variables every sandbox has, those that [env] passes and sets, and the wire's.
[[nodiscard]] Environment environment_from_nothing(const Environment& person, const Grants& grants, const Identity* wire);

/// `launch`: the harness's environment less the injection variables, with what [env] sets and the wire's.
[[nodiscard]] Environment environment_of_harness(const Environment& harness, const Grants& grants, const Identity* wire);

/// "NAME=value" each.
[[nodiscard]] std::vector<std::string> as_assignments(const Environment& environment);

/// LNK_SECRET_<NAME>, with - as _.
[[nodiscard]] std::string secret_variable(std::string_view secret);
/// LNK_MCP_<NAME>, with - as _.
[[nodiscard]] std::string tool_variable(std::string_view tool);

}  // namespace lnk::host
