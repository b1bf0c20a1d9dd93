// SPDX-License-Identifier: Apache-2.0
//
// The two ends between which the wire and its peers are measured: an origin that costs little, and clients that keep many
// connections busy. Both are the same for all that is measured.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

inline constexpr char kOk[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
inline constexpr char kOkClosing[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

/// Serves on every address until it is killed: /bytes/N is N zeros, a body is taken and counted, all else is kOk.
[[noreturn]] void serve(std::uint16_t port);

struct Way {
  std::string proxy;   ///< "ADDRESS:PORT" or "NAME:PASSWORD@ADDRESS:PORT"; empty: none, the target is connected to
  std::string target;  ///< "NAME:PORT", or "ADDRESS:PORT" where there is no proxy
};

/// Connections that are made, asked one thing and closed, a second; through a proxy by CONNECT.
double setups_a_second(const Way& way, int clients, int seconds);
/// Requests on connections that stay, a second; through a proxy in absolute form.
double requests_a_second(const Way& way, int clients, int seconds);
/// Opens tunnels and holds them until the standard input ends; says "open COUNT" once all are there.
void hold_idle(const Way& way, int count);

[[noreturn]] void give_up(const std::string& words);

}  // namespace bench
