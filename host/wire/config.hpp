// SPDX-License-Identifier: Apache-2.0
//
// What the front tells the wire at its start: one JSON text in a sealed memory file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

inline constexpr int kFirstHandleFd = 6;  ///< above the streams and the front's control, configuration and resolver

inline constexpr std::string_view kThisMachineName = "localhost";

struct HostGrant {
  std::string name;  ///< "api.github.com", "*.x.org", "*", or an address
  std::vector<std::uint16_t> ports;
};

/// An endpoint of [tcp], reached from inside by its name.
struct EndpointGrant {
  std::string name;  ///< "db.example.com", "*.example.com"
  std::uint16_t port = 0;
  bool srv = false;  ///< a mongodb+srv name, whose targets are asked for; it has no port
};

/// A machine that [lan] names: it may have a private address.
struct LanMachine {
  std::string name;
  std::uint16_t port = 0;
  std::string address;  ///< where it always is; empty: it is looked up for each call
};

/// One host that a verb may speak to, with TLS, and the handles that may be put into what it sends there. Without TLS it is
/// `kThisMachineName`, a port of this machine's loopback.
struct VerbUpstream {
  std::string host;
  std::uint16_t port = 443;
  std::vector<std::string> handles;
  bool tls = true;
};

struct VerbConfig {
  std::string id;
  std::string file;
  std::string sha256;
  std::string config;                   ///< canonical JSON, as the module gets it
  std::vector<std::uint16_t> inside;    ///< ports of the program inside that it may call
  std::vector<VerbUpstream> upstreams;  ///< what the snapshot grants it; a host it declares beside these is refused
  std::vector<std::string> tools = {};  ///< that it may have started outside
  bool asks = false;                    ///< it may ask a person
  bool pages = false;                   ///< it may have pages opened outside, and listen there for what they lead back to
};

struct WireConfig {
  std::string name;
  std::string run;
  std::string settings;
  std::vector<HostGrant> hosts;
  std::vector<LanMachine> machines;
  std::vector<std::uint16_t> localhost;  ///< ports of this machine's loopback, which sockets inside lead to
  std::vector<std::uint16_t> local;      ///< ports at which a local runtime is found inside, through its verb
  std::vector<EndpointGrant> endpoints;
  std::uint16_t port = 40781;
  std::optional<std::uint32_t> calls_per_minute;
  std::string secret;
  std::vector<VerbConfig> verbs;
  std::vector<std::pair<std::string, int>> handles;  ///< handle → the descriptor of the file that keeps its value
};

[[nodiscard]] Result<WireConfig> read_wire_config(int fd);

}  // namespace lnk::host
