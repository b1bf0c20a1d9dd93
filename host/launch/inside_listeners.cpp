// SPDX-License-Identifier: Apache-2.0
#include "launch/inside_listeners.hpp"

#include "environment/environment.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kNamesPort = 53;

}  // namespace

std::vector<InsideListener> inside_listeners(const Grants& grants) {
  std::vector<InsideListener> listeners;
  for (const auto port : grants.localhost) listeners.push_back({kInsideLoopback, port, CarriedTo{"localhost", port}});
  for (const auto port : grants.model.local) listeners.push_back({kInsideLoopback, port, CarriedTo{"local", port}});
  if (!grants.endpoints.empty())
    for (const auto use : {InsideUse::NameDatagrams, InsideUse::NameStreams})
      listeners.push_back({kInsideLoopback, kNamesPort, {}, use});
  listeners.push_back({kInsideLoopback, kWirePort});
  return listeners;
}

}  // namespace lnk::host
