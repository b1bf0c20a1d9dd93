// SPDX-License-Identifier: Apache-2.0
//
// Resolved grants to grants that hold: the combinations that are refused, with the reason and the mend, and the places
// that stay closed or read only whatever is granted. Source: the specification's "What is refused" and "Always closed".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "resolve/resolve.hpp"

namespace lnk::host {

/// A secret that is named, as it is kept. A listed host must not go round its rule.
struct NamedSecret {
  std::string name;
  std::string host;
  std::string rule_json;  ///< canonical
  std::string fault;      ///< why it can't be used; empty: it can
};

struct Checked {
  Grants grants;
  std::vector<std::string> closed;
  std::vector<std::string> read_only;
  std::vector<std::string> refusals;  ///< every one, each one line; empty: the grants hold
};

[[nodiscard]] Checked check(const Resolved& resolved, const Facts& facts, const std::vector<NamedSecret>& secrets,
                            const std::vector<std::string>& spec_files);

/// Whether a path lies in what every sandbox sees of the system.
[[nodiscard]] bool is_system_folder(std::string_view path);

/// Whether a path is seen inside by a grant or as the system's; what is closed in any case is not looked at.
[[nodiscard]] bool is_open(std::string_view path, const Grants& grants);

/// The nearest folder that is there, where a run with these grants could make `place`, which isn't; else nothing.
[[nodiscard]] std::optional<std::string> writable_way_to(const std::string& place, const std::vector<GrantedFile>& files);

/// Whether the program may start in `cwd`: a granted folder, or the system's own.
[[nodiscard]] bool may_start_in(std::string_view cwd, const Grants& grants);

/// The grant that decides for a path: the nearest named one; null: none names it.
[[nodiscard]] const GrantedFile* nearest_grant(std::string_view path, const std::vector<GrantedFile>& files);

}  // namespace lnk::host
