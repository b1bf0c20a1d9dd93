// SPDX-License-Identifier: Apache-2.0
//
// The forms of a spec's single values, as pure functions: the parser uses them for what is written in a file, the
// command line for what is typed as a flag. An error's text says what is wrong and what to write, and is safe to
// show as it is: what it quotes of the value is escaped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

/// Whether a ? at the end ("only if it's there") has a meaning where the path stands.
enum class Optional { No, Yes };

/// Absolute, `~/…` or `./…`; no globs, no variables, no `..`.
[[nodiscard]] Result<WrittenPath> read_path(std::string_view text, Optional optional);

/// A path as a flag names it: absolute, `~/…`, or of the current folder (SpecFolder). Every character is the name's own, so
/// that what is typed, or a shell completes, is what is meant: no globs, no variables, no ? for what may be missing.
[[nodiscard]] Result<WrittenPath> read_typed_path(std::string_view text);

/// A path of `write`: `read_path`, and neither the root nor the home itself.
[[nodiscard]] Result<WrittenPath> read_write_path(std::string_view text);

/// [a-z0-9-]{1,40}: a sandbox's, secret's or tool's name. `what` begins the error's text.
[[nodiscard]] Result<std::string> read_name(std::string_view text, std::string_view what);

/// `host`, `host:port`, `*.domain`, `*`, an address; ports 443 and 80 unless one is named.
[[nodiscard]] Result<HostGrant> read_host(std::string_view text);

/// `machine:port`, private addresses included.
[[nodiscard]] Result<HostGrant> read_lan_machine(std::string_view text);

inline constexpr std::string_view kEveryPort = "\"*\" would open every port of this machine; name each port";

/// A port of this machine: 1 to 65535, and never all.
[[nodiscard]] Result<std::uint16_t> read_port(std::string_view text);

/// `host:port`, `*.domain:port`, `mongodb+srv://name`.
[[nodiscard]] Result<EndpointGrant> read_endpoint(std::string_view text);

/// A bare name, a path, or with a / at the end a folder.
[[nodiscard]] Result<ProgramGrant> read_program(std::string_view text);

/// A provider's name as the model verb knows it.
[[nodiscard]] Result<std::string> read_provider(std::string_view text);

/// A model's name, with one * allowed at its end.
[[nodiscard]] Result<std::string> read_model_pattern(std::string_view text);

[[nodiscard]] Result<EnvPass> read_env_pass(std::string_view text);
[[nodiscard]] Result<EnvSet> read_env_set(std::string_view name, std::string_view value);

}  // namespace lnk::host
