// SPDX-License-Identifier: Apache-2.0
//
// One verb: its table, what it declared, and the calls it has open. The one place where events cross to a module.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"
#include "lnk/http/head.hpp"
#include "wire/config.hpp"
#include "wire/verb/call.hpp"
#include "wire/verb/declared.hpp"
#include "wire/verb/id_table.hpp"
#include "wire/verb/route_table.hpp"

namespace lnk::host {

/// A request as HEAD tells it.
struct HeadFacts {
  std::uint32_t route = 0;
  std::string_view method;
  std::string_view path;  ///< below the route
  std::optional<std::string_view> query;
  bool has_body = false;
  std::span<const http::Field> fields;
};

/// A reply as REPLY_HEAD tells it.
struct ReplyFacts {
  std::uint16_t status = 0;
  std::span<const http::Field> fields;
};

/// What became of a call inside.
struct InsideReply {
  lnk_status status = LNK_OK;
  std::uint16_t http_status = 0;
  std::string location;
};

/// A request on a port outside, as CALLBACK tells it.
struct CallbackFacts {
  std::string_view method;
  std::string_view target;
  std::string_view host;
  std::string_view content_type;
  std::string_view body;
};

/// What a verb starts beside its replies. Ids are never used again. What isn't made here is not in this version.
class VerbServices {
 public:
  VerbServices() = default;
  VerbServices(const VerbServices&) = delete;
  VerbServices& operator=(const VerbServices&) = delete;
  virtual ~VerbServices() = default;

  /// LoadedVerb::timer comes then. errors: Limit
  virtual Result<lnk_id> wake(lnk_id call, std::uint64_t after_ms) = 0;
  /// LoadedVerb::inside_reply comes then. errors: Denied (the port is not granted), Limit
  virtual Result<lnk_id> call_inside(lnk_id call, InsidePlan plan) = 0;
  /// LoadedVerb::answered comes then. errors: Denied, Limit
  virtual Result<lnk_id> ask(lnk_id call, QuestionPlan plan);
  /// LoadedVerb::tool_started comes then, and where it did its lines and its end. errors: Denied, Limit
  virtual Result<lnk_id> start_tool(lnk_id call, std::string name);
  /// True: more waits than the mark, and tool_drained comes. errors: Gone, Limit
  virtual Result<bool> send_line(lnk_id tool, std::string_view line);
  /// Its end comes yet. errors: Gone
  virtual Status stop_tool(lnk_id tool);
  /// errors: Gone
  virtual Status pause_tool(lnk_id tool, bool is_paused);
  /// LoadedVerb::page_opened comes then. errors: Denied, Limit
  virtual Result<lnk_id> open_page(lnk_id call, std::string url);
  /// LoadedVerb::listening comes then, and where it did a callback, one at a time. errors: Denied, Limit
  virtual Result<lnk_id> listen_once(lnk_id call, ListenPlan plan);
  /// errors: Gone
  virtual Status answer_callback(lnk_id port, AnswerPlan plan);
  /// errors: Gone
  virtual Status close_port(lnk_id port);
  /// Whether an event of no call may yet decide one: a tool runs.
  [[nodiscard]] virtual bool may_bring_more() const noexcept { return false; }
  /// What the call started is dropped: its timers and questions; a tool that has not started yet, a port whose page was not opened.
  virtual void forget(lnk_id call) = 0;
};

/// A verb that may be given events. `table` and `instance` outlive it.
class LoadedVerb {
 public:
  /// `granted`: the upstreams of the snapshot.
  /// errors: Denied where the verb declares an upstream that is not granted.
  static Result<std::unique_ptr<LoadedVerb>> make(std::string id, const lnk_verb& table, lnk_instance* instance,
                                                  const std::vector<VerbUpstream>& granted);

  LoadedVerb(const LoadedVerb&) = delete;
  LoadedVerb& operator=(const LoadedVerb&) = delete;

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const Declared& declared() const noexcept { return declared_; }
  /// Those it declared, with the handles that the snapshot grants there.
  [[nodiscard]] const std::vector<VerbUpstream>& upstreams() const noexcept { return upstreams_; }

  /// A call begins. The id is good until `gone`.
  [[nodiscard]] lnk_id open(Call& call) { return calls_.insert(&call); }
  [[nodiscard]] Decided head(lnk_id id, const HeadFacts& head);
  [[nodiscard]] Decided body(lnk_id id, std::string_view body);
  // What comes of these stands in the call. Of one that is closed or has a fault nothing is told to the module.
  void reply_head(lnk_id id, const ReplyFacts& reply);
  void reply_chunk(lnk_id id, std::string_view bytes);
  void reply_end(lnk_id id, lnk_status status);
  void drained(lnk_id id);
  /// `call` 0: of no call. errors: of an event of no call, what the module did wrong
  Result<void> timer(lnk_id call, lnk_id timer);
  Result<void> inside_reply(lnk_id call, lnk_id subject, const InsideReply& reply);
  Result<void> answered(lnk_id call, lnk_id question, std::uint32_t answer);
  Result<void> tool_started(lnk_id call, lnk_id tool, lnk_status status);
  Result<void> tool_line(lnk_id tool, std::string_view line);
  Result<void> tool_drained(lnk_id tool);
  Result<void> tool_exit(lnk_id tool, std::int32_t code);
  /// A tool has gone from the services: a call that waits for nothing else is refused.
  void check_waits();
  Result<void> page_opened(lnk_id call, lnk_id page, lnk_status status);
  Result<void> listening(lnk_id call, lnk_id port, lnk_status status, std::uint16_t number);
  Result<void> callback(lnk_id port, const CallbackFacts& request);
  /// Exactly once for each call whose HEAD was given. The id is stale from here.
  void gone(lnk_id id);

  /// Without services nothing is started. They outlive the verb's last event.
  void use(VerbServices& services) noexcept { services_ = &services; }

  /// The limits of each of this verb's calls.
  [[nodiscard]] const VerbLimits& limits() const noexcept { return limits_; }

 private:
  LoadedVerb(std::string id, const lnk_verb& table, lnk_instance* instance);
  static lnk_status emit(void* context, const lnk_action* action, lnk_id* made) LNK_NOEXCEPT;
  lnk_status take(const lnk_action& action, lnk_id* made);
  lnk_status start(const lnk_action& action, Call* call, lnk_id* made);
  lnk_status steer(const lnk_action& action, Call* call);
  Result<bool> steer_services(const lnk_action& action);
  Result<void> give_done(lnk_id call, std::uint32_t kind, lnk_id subject, lnk_status status, std::uint16_t port = 0);
  lnk_status fault(Call* call, Error error);
  [[nodiscard]] Decided give_and_take(lnk_id id, std::uint32_t kind, const void* data);
  void give(lnk_id id, std::uint32_t kind, const void* data, lnk_id subject = 0);
  Result<lnk_id> ask_services(const lnk_action& action);
  Result<void> give_answer(lnk_id call, std::uint32_t kind, const void* data, lnk_id subject);
  Result<void> give_without_call(std::uint32_t kind, const void* data, lnk_id subject);
  lnk_status tell(lnk_id call, std::uint32_t kind, const void* data, lnk_id subject, lnk_error* error);
  lnk_status call_event(lnk_event& event, lnk_error* error);
  Result<void> check_upstream(const RelayPlan& plan) const;

  std::string id_;
  const lnk_verb& table_;
  lnk_instance* instance_;
  Declared declared_;
  std::vector<VerbUpstream> upstreams_;
  VerbLimits limits_;
  IdTable<Call> calls_;
  lnk_action_sink sink_{};  ///< lives as long as the verb, so that one kept too long is answered and not followed
  VerbServices* services_ = nullptr;
  bool is_handling_ = false;          ///< an event is with the module
  std::optional<Error> event_fault_;  ///< of an event of no call
};

}  // namespace lnk::host
