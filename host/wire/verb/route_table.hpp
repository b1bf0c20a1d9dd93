// SPDX-License-Identifier: Apache-2.0
//
// Which verb a path below /_link/ belongs to. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

struct Route {
  std::string path;  ///< no leading slash; a prefix ends in one
  bool is_prefix = false;
  bool is_under_secret = false;  ///< below /_link/s/<secret>/, not below /_link/
  std::string refusal_form = {};  ///< refusal_form.hpp; empty: a refusal is a line of text
};

/// errors: Invalid: not a plain path, a prefix without a slash at its end, one that begins with "s/".
Result<void> check_route(const Route& route);

/// Whether a request could belong to both: one path, or a path below the other's prefix.
[[nodiscard]] bool routes_clash(const Route& a, const Route& b) noexcept;

struct RouteHit {
  std::size_t verb = 0;
  std::uint32_t index = 0;  ///< in the order the verb declared
  std::string_view below;   ///< of the path that was asked for
};

class RouteTable {
 public:
  void add(std::size_t verb, std::uint32_t index, Route route);
  /// The longest route of that kind. `path`: below /_link/ or /_link/s/<secret>/, without its query.
  /// complexity: the number of routes, which a spec's verbs keep small.
  [[nodiscard]] std::optional<RouteHit> find(std::string_view path, bool is_under_secret) const noexcept;

 private:
  struct Entry {
    std::size_t verb;
    std::uint32_t index;
    Route route;
  };
  std::vector<Entry> entries_;
};

}  // namespace lnk::host
