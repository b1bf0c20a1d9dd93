// SPDX-License-Identifier: Apache-2.0
#include "wire/endpoint_listeners.hpp"

#include <algorithm>

#include "wire/limits.hpp"

namespace lnk::host {

std::optional<std::size_t> EndpointListeners::number_of(const std::string& name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  if (places_.size() >= kEndpointNamesMax) return std::nullopt;
  numbers_.emplace(name, places_.size());
  places_.push_back({name, {}, {}});
  return places_.size() - 1;
}

/// What failed before is asked for once more: what the program had there may be gone.
bool EndpointListeners::ask_for_missing(std::size_t number, const std::vector<std::uint16_t>& ports) {
  auto& sockets = places_[number].sockets;
  for (const std::uint16_t port : ports) {
    const auto found = sockets.find(port);
    if (found != sockets.end() && found->second != Socket::Failed) continue;
    if (found == sockets.end() && sockets_ >= most_) return false;
    if (found == sockets.end()) ++sockets_;
    const bool is_asked = ask_(kFirstEndpointAddress + static_cast<std::uint32_t>(number), port);
    sockets[port] = is_asked ? Socket::Asked : Socket::Failed;
  }
  return true;
}

Task<EndpointListeners::Given> EndpointListeners::give(std::string name, std::vector<std::uint16_t> ports) {
  const auto number = number_of(name);
  if (!number) co_return Given{0, "too many names were asked for in this run"};
  if (!ask_for_missing(*number, ports)) co_return Given{0, "too many sockets listen inside"};
  const auto is = [&](Socket state) {
    const auto& sockets = places_[*number].sockets;
    return std::any_of(ports.begin(), ports.end(), [&](std::uint16_t port) { return sockets.at(port) == state; });
  };
  while (is(Socket::Asked)) {
    Signal changed(loop_);
    places_[*number].waiters.push_back(&changed);
    co_await changed;
  }
  if (is(Socket::Failed)) co_return Given{0, "no socket could be made for it inside"};
  co_return Given{kFirstEndpointAddress + static_cast<std::uint32_t>(*number), {}};
}

std::optional<http::Authority> EndpointListeners::take(std::uint32_t address, std::uint16_t port, bool is_there) {
  const std::size_t number = std::size_t{address} - kFirstEndpointAddress;
  if (address < kFirstEndpointAddress || number >= places_.size()) return std::nullopt;
  Place& place = places_[number];
  const auto found = place.sockets.find(port);
  if (found == place.sockets.end() || found->second != Socket::Asked) return std::nullopt;
  found->second = is_there ? Socket::Listens : Socket::Failed;
  for (Signal* waiter : std::exchange(place.waiters, {})) waiter->raise();
  return http::Authority{{http::HostKind::Name, place.name, {}}, port};
}

}  // namespace lnk::host
