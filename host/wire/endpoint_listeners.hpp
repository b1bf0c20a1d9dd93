// SPDX-License-Identifier: Apache-2.0
//
// Where endpoints are reached inside: each name that is asked for gets an address of the sandbox's own loopback, the same
// for the whole run, and a socket listens there on each of its ports. The front makes those sockets, since only it may have
// them made in the sandbox's network.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/http/authority.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host {

class EndpointListeners {
 public:
  /// Asks the front for a socket that listens there; it answers by `take`. False: it can't be asked.
  using AskFront = std::function<bool(std::uint32_t address, std::uint16_t port)>;

  EndpointListeners(Loop& loop, AskFront ask, std::size_t most) : loop_(loop), ask_(std::move(ask)), most_(most) {}

  struct Given {
    std::uint32_t address = 0;
    std::string_view fault;  ///< in words, where there is none
  };
  /// A name's address, once something listens there on each of `ports`.
  Task<Given> give(std::string name, std::vector<std::uint16_t> ports);

  /// The front's answer; `is_there`: with a socket. What is reached by it; nothing: it was not asked for.
  [[nodiscard]] std::optional<http::Authority> take(std::uint32_t address, std::uint16_t port, bool is_there);

 private:
  enum class Socket : std::uint8_t { Asked, Listens, Failed };
  struct Place {
    std::string name;
    std::map<std::uint16_t, Socket> sockets;
    std::vector<Signal*> waiters;
  };

  std::optional<std::size_t> number_of(const std::string& name);
  /// False: one too many.
  bool ask_for_missing(std::size_t number, const std::vector<std::uint16_t>& ports);

  Loop& loop_;
  AskFront ask_;
  std::size_t most_;  ///< sockets
  std::vector<Place> places_;  ///< in the order of their addresses
  std::map<std::string, std::size_t> numbers_;
  std::size_t sockets_ = 0;
};

}  // namespace lnk::host
