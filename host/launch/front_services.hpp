// SPDX-License-Identifier: Apache-2.0
//
// What the front does for its wire, once the broker has held it against the grants.
#pragma once

#include "launch/broker.hpp"
#include "launch/wall.hpp"

namespace lnk::host {

class FrontServices final : public BrokerServices {
 public:
  /// `wall` outlives it.
  explicit FrontServices(Wall& wall) noexcept : wall_(wall) {}

  Result<UniqueFd> connect_inside(std::uint16_t port) override { return wall_.connect_inside(port); }
  Status ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Verdict)> answered) override;
  void withdraw(std::uint64_t id) override;
  Result<UniqueFd> start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) override;
  void stop_tool(std::uint64_t id) override;
  void open_page(std::string_view url, std::function<void(Status)> done) override;
  Result<std::vector<UniqueFd>> listen_outside(std::uint16_t port) override;

 private:
  Wall& wall_;
};

}  // namespace lnk::host
