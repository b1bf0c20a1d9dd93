// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/route_table.hpp"

#include <utility>

#include "lnk/route/path_shape.hpp"
#include "wire/limits.hpp"

namespace lnk::host {

Result<void> check_route(const Route& route) {
  std::string_view path = route.path;
  if (path.size() > kRouteBytesMax) return fail(Code::Limit, "a route is over 256 bytes");
  if (route.is_prefix != path.ends_with('/'))
    return fail(Code::Invalid, "a prefix route ends in '/', an exact one does not");
  if (route.is_prefix) path.remove_suffix(1);
  if (!route::is_plain_path(path)) return fail(Code::Invalid, "a route is no plain path");
  if (!route.is_under_secret && (route.path + '/').starts_with("s/")) {
    return fail(Code::Invalid, "a route below s/ belongs to the sandbox's secret");
  }
  return {};
}

bool routes_clash(const Route& a, const Route& b) noexcept {
  if (a.is_under_secret != b.is_under_secret) return false;
  return a.path == b.path || (a.is_prefix && b.path.starts_with(a.path)) || (b.is_prefix && a.path.starts_with(b.path));
}

void RouteTable::add(std::size_t verb, std::uint32_t index, Route route) {
  entries_.push_back({verb, index, std::move(route)});
}

std::optional<RouteHit> RouteTable::find(std::string_view path, bool is_under_secret) const noexcept {
  const Entry* best = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.route.is_under_secret != is_under_secret) continue;
    const bool hit = entry.route.is_prefix ? path.starts_with(entry.route.path) : path == entry.route.path;
    if (hit && (best == nullptr || entry.route.path.size() > best->route.path.size())) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  return RouteHit{best->verb, best->index, path.substr(best->route.path.size())};
}

}  // namespace lnk::host
