// SPDX-License-Identifier: Apache-2.0
//
// The hosts and machines that a spec lists, asked by name and port. A question costs one look-up a label of the name,
// however many hosts there are. "*.example.com" covers every name under it, at any depth, never itself; "*" is every host.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/http/authority.hpp"
#include "wire/address.hpp"
#include "wire/config.hpp"

namespace lnk::host {

/// A machine of [lan], at one port.
struct ListedMachine {
  std::optional<Address> pinned;  ///< none: it is looked up
};

class HostList {
 public:
  /// errors: Invalid, naming a host that can't be read, a port that can't be one, or a machine that isn't pinned and must be
  static Result<HostList> make(const std::vector<HostGrant>& grants, const std::vector<LanMachine>& machines = {});

  /// Another one.
  Status add(const HostGrant& grant);

  /// A host that a verb speaks to, which the program then isn't told to list.
  void name_of_verb(std::string name) { of_verbs_.insert(std::move(name)); }
  [[nodiscard]] bool is_of_verb(std::string_view name) const { return of_verbs_.contains(name); }

  [[nodiscard]] bool allows(const http::Authority& target) const;
  /// Null: [lan] doesn't name it.
  [[nodiscard]] const ListedMachine* find_machine(const http::Authority& target) const;
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

  Status add(const LanMachine& machine);
  static bool holds(const Names& names, std::string_view name, std::uint16_t port);

  Names exact_;  ///< names folded, addresses in their one form
  Names under_;  ///< "*.example.com" as "example.com"
  Ports any_ports_;
  std::set<std::string, std::less<>> of_verbs_;
  std::unordered_map<std::string, ListedMachine> machines_;  ///< by name and port, as key_of writes them
};

}  // namespace lnk::host
