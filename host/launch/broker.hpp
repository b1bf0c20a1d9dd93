// SPDX-License-Identifier: Apache-2.0
//
// What the wire may ask of its front. The wire parses what programs and servers send, and is taken for an attacker here: a request
// is of one known form, is held against what the snapshot grants, and is answered with its id; it never makes the front do
// more. wire/broker_client has the packets.
//
// A request that isn't of that form has no answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/base.h"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Pages, questions and tools get further values of it, with what they need.
enum class BrokerWish { ConnectInside };

struct BrokerRequest {
  std::uint64_t id = 0;  ///< the wire's own, from 1
  std::string verb;
  BrokerWish wish = BrokerWish::ConnectInside;
  std::uint16_t port = 0;
};

/// Pure. errors: Invalid
[[nodiscard]] Result<BrokerRequest> read_broker_request(std::string_view packet);

struct BrokerAnswer {
  std::string packet;
  UniqueFd fd;
};

class Broker {
 public:
  /// Of each verb, by its id.
  using InsidePorts = std::map<std::string, std::vector<std::uint16_t>, std::less<>>;
  /// Connects to 127.0.0.1:port inside; it may not wait long for what is inside.
  using Connect = std::function<Result<UniqueFd>(std::uint16_t port)>;

  Broker(InsidePorts granted, Connect connect) : granted_(std::move(granted)), connect_(std::move(connect)) {}

  [[nodiscard]] BrokerAnswer answer(const BrokerRequest& request) const;

 private:
  [[nodiscard]] bool is_granted(const BrokerRequest& request) const;

  InsidePorts granted_;
  Connect connect_;
};

}  // namespace lnk::host
