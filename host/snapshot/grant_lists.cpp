// SPDX-License-Identifier: Apache-2.0
#include "snapshot/grant_lists.hpp"

namespace lnk::host {

namespace json = boost::json;

json::array ports_json(const std::vector<std::uint16_t>& ports) {
  json::array array;
  for (const auto port : ports) array.emplace_back(std::uint64_t{port});
  return array;
}

void read_ports(ObjectReader& reader, std::string_view key, std::vector<std::uint16_t>& ports) {
  reader.each(key, [&ports](const json::value& element) -> Status {
    const auto* port = element.if_int64();
    if (port == nullptr || *port < 1 || *port > 65535) return fail(Code::Invalid, "holds what is not a port");
    ports.push_back(static_cast<std::uint16_t>(*port));
    return {};
  });
}

void read_own_ports(ObjectReader& reader, std::string_view key, NetworkMode network, std::vector<std::uint16_t>& ports) {
  read_ports(reader, key, ports);
  if (!is_in_order(ports)) reader.fault(key, "are not in order, each once");
  if (!ports.empty() && network != NetworkMode::Wire) reader.fault(key, "are named without a wire");
}

}  // namespace lnk::host
