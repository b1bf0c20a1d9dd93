// SPDX-License-Identifier: Apache-2.0
#include "launch/endpoint_sockets.hpp"

#include <algorithm>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

InsideIp ip_of(std::uint32_t address) {
  return {static_cast<std::uint8_t>(address >> 24U), static_cast<std::uint8_t>(address >> 16U), static_cast<std::uint8_t>(address >> 8U),
          static_cast<std::uint8_t>(address)};
}

}  // namespace

bool may_be_made(const EndpointAsk& ask, const Grants& grants) noexcept {
  if (ask.address < kFirstEndpointAddress || ask.address - kFirstEndpointAddress >= kEndpointNamesMax || ask.port == 0) return false;
  return std::any_of(grants.endpoints.begin(), grants.endpoints.end(),
                     [&ask](const GrantedEndpoint& endpoint) { return endpoint.srv || endpoint.port == ask.port; });
}

Status EndpointSockets::make(const EndpointAsk& ask) {
  if (!may_be_made(ask, grants_) || made_ >= kEndpointListenersMax) return wire_.answer_endpoint(ask, UniqueFd());
  auto socket = wall_.listen_inside(ip_of(ask.address), ask.port);
  // Sent or not, the wire waits for an answer.
  if (!socket || !wire_.answer_endpoint(ask, *socket)) return wire_.answer_endpoint(ask, UniqueFd());
  ++made_;
  return {};
}

}  // namespace lnk::host
