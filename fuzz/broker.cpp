// SPDX-License-Identifier: Apache-2.0
//
// What a wire asks of its front: whatever the packet, the front does at most what is granted, and a request that is read names all
// that is done. An answer is one packet with the request's id.
#include "launch/broker.hpp"

#include <string>

#include "entry.hpp"
#include "environment/environment.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto request = host::read_broker_request(input);
  if (!request) {
    LNK_HOLDS(!request.error().text.empty());
    return;
  }
  LNK_HOLDS(request->id >= 1 && request->port >= 1 && !request->verb.empty() && request->verb.size() <= 64);
  LNK_HOLDS(request->verb.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  LNK_HOLDS(input.find("connect-inside") != std::string_view::npos || input.find('\\') != std::string_view::npos);
  int calls = 0;
  const auto connect = [&](std::uint16_t port) -> Result<UniqueFd> {
    ++calls;
    LNK_HOLDS(port == request->port && port != host::kWirePort);
    return fail(Code::Upstream, "nobody listens");
  };
  const std::string id = "\"id\":" + std::to_string(request->id);
  // Another verb's grant, another port, the wire's own: nothing is done.
  const auto other = static_cast<std::uint16_t>(request->port == 1 ? 2 : 1);
  for (const auto& granted : {host::Broker::InsidePorts{}, host::Broker::InsidePorts{{request->verb, {other}}},
                              host::Broker::InsidePorts{{request->verb + "x", {request->port}}}}) {
    const auto denied = host::Broker(granted, connect).answer(*request);
    LNK_HOLDS(calls == 0 && !denied.fd.is_open());
    LNK_HOLDS(denied.packet.find(id) != std::string::npos && denied.packet.find("\"denied\"") != std::string::npos);
  }
  const auto answered = host::Broker({{request->verb, {request->port}}}, connect).answer(*request);
  LNK_HOLDS(calls == (request->port == host::kWirePort ? 0 : 1));
  LNK_HOLDS(answered.packet.find(id) != std::string::npos);
}

}  // namespace lnk::fuzz
