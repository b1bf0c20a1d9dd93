// SPDX-License-Identifier: Apache-2.0
//
// The wire's end of its front's control socket. Its end of file is the end of the run, at once: what is open is cut.
//
// A packet brings one socket that listens inside, and says what it is for: {"listen":"http"}, the wire's own, behind which the
// wire says that it is ready; {"listen":{"kind":"localhost","port":5432}}, where what connects is carried to;
// {"listen":{"kind":"local","port":11434}}, where requests are for the local runtime at that port; and where there are
// endpoints {"listen":"name-datagrams"} and {"listen":"name-streams"}, by which names are asked, and
// {"listen":{"address":2134900737,"kind":"tcp","port":5432}}, what the wire asked for by {"endpoint":{"address":…,"port":…}}; where that can't
// be had, {"none":{…}} without a socket.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/broker_client.hpp"
#include "wire/carried.hpp"
#include "wire/listener.hpp"

namespace lnk::host {

/// One line to the front, before the wire ends itself.
void say_failed(int control, std::string_view words);

/// One word about the gate. A front that reads none, or is gone, is not waited for.
void say_to_front(int control, std::string_view about, std::string_view word);

/// Asks the front for a socket that listens there, for an endpoint's name. False: it could not be told.
[[nodiscard]] bool ask_for_endpoint(int control, std::uint32_t address, std::uint16_t port);

class Control {
 public:
  /// `broker` takes the answers to what the wire asked for.
  Control(WireParts& parts, BrokerClient& broker, UniqueFd socket, std::size_t connections_max);
  /// Takes packets until the end of file, then ends the process.
  Task<void> run();

 private:
  Status take_packet(std::string_view text, std::vector<UniqueFd> fds);
  Status serve_requests(UniqueFd listener);
  void accept_for(UniqueFd listener, ServeClient serve);
  void carry(UniqueFd listener, CarriedTarget target);
  void take_endpoint(std::uint32_t address, std::uint16_t port, UniqueFd listener);

  WireParts& parts_;
  BrokerClient& broker_;
  Watch socket_;
  ConnectionCount connections_;
  bool has_said_ready_ = false;
};

}  // namespace lnk::host
