// SPDX-License-Identifier: Apache-2.0
//
// What the front does for its wire, once the broker has held it against the grants.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "asking/asking.hpp"
#include "launch/broker.hpp"
#include "launch/front.hpp"
#include "launch/pages.hpp"
#include "launch/running_tools.hpp"
#include "launch/wall.hpp"

namespace lnk::host {

class FrontServices final : public BrokerServices {
 public:
  /// All of them outlive it. `terminal` is null where the sandbox has no terminal.
  FrontServices(Wall& wall, const RunRequest& request, AskingTerminal* terminal);

  /// What to poll for answers of the person; -1 where no verb may ask.
  [[nodiscard]] Result<int> watch_answers(const Broker::Rights& rights);
  /// It was readable.
  [[nodiscard]] Status look();
  /// Readable when there is something to look at of tools; -1: none is granted.
  [[nodiscard]] int tools_fd() const noexcept { return tools_ ? tools_->fd() : -1; }
  [[nodiscard]] Status look_at_tools() { return tools_ ? tools_->look() : Status(); }

  /// Where the run may open pages. errors: Internal
  [[nodiscard]] Status prepare_pages();
  /// Readable when the opening of a page ended; -1: none is opened.
  [[nodiscard]] int pages_fd() const noexcept { return pages_ ? pages_->fd() : -1; }
  void take_pages() { pages_->take_ended(); }

  Result<UniqueFd> connect_inside(std::uint16_t port) override { return wall_.connect_inside(port); }
  Status ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Outcome)> answered) override;
  void withdraw(std::uint64_t id) override;
  Result<UniqueFd> start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) override;
  void stop_tool(std::uint64_t id) override;
  void open_page(std::string_view url, std::function<void(Status)> done) override;
  Result<std::vector<UniqueFd>> listen_outside(std::uint64_t id, std::uint16_t port) override;
  void stop_listening(std::uint64_t id) override { outside_.close(id); }

 private:
  [[nodiscard]] Status ask_person(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Outcome)> answered);
  [[nodiscard]] Status watch_outside();
  void arm_outside() const;

  Wall& wall_;
  AskingOptions asking_options_;
  UniqueFd answers_;
  std::unique_ptr<Asking> asking_;                   // once a question was asked
  std::map<std::uint64_t, std::uint64_t> questions_;  // the wire's ids, and those of asking_
  std::function<void(std::string_view)> notice_;
  bool is_no_asking_told_ = false;  // once a run: it is the same for the next
  std::optional<RunningTools> tools_;
  std::map<std::uint64_t, std::function<void(int code)>> tool_ends_;  // who is told
  std::set<std::string, std::less<>> told_;                           // tools that the person was told can't be started, each once
  std::optional<Pages> pages_;
  OutsideSockets outside_;
  UniqueFd outside_timer_;  // the next one's time is over
};

}  // namespace lnk::host
