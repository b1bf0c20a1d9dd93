// SPDX-License-Identifier: Apache-2.0
//
// What one verb has started beside its replies: timers, calls to the program inside, questions, tools, pages.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wire/broker_client.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"
#include "wire/verb/loaded_verb.hpp"
#include "wire/verb/outside_port.hpp"
#include "wire/verb/tool_stream.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {

struct ServiceParts {
  Loop& loop;
  BrokerClient& broker;
  LoadedVerb& verb;
  const VerbConfig& granted;  ///< the front holds each request against the same again
  Warn warn;                  ///< told what the module did wrong in an event of no call
  std::function<void()> too_many_questions;
  std::function<bool()> is_wire_closed = {};  ///< by pause or stop: nothing comes in from outside then
};

class RunServices final : public VerbServices {
 public:
  explicit RunServices(ServiceParts parts);

  Result<lnk_id> wake(lnk_id call, std::uint64_t after_ms) override;
  Result<lnk_id> call_inside(lnk_id call, InsidePlan plan) override;
  Result<lnk_id> ask(lnk_id call, QuestionPlan plan) override;
  Result<lnk_id> start_tool(lnk_id call, std::string name) override;
  Result<bool> send_line(lnk_id tool, std::string_view line) override;
  Status stop_tool(lnk_id tool) override;
  Status pause_tool(lnk_id tool, bool is_paused) override;
  Result<lnk_id> open_page(lnk_id call, std::string url) override;
  Result<lnk_id> listen_once(lnk_id call, ListenPlan plan) override;
  Status answer_callback(lnk_id port, AnswerPlan plan) override;
  Status close_port(lnk_id port) override;
  [[nodiscard]] bool may_bring_more() const noexcept override { return !tools_.empty(); }
  void forget(lnk_id call) override;

 private:
  struct Timer final : Cancellable {
    Timer(RunServices& owner, lnk_id own, lnk_id of) : services(owner), id(own), call(of), deadline(owner.parts_.loop, this) {}
    void cancel() noexcept override;

    RunServices& services;
    lnk_id id;
    lnk_id call;
    Deadline deadline;
  };
  Task<void> tell_timers();
  Task<void> run_inside(lnk_id call, lnk_id id, InsidePlan plan);
  Task<InsideReply> ask_inside(const InsidePlan& plan);
  /// A question that waits. Withdrawn: its answer is told to nobody.
  struct Asked {
    std::uint64_t broker_id;
    lnk_id call;
  };
  Task<void> run_question(lnk_id call, lnk_id id, QuestionPlan plan);
  Task<void> run_tool(std::shared_ptr<ToolStream> tool, lnk_id call, lnk_id id, std::string name);
  Task<void> run_page(lnk_id call, lnk_id id, std::string url);
  Task<void> run_port(std::shared_ptr<OutsidePort> port, lnk_id id);
  Result<ToolStream*> tool_of(lnk_id id) const;
  Result<OutsidePort*> port_of(lnk_id id) const;
  [[nodiscard]] bool may_call_inside(std::uint16_t port) const;
  void warn_of(const Result<void>& told);

  ServiceParts parts_;
  Bell bell_;
  std::unordered_map<lnk_id, Asked> questions_;
  std::unordered_map<lnk_id, std::shared_ptr<ToolStream>> tools_;
  std::unordered_map<lnk_id, std::shared_ptr<OutsidePort>> ports_;
  std::size_t pages_open_ = 0;
  std::unordered_map<lnk_id, std::unique_ptr<Timer>> timers_;
  std::vector<lnk_id> due_;
  std::size_t inside_open_ = 0;
  lnk_id last_id_ = 0;
};

}  // namespace lnk::host
