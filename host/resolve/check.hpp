// SPDX-License-Identifier: Apache-2.0
//
// Resolved grants to grants that hold: the combinations that are refused, with the reason and the mend, and the places
// that stay closed or read only whatever is granted. Source: the specification's "What is refused" and "Always closed".
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/resolve.hpp"

namespace lnk::host {

/// What a sandbox has of its own, whatever the machine has there: empty at the start, and writable.
inline constexpr std::array<std::string_view, 4> kEmptyFolders = {"/tmp", "/var/tmp", "/run", "/dev/shm"};
/// The kernel's, of its own too, or none.
inline constexpr std::array<std::string_view, 3> kKernelFolders = {"/proc", "/sys", "/dev"};

/// Ports of this machine that one sandbox is given: each is a socket of the wire's for as long as it runs.
inline constexpr std::size_t kPortsMax = 64;

/// A secret that is named, as it is kept. A listed host must not go round its rule.
struct NamedSecret {
  std::string name;
  std::string host;
  std::string rule_json;  ///< canonical
  std::string fault;      ///< why it can't be used; empty: it can
};

/// A provider of [model] that is named, with the host its kept key goes to. No listed host must go round what the wire keeps out.
struct NamedKey {
  std::string provider;
  std::string host;
  std::string fault;  ///< why it can't be used; empty: it can
};

/// A tool that is named, as it is kept.
struct NamedTool {
  GrantedTool grant;  ///< where it can't be used, its name alone
  std::string fault;  ///< why it can't be used; empty: it can
  std::map<std::string, std::string> env = {};  ///< whose values the grant holds as one hash
};

/// What grants name that is kept outside.
struct Kept {
  std::vector<NamedSecret> secrets;
  std::vector<NamedKey> keys;
  std::vector<NamedTool> tools = {};
};

struct Checked {
  Grants grants;
  std::vector<std::string> closed;
  std::vector<std::string> read_only;
  std::vector<std::string> loaders;   ///< of the listed programs
  std::vector<std::string> refusals;  ///< every one, each one line; empty: the grants hold
};

/// Whether anything is named that goes by the wire.
[[nodiscard]] bool has_wire(const Resolved& resolved) noexcept;

[[nodiscard]] Checked check(const Resolved& resolved, const Facts& facts, const Kept& kept,
                            const std::vector<std::string>& spec_files);

/// Whether a path lies in what every sandbox sees of the system.
[[nodiscard]] bool is_system_folder(std::string_view path);

/// Whether a path is seen inside by a grant or as the system's; what is closed in any case is not looked at.
[[nodiscard]] bool is_open(std::string_view path, const Grants& grants);

/// The nearest folder that is there, where a run with these grants could make `place`, which isn't; else nothing.
[[nodiscard]] std::optional<std::string> writable_way_to(const std::string& place, const std::vector<GrantedFile>& files);

/// Whether the program may start in `cwd`: a granted folder, or the system's own.
[[nodiscard]] bool may_start_in(std::string_view cwd, const Grants& grants);

/// The folder of those that a sandbox has of its own, the home among them, in which a path lies; a grant that is wider doesn't open
/// it. Empty: it lies in none.
[[nodiscard]] std::string_view own_folder_of(std::string_view path, std::string_view home, std::string_view home_target);

/// The grant that decides for a path: the nearest named one; null: none names it.
[[nodiscard]] const GrantedFile* nearest_grant(std::string_view path, const std::vector<GrantedFile>& files);

}  // namespace lnk::host
