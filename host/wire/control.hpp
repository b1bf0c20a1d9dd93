// SPDX-License-Identifier: Apache-2.0
//
// The wire's end of its front's control socket. Its end of file is the end of the run, at once: what is open is cut.
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/broker_client.hpp"
#include "wire/listener.hpp"

namespace lnk::host {

/// One line to the front, before the wire ends itself.
void say_failed(int control, std::string_view words);

/// One word about the gate. A front that reads none, or is gone, is not waited for.
void say_to_front(int control, std::string_view about, std::string_view word);

class Control {
 public:
  /// `broker` takes the answers to what the wire asked for.
  Control(WireParts& parts, BrokerClient& broker, UniqueFd socket, std::size_t connections_max);
  /// Takes packets until the end of file, then ends the process.
  Task<void> run();

 private:
  Status take_packet(std::string_view text, UniqueFd fd);

  WireParts& parts_;
  BrokerClient& broker_;
  Watch socket_;
  ConnectionCount connections_;
  bool has_said_ready_ = false;
};

}  // namespace lnk::host
