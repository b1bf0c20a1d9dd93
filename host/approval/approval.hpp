// SPDX-License-Identifier: Apache-2.0
//
// What a person has approved: grants, by their hash; and which spec a wire's name belongs to. Each is a file of its own in
// the settings, so that an approval is made and dropped whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct Approval {
  std::string name;  ///< the sandbox's name
  std::string spec;  ///< the spec's path
};

/// `grants_hash` as hash_name makes it.
[[nodiscard]] Result<bool> is_approved(const Settings& settings, std::string_view grants_hash);
/// Remembers the grants, binds their name to this spec, and keeps them as the last that were approved of it. `kNoName` is nobody's:
/// specs whose files have no ASCII name share it, and none should take it from another.
[[nodiscard]] Status approve(const Settings& settings, const Grants& grants, const std::string& spec);
/// The grants of this spec that were approved last, which a changed one is held against; nothing: none were.
[[nodiscard]] Result<std::optional<Grants>> last_approved(const Settings& settings, const std::string& spec);
/// Drops every approval that was given to this spec, and its name; tells how many.
[[nodiscard]] Result<std::size_t> forget(const Settings& settings, std::string_view spec);
/// The spec a name is bound to; nothing: to none yet.
[[nodiscard]] Result<std::optional<std::string>> spec_of_name(const Settings& settings, std::string_view name);

}  // namespace lnk::host
