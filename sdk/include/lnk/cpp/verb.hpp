// SPDX-License-Identifier: Apache-2.0
//
// lnk.verb/1 in C++: typed events in, typed actions out. A verb's class has
//
//     lnk::Status declare(lnk::Declaration& declaration);
//     lnk::Status event(const lnk::Event& event, lnk::Actions& actions);
//
// Whatever fails or throws refuses the call. An event of an unknown kind, of a shorter struct than 1.0 has, or of a
// call that never began or has gone never reaches the verb.
#pragma once

#include <concepts>
#include <cstdint>
#include <unordered_set>

#include "lnk/abi/verb.h"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "lnk/cpp/verb_events.hpp"

namespace lnk {

/// Takes what a verb says of itself once, after create.
class Declaration {
 public:
  explicit Declaration(const lnk_declare_sink* sink) noexcept : sink_(sink) {}

  /// `path` has no leading slash; a prefix ends in one. `refusal_body`: the form of what is refused there, as verb.h says; empty: text.
  [[nodiscard]] Status route(std::uint32_t kind, std::string_view path, std::uint32_t flags = 0, std::string_view refusal_body = {}) {
    auto route = sized<lnk_route>();
    route.kind = kind;
    route.flags = flags;
    route.path = to_str(path);
    route.refusal_body = to_str(refusal_body);
    return taken("route", sink_->route(sink_->context, &route));
  }
  [[nodiscard]] Status upstream(std::string_view host, std::uint16_t port, bool tls) {
    auto upstream = sized<lnk_upstream>();
    upstream.port = port;
    upstream.tls = tls ? 1 : 0;
    upstream.host = to_str(host);
    return taken("upstream", sink_->upstream(sink_->context, &upstream));
  }
  [[nodiscard]] Status body_max(std::uint64_t bytes) {
    return taken("body_max", sink_->body_max(sink_->context, bytes));
  }

 private:
  static Status taken(std::string_view what, lnk_status status) {
    if (status == LNK_OK) return {};
    return fail(code_of(status),
                "the host refused the declared " + std::string(what) + ": " + std::string(status_word(status)));
  }

  const lnk_declare_sink* sink_;
};

template <class T>
concept Verb = requires(T verb, Declaration& declaration, const Event& event, Actions& actions) {
  { verb.declare(declaration) } -> std::same_as<Status>;
  { verb.event(event, actions) } -> std::same_as<Status>;
};

struct VerbInterface {
  static constexpr std::string_view kId = LNK_VERB_ID;
  static constexpr std::uint32_t kMajor = LNK_VERB_MAJOR;

  /// The calls that have begun and not gone.
  struct State {
    std::unordered_set<lnk_id> calls;
  };

  template <Verb T>
  static lnk_status declare(lnk_instance* instance, const lnk_declare_sink* sink, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr) return fail(Code::Invalid, "declare: no instance");
      const bool has_all =
          sink != nullptr && LNK_HAS(sink, route) && LNK_HAS(sink, upstream) && LNK_HAS(sink, body_max);
      if (!has_all) return fail(Code::Invalid, "declare: the sink is shorter than 1.0");
      Declaration declaration(sink);
      return detail::object_of<T>(instance).declare(declaration);
    });
  }

  template <Verb T>
  static lnk_status event(lnk_instance* instance, const lnk_event* raw, const lnk_action_sink* sink,
                          lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr) return fail(Code::Invalid, "event: no instance");
      if (sink == nullptr || !LNK_HAS(sink, emit)) return fail(Code::Invalid, "event: the sink is shorter than 1.0");
      LNK_TRY(const Event event, detail::read_event(raw));
      LNK_CHECK(follow(detail::state_of<VerbInterface, T>(instance), event));
      Actions actions(sink, event.call);
      return detail::object_of<T>(instance).event(event, actions);
    });
  }

  template <class T>
  [[nodiscard]] static const lnk_iface* table() noexcept {
    static constexpr lnk_verb kTable{{sizeof(lnk_verb), LNK_VERB_MAJOR, 0}, &declare<T>, &event<T>};
    return &kTable.head;
  }

 private:
  /// Holds the order of verb.h: HEAD once, then anything, then GONE once.
  static Status follow(State& state, const Event& event) {
    if (std::holds_alternative<HeadEvent>(event.what)) {
      if (event.call == 0) return fail(Code::Invalid, "a head without a call");
      if (!state.calls.insert(event.call).second) return fail(Code::Invalid, "a second head of one call");
      return {};
    }
    if (event.call == 0) return {};
    const auto call = state.calls.find(event.call);
    if (call == state.calls.end()) return fail(Code::Gone, "an event of a call that never began, or has gone");
    if (std::holds_alternative<GoneEvent>(event.what)) state.calls.erase(call);
    return {};
  }
};

}  // namespace lnk
