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
#include "wire/verb/id_table.hpp"
#include "wire/verb/route_table.hpp"

namespace lnk::host {

/// What a verb said of itself.
struct Declared {
  std::vector<Route> routes;
  std::vector<VerbUpstream> upstreams;  ///< without handles: those are granted, not declared
  std::uint64_t body_bytes_max = 0;
};

/// Has the verb declare itself. errors: the verb's own, or what it declared that can't be.
Result<Declared> declare(const lnk_verb& table, lnk_instance* instance);

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

/// What a verb starts beside its replies. Ids are never used again.
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
  /// What the call started is dropped.
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
  /// Exactly once for each call whose HEAD was given. The id is stale from here.
  void gone(lnk_id id);

  /// Without services, WAKE and CALL_INSIDE are not in this version. They outlive the verb's last event.
  void use(VerbServices& services) noexcept { services_ = &services; }

  /// The limits of each of this verb's calls.
  [[nodiscard]] const VerbLimits& limits() const noexcept { return limits_; }

 private:
  LoadedVerb(std::string id, const lnk_verb& table, lnk_instance* instance);
  static lnk_status emit(void* context, const lnk_action* action, lnk_id* made) LNK_NOEXCEPT;
  lnk_status take(const lnk_action& action, lnk_id* made);
  lnk_status start(const lnk_action& action, Call* call, lnk_id* made);
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
