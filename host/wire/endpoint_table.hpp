// SPDX-License-Identifier: Apache-2.0
//
// The endpoints of [tcp]: which names they cover, and what becomes of a question for one. Decided on the question alone;
// no one is asked for a name that no endpoint covers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dns/message.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/config.hpp"
#include "wire/host_list.hpp"

namespace lnk::host {

struct NameRuling {
  enum class Kind : std::uint8_t {
    Refused,
    Address,  ///< one of the sandbox's own is given
    NoData,   ///< the name is covered, and has nothing of that type
    Ask,      ///< SRV or TXT of a mongodb+srv name: asked outside
  } kind = Kind::Refused;
  std::string name;                      ///< folded; empty: what was asked is no name
  std::string srv;                       ///< the mongodb+srv name whose SRV or TXT it is
  std::optional<http::Refusal> refusal;  ///< of Refused
};

class EndpointTable {
 public:
  /// errors: Invalid, naming an endpoint that can't be one
  static Result<EndpointTable> make(const std::vector<EndpointGrant>& grants);

  [[nodiscard]] NameRuling rule(const dns::Query& query) const;
  /// In order, each once; none: the name has no endpoint.
  [[nodiscard]] std::vector<std::uint16_t> ports_of(std::string_view folded_name) const { return list_.ports_of(folded_name); }
  /// A server that the outside named for a mongodb+srv name: an endpoint of the run from here on, where it stands below the
  /// name's own domain, as drivers ask it too (the name less its first label: MongoDB's "Initial DNS Seedlist Discovery"). Its
  /// name, folded; nothing: it is none, or one too many.
  [[nodiscard]] std::optional<std::string> add_target(std::string_view srv, std::string_view target, std::uint16_t port);

 private:
  [[nodiscard]] std::optional<std::string> srv_of(const std::string& name, std::uint16_t type) const;

  HostList list_;
  std::unordered_set<std::string> srv_;
  std::size_t targets_ = 0;
};

}  // namespace lnk::host
