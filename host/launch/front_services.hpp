// SPDX-License-Identifier: Apache-2.0
//
// What the front does for its wire, once the broker has held it against the grants.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "asking/asking.hpp"
#include "launch/broker.hpp"
#include "launch/pages.hpp"
#include "launch/wall.hpp"

namespace lnk::host {

class FrontServices final : public BrokerServices {
 public:
  /// `wall` outlives it.
  FrontServices(Wall& wall, AskingOptions asking) : wall_(wall), asking_options_(std::move(asking)) {}

  /// What to poll for answers of the person; -1 where no verb may ask.
  [[nodiscard]] Result<int> watch_answers(const Broker::Rights& rights);
  /// It was readable.
  [[nodiscard]] Status look();

  /// Where the run may open pages. errors: Internal
  [[nodiscard]] Status prepare_pages();
  /// Readable when the opening of a page ended; -1: none is opened.
  [[nodiscard]] int pages_fd() const noexcept { return pages_ ? pages_->fd() : -1; }
  void take_pages() { pages_->take_ended(); }

  Result<UniqueFd> connect_inside(std::uint16_t port) override { return wall_.connect_inside(port); }
  Status ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Verdict)> answered) override;
  void withdraw(std::uint64_t id) override;
  Result<UniqueFd> start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) override;
  void stop_tool(std::uint64_t id) override;
  void open_page(std::string_view url, std::function<void(Status)> done) override;
  Result<std::vector<UniqueFd>> listen_outside(std::uint16_t port) override;

 private:
  Wall& wall_;
  AskingOptions asking_options_;
  UniqueFd answers_;
  std::unique_ptr<Asking> asking_;                   // once a question was asked
  std::map<std::uint64_t, std::uint64_t> questions_;  // the wire's ids, and those of asking_
  std::optional<Pages> pages_;
};

}  // namespace lnk::host
