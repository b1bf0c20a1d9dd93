// SPDX-License-Identifier: Apache-2.0
//
// A verb made of a function, given to the host's side of the boundary.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "lnk/cpp/verb.hpp"
#include "wire/verb/loaded_verb.hpp"

using lnk::Code;
using lnk::Relay;
using lnk::Value;
using lnk::host::AnswerPlan;
using lnk::host::Call;
using lnk::host::Decided;
using lnk::host::LoadedVerb;
using lnk::host::ModuleFault;
using lnk::host::NeedBodyPlan;
using lnk::host::RelayPlan;
using lnk::http::Refusal;

namespace {

/// What the verb under test does: stands where a module's instance would.
struct Script {
  std::function<lnk_status(const lnk_event&, const lnk_action_sink&)> event;
  std::vector<std::uint32_t> events;
  std::vector<lnk_status> answers;  ///< of emit
  std::string host = "api.rig.test";
};

Script& script_of(lnk_instance* instance) { return *reinterpret_cast<Script*>(instance); }

lnk_status declare(lnk_instance* instance, const lnk_declare_sink* sink, lnk_error*) LNK_NOEXCEPT {
  lnk::Declaration declaration(sink);
  auto done = declaration.route(LNK_ROUTE_PREFIX, "test/");
  if (done) done = declaration.upstream(script_of(instance).host, 443, true);
  if (done) done = declaration.body_max(100);
  return done ? LNK_OK : LNK_E_INVALID;
}

lnk_status event(lnk_instance* instance, const lnk_event* event, const lnk_action_sink* sink, lnk_error*) LNK_NOEXCEPT {
  auto& script = script_of(instance);
  script.events.push_back(event->kind);
  return event->kind == LNK_EVENT_GONE ? LNK_OK : script.event(*event, *sink);
}

const lnk_verb kTable{{sizeof(lnk_verb), 1, 0}, &declare, &event};

struct Bench {
  Script script;
  std::unique_ptr<LoadedVerb> verb;

  Bench() {
    const std::vector<lnk::host::VerbUpstream> granted = {{"api.rig.test", 443, {"secret:rig"}},
                                                          {"other.rig.test", 443, {"secret:other"}}};
    auto made = LoadedVerb::make("verb-test", kTable, reinterpret_cast<lnk_instance*>(&script), granted);
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error().text));
    verb = std::move(made).value();
  }

  /// A call whose HEAD the verb answers by `act`.
  Decided head(const std::function<void(lnk::Actions&)>& act) {
    script.event = [act](const lnk_event& e, const lnk_action_sink& sink) {
      lnk::Actions actions(&sink, e.call);
      act(actions);
      return LNK_OK;
    };
    Call call(verb->limits());
    const auto id = verb->open(call);
    auto decided = verb->head(id, {});
    verb->gone(id);
    return decided;
  }
};

std::string fault_of(const Decided& decided) {
  const auto* fault = std::get_if<ModuleFault>(&decided);
  return fault == nullptr ? "no fault" : fault->error.text;
}

Relay relay_to(std::string_view host) {
  Relay relay;
  relay.host = host;
  relay.method = "GET";
  relay.target = Value("/v1");
  return relay;
}

void drop(const lnk::Status&) {}

/// Whether a relay with one change is let through, and why not.
std::string relayed(const std::function<void(Relay&)>& change) {
  Bench bench;
  const auto decided = bench.head([&](lnk::Actions& actions) {
    Relay relay = relay_to("api.rig.test");
    change(relay);
    drop(actions.relay(relay));
  });
  return std::holds_alternative<RelayPlan>(decided) ? "relayed" : fault_of(decided);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_relay_to_a_granted_host_is_let_through) {
  Bench bench;
  const auto decided = bench.head([](lnk::Actions& actions) {
    Relay relay = relay_to("api.rig.test");
    relay.edits.push_back(lnk::FieldEdit::set("Authorization", Value("Bearer ").handle("secret:rig")));
    BOOST_TEST(actions.relay(relay).has_value());
  });
  const auto* plan = std::get_if<RelayPlan>(&decided);
  BOOST_REQUIRE(plan != nullptr);
  BOOST_TEST(plan->host == "api.rig.test");
  BOOST_TEST(plan->edits.size() == 1U);
  BOOST_TEST((bench.script.events == std::vector<std::uint32_t>{LNK_EVENT_HEAD, LNK_EVENT_GONE}));
}

BOOST_AUTO_TEST_CASE(a_relay_that_is_not_granted_refuses_the_call) {
  BOOST_TEST(relayed([](Relay&) {}) == "relayed");
  BOOST_TEST(relayed([](Relay& r) { r.host = "evil.test"; }) == "a request to a host that was not declared");
  BOOST_TEST(relayed([](Relay& r) { r.host = "other.rig.test"; }) == "a request to a host that was not declared");
  BOOST_TEST(relayed([](Relay& r) { r.port = 8443; }) == "a request to a host that was not declared");
  BOOST_TEST(relayed([](Relay& r) { r.tls = false; }).find("without TLS") != std::string::npos);
  BOOST_TEST(relayed([](Relay& r) { r.target = Value("/v1/").handle("secret:other"); }) ==
             "a handle that is not granted for api.rig.test");
  BOOST_TEST(relayed([](Relay& r) { r.target = Value("/v1/").handle("key:anthropic"); }) ==
             "a handle that is not granted for api.rig.test");
  BOOST_TEST(relayed([](Relay& r) { r.see_reply = true; }) == "relayed");
}

BOOST_AUTO_TEST_CASE(a_malformed_relay_refuses_the_call) {
  for (const std::string method : {"", "G ET", "GET\r\n", "CONNECT", "TRACE"}) {
    BOOST_TEST(relayed([&](Relay& r) { r.method = method; }) != "relayed", method);
  }
  for (const std::string target : {"", "v1", "//v1", "http://evil.test/", "*", "/v1\r\nX: y", "/v 1", "/v1#x"}) {
    BOOST_TEST(relayed([&](Relay& r) { r.target = Value(target); }) != "relayed", target);
  }
  BOOST_TEST(relayed([](Relay& r) { r.target = Value().handle("secret:rig"); }) != "relayed");
  for (const std::string name : {"Host", "content-length", "Transfer-Encoding", "Connection", "TE", "Trailer",
                                 "Upgrade", "Expect", "Keep-Alive", "Proxy-Authorization", "", "a b", "x:", "X\r\n"}) {
    BOOST_TEST(relayed([&](Relay& r) { r.edits.push_back(lnk::FieldEdit::set(name, Value("x"))); }) != "relayed", name);
  }
  for (const std::string value : {"a\r\nX: y", "a\nb"}) {
    BOOST_TEST(relayed([&](Relay& r) { r.edits.push_back(lnk::FieldEdit::set("X", Value(value))); }) != "relayed");
  }
  BOOST_TEST(relayed([](Relay& r) { r.edits.push_back(lnk::FieldEdit::remove("Host")); }) != "relayed");
  BOOST_TEST(relayed([](Relay& r) { r.edits.push_back(lnk::FieldEdit::remove("Proxy-Authorization")); }) == "relayed");
  BOOST_TEST(relayed([](Relay& r) { r.edits.assign(129, lnk::FieldEdit::remove("X")); }) != "relayed");
}

BOOST_AUTO_TEST_CASE(one_event_has_one_decision) {
  Bench bench;
  BOOST_TEST(fault_of(bench.head([](lnk::Actions&) {})) == "the event was handled and nothing decided");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) {
               drop(a.deny(403, "path-refused", "no"));
               drop(a.relay(relay_to("api.rig.test")));
             })) == "a second decision on one call");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) {
               drop(a.relay(relay_to("evil.test")));
               drop(a.relay(relay_to("api.rig.test")));
             })) == "a request to a host that was not declared");
}

BOOST_AUTO_TEST_CASE(a_deny_has_a_reason_of_the_wires_table) {
  Bench bench;
  const auto decided = bench.head([](lnk::Actions& a) { drop(a.deny(401, "wrong-placeholder", "no")); });
  const auto* refusal = std::get_if<Refusal>(&decided);
  BOOST_REQUIRE(refusal != nullptr);
  BOOST_TEST(refusal->status == 401);
  BOOST_TEST(refusal->reason == "wrong-placeholder");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.deny(200, "path-refused", "no")); })) != "no fault");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.deny(403, "because", "no")); })) != "no fault");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.deny(403, "path-refused", "a\nb")); })) != "no fault");
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.deny(403, "path-refused", std::string(600, 'a'))); })) !=
             "no fault");
}

BOOST_AUTO_TEST_CASE(actions_of_later_versions_are_unsupported_and_refuse_the_call) {
  for (const std::uint32_t kind : std::initializer_list<std::uint32_t>{
           LNK_ACTION_ASK, LNK_ACTION_TOOL_START, LNK_ACTION_TOOL_SEND,
           LNK_ACTION_TOOL_STOP, LNK_ACTION_TOOL_PAUSE, LNK_ACTION_TOOL_RESUME, LNK_ACTION_OPEN_PAGE,
           LNK_ACTION_LISTEN_ONCE, LNK_ACTION_CALL_INSIDE, LNK_ACTION_WAKE, 99}) {
    Bench bench;
    bench.script.event = [&](const lnk_event& e, const lnk_action_sink& sink) {
      auto action = lnk::sized<lnk_action>();
      action.kind = kind;
      action.call = e.call;
      bench.script.answers.push_back(sink.emit(sink.context, &action, nullptr));
      return LNK_OK;
    };
    Call call(bench.verb->limits());
    const auto id = bench.verb->open(call);
    const auto decided = bench.verb->head(id, {});
    bench.verb->gone(id);
    BOOST_TEST(fault_of(decided) == "action " + std::to_string(kind) + " is not in this version");
    BOOST_TEST(bench.script.answers.front() == LNK_E_UNSUPPORTED);
  }
}

BOOST_AUTO_TEST_CASE(a_body_is_read_once_and_within_what_was_declared) {
  Bench bench;
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.need_body(101)); })) ==
             "NEED_BODY over what the verb declared");
  bench.script.event = [](const lnk_event& e, const lnk_action_sink& sink) {
    lnk::Actions actions(&sink, e.call);
    if (e.kind == LNK_EVENT_HEAD) drop(actions.need_body(100));
    if (e.kind == LNK_EVENT_BODY) drop(actions.forward(relay_to("api.rig.test"), "own"));
    return LNK_OK;
  };
  Call call(bench.verb->limits());
  const auto id = bench.verb->open(call);
  BOOST_TEST(std::holds_alternative<NeedBodyPlan>(bench.verb->head(id, {})));
  const auto decided = bench.verb->body(id, "given");
  bench.verb->gone(id);
  const auto* plan = std::get_if<RelayPlan>(&decided);
  BOOST_REQUIRE(plan != nullptr);
  BOOST_TEST((plan->has_own_body && plan->body == "own"));
}

BOOST_AUTO_TEST_CASE(a_body_that_was_read_can_not_be_relayed_or_asked_for_again) {
  for (const bool again : {true, false}) {
    Bench bench;
    bench.script.event = [&](const lnk_event& e, const lnk_action_sink& sink) {
      lnk::Actions actions(&sink, e.call);
      if (e.kind == LNK_EVENT_HEAD || again) drop(actions.need_body(100));
      if (e.kind == LNK_EVENT_BODY && !again) drop(actions.relay(relay_to("api.rig.test")));
      return LNK_OK;
    };
    Call call(bench.verb->limits());
    const auto id = bench.verb->open(call);
    BOOST_TEST(std::holds_alternative<NeedBodyPlan>(bench.verb->head(id, {})));
    BOOST_TEST(fault_of(bench.verb->body(id, "x")).find("after the body was read") != std::string::npos);
    bench.verb->gone(id);
  }
}

BOOST_AUTO_TEST_CASE(an_event_that_fails_refuses_the_call) {
  Bench bench;
  bench.script.event = [](const lnk_event& e, const lnk_action_sink& sink) {
    lnk::Actions actions(&sink, e.call);
    drop(actions.relay(relay_to("api.rig.test")));
    return LNK_E_INTERNAL;
  };
  Call call(bench.verb->limits());
  const auto id = bench.verb->open(call);
  BOOST_TEST(std::holds_alternative<ModuleFault>(bench.verb->head(id, {})));
}

BOOST_AUTO_TEST_CASE(a_stale_or_unknown_call_is_gone_and_never_crashes) {
  Bench bench;
  lnk_action_sink kept{};
  lnk_id first = 0;
  bench.script.event = [&](const lnk_event& e, const lnk_action_sink& sink) {
    kept = sink;
    auto action = lnk::sized<lnk_action>();
    action.kind = LNK_ACTION_DENY;
    action.call = first != 0 ? first : e.call + 7;
    bench.script.answers.push_back(sink.emit(sink.context, &action, nullptr));
    first = e.call;
    lnk::Actions actions(&sink, e.call);
    drop(actions.deny(403, "path-refused", "no"));
    return LNK_OK;
  };
  for (int i = 0; i < 2; ++i) {
    Call call(bench.verb->limits());
    const auto id = bench.verb->open(call);
    BOOST_TEST(std::holds_alternative<Refusal>(bench.verb->head(id, {})));
    bench.verb->gone(id);
    bench.verb->gone(id);
    BOOST_TEST(std::holds_alternative<ModuleFault>(bench.verb->head(id, {})));
  }
  BOOST_TEST((bench.script.answers == std::vector<lnk_status>{LNK_E_GONE, LNK_E_GONE}));
  auto action = lnk::sized<lnk_action>();
  action.kind = LNK_ACTION_DENY;
  action.call = first;
  BOOST_TEST(kept.emit(kept.context, &action, nullptr) == LNK_E_GONE);
  BOOST_TEST(kept.emit(kept.context, nullptr, nullptr) == LNK_E_GONE);
}

BOOST_AUTO_TEST_CASE(short_and_empty_structs_refuse_the_call) {
  for (const std::uint32_t kind :
       {LNK_ACTION_RELAY, LNK_ACTION_FORWARD, LNK_ACTION_DENY, LNK_ACTION_ANSWER, LNK_ACTION_NEED_BODY}) {
    for (const bool has_data : {true, false}) {
      Bench bench;
      bench.script.event = [&](const lnk_event& e, const lnk_action_sink& sink) {
        std::uint32_t size = 8;  // shorter than any
        auto action = lnk::sized<lnk_action>();
        action.kind = kind;
        action.call = e.call;
        action.data = has_data ? &size : nullptr;
        sink.emit(sink.context, &action, nullptr);
        return LNK_OK;
      };
      Call call(bench.verb->limits());
      const auto id = bench.verb->open(call);
      BOOST_TEST(fault_of(bench.verb->head(id, {})) == "an action is malformed");
      bench.verb->gone(id);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_answer_can_not_frame_itself) {
  Bench bench;
  const auto answered = [&](std::string_view name, std::string_view value) {
    return bench.head([&](lnk::Actions& a) { drop(a.answer({200, {{name, value}}, "x"})); });
  };
  BOOST_TEST(std::holds_alternative<AnswerPlan>(answered("Content-Type", "text/plain")));
  for (const std::string name : {"Content-Length", "transfer-encoding", "Connection", "Upgrade", "a b", ""}) {
    BOOST_TEST(std::holds_alternative<ModuleFault>(answered(name, "1")), name);
  }
  BOOST_TEST(std::holds_alternative<ModuleFault>(answered("X", "a\r\nb")));
  BOOST_TEST(fault_of(bench.head([](lnk::Actions& a) { drop(a.answer({100, {}, ""})); })) != "no fault");
}

BOOST_AUTO_TEST_CASE(a_declaration_that_is_not_granted_is_refused) {
  Script script;
  script.host = "evil.test";
  const auto made =
      LoadedVerb::make("verb-test", kTable, reinterpret_cast<lnk_instance*>(&script), {{"api.rig.test", 443, {}}});
  BOOST_REQUIRE(!made.has_value());
  BOOST_TEST(const_cast<lnk::Result<std::unique_ptr<LoadedVerb>>&>(made).error().text ==
             "declares evil.test:443, which the spec does not grant it");
}
