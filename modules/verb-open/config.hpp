// SPDX-License-Identifier: Apache-2.0
//
// What the verb is created with: which hosts that aren't everyone's the spec grants, and which ports lead elsewhere
// inside.
//   {"carried":[3000],"hosts":["intranet:443","*.corp:443"],"localhost":[3000],"machines":["nas.local:80"]}
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::verb_open {

/// As many hosts as a spec's list may hold, with some ports each.
inline constexpr std::size_t kHostsMax = 262144;
/// Those of [localhost], of [model] local, and the wire's own.
inline constexpr std::size_t kPortsMax = 256;

/// A name or an address, or what lies below a domain.
struct GrantedHost {
  std::string name;  ///< folded; of `below` the domain
  std::uint16_t port = 0;
  bool below = false;
};

struct Config {
  std::vector<GrantedHost> hosts;        ///< of [network] and [lan]
  std::vector<std::uint16_t> localhost;  ///< ports of this machine that the spec grants
  std::vector<std::uint16_t> carried;    ///< ports inside behind which there is no program of the sandbox
};

/// errors: Invalid, naming the key.
Result<Config> parse_config(std::string_view json);

}  // namespace lnk::verb_open
