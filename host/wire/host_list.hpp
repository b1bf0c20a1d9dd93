// SPDX-License-Identifier: Apache-2.0
//
// The hosts a spec lists, asked by name and port. A question costs one look-up a label of the name, however many hosts
// there are. "*.example.com" covers every name under it, at any depth, never itself; "*" is every host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/http/authority.hpp"
#include "wire/config.hpp"

namespace lnk::host {

class HostList {
 public:
  /// errors: Invalid, naming a host that can't be read or a port that can't be one
  static Result<HostList> make(const std::vector<HostGrant>& grants);

  /// Another one.
  Status add(const HostGrant& grant);

  [[nodiscard]] bool allows(const http::Authority& target) const;
  /// All on which a name is listed, in order, each once; "*" aside.
  [[nodiscard]] std::vector<std::uint16_t> ports_of(std::string_view name) const;
  /// False where "*" is listed: every public host is open then, and no name is more right than another.
  [[nodiscard]] bool is_list() const noexcept { return any_ports_.empty(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
  };
  using Ports = std::vector<std::uint16_t>;
  using Names = std::unordered_map<std::string, Ports, Hash, std::equal_to<>>;

  static bool holds(const Names& names, std::string_view name, std::uint16_t port);

  Names exact_;  ///< names folded, addresses in their one form
  Names under_;  ///< "*.example.com" as "example.com"
  Ports any_ports_;
};

}  // namespace lnk::host
