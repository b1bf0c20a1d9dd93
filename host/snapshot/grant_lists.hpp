// SPDX-License-Identifier: Apache-2.0
//
// Lists of grants as JSON: ports, and that a list stands in order with each of its entries once, so that one grant has one text.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "snapshot/object_reader.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// By what `key` says of an entry.
template <class T, class Key = std::identity>
[[nodiscard]] bool is_in_order(const std::vector<T>& list, Key key = {}) {
  const auto is_not = [key](const T& left, const T& right) { return std::invoke(key, left) >= std::invoke(key, right); };
  return std::adjacent_find(list.begin(), list.end(), is_not) == list.end();
}

[[nodiscard]] boost::json::array ports_json(const std::vector<std::uint16_t>& ports);
void read_ports(ObjectReader& reader, std::string_view key, std::vector<std::uint16_t>& ports);
/// Ports of this machine, under `key`.
void read_own_ports(ObjectReader& reader, std::string_view key, NetworkMode network, std::vector<std::uint16_t>& ports);

}  // namespace lnk::host
