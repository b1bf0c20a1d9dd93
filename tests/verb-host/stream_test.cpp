// SPDX-License-Identifier: Apache-2.0
//
// A verb's own reply, in pieces: the order that it is held to, and what it is told.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "lnk/cpp/verb.hpp"
#include "wire/limits.hpp"
#include "wire/verb/loaded_verb.hpp"

namespace {

using namespace lnk::host;
using lnk::Actions;
using Act = std::function<lnk::Status(const lnk_event&, Actions&)>;

struct Script {
  Act act;
  std::vector<std::uint32_t> events;
};

lnk_status declare(lnk_instance*, const lnk_declare_sink* sink, lnk_error*) LNK_NOEXCEPT {
  lnk::Declaration declaration(sink);
  auto done = declaration.route(LNK_ROUTE_PREFIX, "test/");
  if (done) done = declaration.upstream("api.rig.test", 443, true);
  return done ? LNK_OK : LNK_E_INVALID;
}

lnk_status handle(lnk_instance* instance, const lnk_event* event, const lnk_action_sink* sink, lnk_error* error) LNK_NOEXCEPT {
  auto& script = *reinterpret_cast<Script*>(instance);
  script.events.push_back(event->kind);
  if (event->kind == LNK_EVENT_GONE) return LNK_OK;
  return lnk::barrier(error, [&] {
    Actions actions(sink, event->call);
    return script.act(*event, actions);
  });
}

const lnk_verb kTable{{sizeof(lnk_verb), 1, 0}, &declare, &handle};

/// Timers that ring when the test says so.
class Timers final : public VerbServices {
 public:
  lnk::Result<lnk_id> wake(lnk_id call, std::uint64_t after_ms) override {
    asked.push_back({call, after_ms});
    return static_cast<lnk_id>(asked.size());
  }
  lnk::Result<lnk_id> call_inside(lnk_id, InsidePlan plan) override {
    if (plan.port != 8080) return lnk::fail(lnk::Code::Denied, "not granted");
    inside.push_back(plan.method + " " + plan.target + " " + plan.host + " " + plan.content_type + " " + plan.body);
    return static_cast<lnk_id>(1000 + inside.size());
  }
  void forget(lnk_id call) override { forgotten.push_back(call); }

  std::vector<std::pair<lnk_id, std::uint64_t>> asked;
  std::vector<std::string> inside;
  std::vector<lnk_id> forgotten;
};

struct Bench {
  Script script;
  Timers timers;
  std::unique_ptr<LoadedVerb> verb;
  std::optional<Call> call;
  lnk_id id = 0;

  Bench() {
    auto made = LoadedVerb::make("verb-test", kTable, reinterpret_cast<lnk_instance*>(&script), {{"api.rig.test", 443, {}}});
    BOOST_REQUIRE(made);
    verb = std::move(made).value();
    verb->use(timers);
    call.emplace(verb->limits());
    id = verb->open(*call);
  }
  Decided head(Act act) {
    script.act = std::move(act);
    return verb->head(id, {});
  }
  std::string fault() {
    const auto decided = call->take_decided();
    const auto* fault = std::get_if<ModuleFault>(&decided);
    return fault == nullptr ? "none" : fault->error.text;
  }
};

lnk::Relay seen() {
  lnk::Relay relay;
  relay.host = "api.rig.test";
  relay.method = "GET";
  relay.target = lnk::Value("/v1");
  relay.see_reply = true;
  return relay;
}

lnk::Status streamed(Actions& actions, std::string_view bytes) {
  auto flow = actions.stream(bytes);
  return flow ? lnk::Status() : lnk::fail(flow.error());
}

std::string fault_of(const Decided& decided) {
  const auto* fault = std::get_if<ModuleFault>(&decided);
  return fault == nullptr ? "none" : fault->error.text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_that_streams_is_its_head_its_pieces_and_an_end) {
  Bench bench;
  const auto decided = bench.head([](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.begin_stream({200, {}, "a"}));
    LNK_CHECK(streamed(a, "b"));
    return streamed(a, "c");
  });
  const auto* plan = std::get_if<AnswerPlan>(&decided);
  BOOST_REQUIRE(plan != nullptr);
  BOOST_TEST((plan->streams && plan->body == "a"));
  BOOST_TEST(bench.call->take_stream() == "bc");
  BOOST_TEST(!bench.call->has_ended());
  bench.script.act = [](const lnk_event&, Actions& a) { return a.end(); };
  bench.verb->drained(bench.id);
  BOOST_TEST(bench.call->has_ended());
  BOOST_TEST(bench.fault() == "none");
}

BOOST_AUTO_TEST_CASE(a_piece_or_an_end_out_of_order_refuses_the_call) {
  const Act piece_first = [](const lnk_event&, Actions& a) { return streamed(a, "b"); };
  const Act end_first = [](const lnk_event&, Actions& a) { return a.end(); };
  const Act piece_of_whole = [](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.answer({}));
    return streamed(a, "b");
  };
  const Act piece_behind_end = [](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.begin_stream({}));
    LNK_CHECK(a.end());
    return streamed(a, "b");
  };
  const Act two_heads = [](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.begin_stream({}));
    return a.begin_stream({});
  };
  const Act relay_behind_head = [](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.begin_stream({}));
    return a.relay(seen());
  };
  for (const auto& act : {piece_first, end_first, piece_of_whole, piece_behind_end, two_heads, relay_behind_head}) {
    Bench bench;
    BOOST_TEST(fault_of(bench.head(act)) != "none");
  }
}

BOOST_AUTO_TEST_CASE(above_the_mark_a_verb_is_told_to_wait_and_is_refused_if_it_never_does) {
  Bench bench;
  std::vector<lnk::Flow> flows;
  const auto decided = bench.head([&](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.begin_stream({}));
    for (const std::size_t size : {kStreamMarkBytes, std::size_t{1}, std::size_t{1}}) {
      LNK_TRY(const auto flow, a.stream(std::string(size, 'x')));
      flows.push_back(flow);
    }
    return {};
  });
  BOOST_TEST(std::holds_alternative<AnswerPlan>(decided));
  BOOST_TEST((flows == std::vector<lnk::Flow>{lnk::Flow::Goes, lnk::Flow::Full, lnk::Flow::Full}));
  BOOST_TEST(bench.call->is_full());
  BOOST_TEST(bench.call->take_stream().size() == kStreamMarkBytes + 2);
  bench.call->note_drained();
  bench.script.act = [](const lnk_event&, Actions& a) { return streamed(a, std::string(kStreamBytesMax, 'x')); };
  bench.verb->drained(bench.id);
  BOOST_TEST(bench.fault() == "none");
  bench.script.act = [](const lnk_event&, Actions& a) { return streamed(a, "x"); };
  bench.verb->drained(bench.id);
  BOOST_TEST(bench.fault() == "STREAM goes on though it was told to wait");
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_seen_is_answered_held_or_in_pieces_or_denied) {
  for (const std::string way : {"held", "streams", "denied", "nothing"}) {
    Bench bench;
    const auto decided = bench.head([&](const lnk_event& e, Actions& a) -> lnk::Status {
      if (e.kind == LNK_EVENT_HEAD) return a.relay(seen());
      if (e.kind == LNK_EVENT_REPLY_HEAD && way == "streams") return a.begin_stream({});
      if (e.kind == LNK_EVENT_REPLY_CHUNK && way == "streams") return streamed(a, "x");
      if (e.kind != LNK_EVENT_REPLY_END || way == "nothing") return {};
      if (way == "streams") return a.end();
      return way == "held" ? a.answer({}) : a.deny(502, "upstream", "no");
    });
    BOOST_REQUIRE(std::holds_alternative<RelayPlan>(decided));
    BOOST_TEST(std::get<RelayPlan>(decided).sees_reply);
    bench.verb->reply_head(bench.id, {200, {}});
    BOOST_TEST(bench.call->takes_reply());
    bench.verb->reply_chunk(bench.id, "x");
    bench.verb->reply_end(bench.id, LNK_OK);
    const auto next = bench.call->take_decided();
    if (way == "held") BOOST_TEST(!std::get<AnswerPlan>(next).streams);
    if (way == "streams") BOOST_TEST((std::get<AnswerPlan>(next).streams && bench.call->has_ended()));
    if (way == "denied") BOOST_TEST(std::get<lnk::http::Refusal>(next).status == 502);
    if (way == "nothing") BOOST_TEST(fault_of(next) == "the event was handled and nothing decided");
    bench.verb->gone(bench.id);
    BOOST_TEST((bench.script.events == std::vector<std::uint32_t>{LNK_EVENT_HEAD, LNK_EVENT_REPLY_HEAD, LNK_EVENT_REPLY_CHUNK,
                                                                  LNK_EVENT_REPLY_END, LNK_EVENT_GONE}));
  }
}

BOOST_AUTO_TEST_CASE(a_call_has_one_request) {
  Bench bench;
  bench.head([](const lnk_event& e, Actions& a) -> lnk::Status {
    if (e.kind == LNK_EVENT_HEAD) return a.relay(seen());
    return a.relay(seen());
  });
  bench.verb->reply_head(bench.id, {401, {}});
  BOOST_TEST(bench.fault() == "a second decision on one call");
}

BOOST_AUTO_TEST_CASE(nothing_is_told_of_a_call_that_is_closed_or_has_a_fault) {
  for (const bool closed : {true, false}) {
    Bench bench;
    bench.head([&](const lnk_event&, Actions& a) { return a.relay(seen()); });
    if (closed) bench.call->close();
    if (!closed) bench.call->fault({lnk::Code::Internal, "x"});
    bench.verb->reply_head(bench.id, {200, {}});
    bench.verb->reply_end(bench.id, LNK_OK);
    bench.verb->drained(bench.id);
    bench.verb->gone(bench.id);
    bench.verb->gone(bench.id);
    BOOST_TEST((bench.script.events == std::vector<std::uint32_t>{LNK_EVENT_HEAD, LNK_EVENT_GONE}));
  }
}

BOOST_AUTO_TEST_CASE(an_event_of_one_call_may_stream_on_another_and_a_closed_one_is_gone) {
  Bench bench;
  bench.head([](const lnk_event&, Actions& a) { return a.begin_stream({}); });
  Call second(bench.verb->limits());
  const auto id = bench.verb->open(second);
  lnk_status last = LNK_OK;
  bench.script.act = [&](const lnk_event&, Actions& a) -> lnk::Status {
    auto other = a.for_call(bench.id);
    const auto flow = other.stream("said");
    last = flow ? LNK_OK : static_cast<lnk_status>(flow.error().code);
    return a.answer({});
  };
  BOOST_TEST(std::holds_alternative<AnswerPlan>(bench.verb->head(id, {})));
  BOOST_TEST(last == LNK_OK);
  BOOST_TEST(bench.call->take_stream() == "said");
  bench.call->close();
  Call third(bench.verb->limits());
  BOOST_TEST(std::holds_alternative<AnswerPlan>(bench.verb->head(bench.verb->open(third), {})));
  BOOST_TEST(last == LNK_E_GONE);
  BOOST_TEST(fault_of(bench.call->take_decided()) == "none");
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_a_timer_is_decided_when_it_rings) {
  Bench bench;
  const auto decided = bench.head([](const lnk_event& e, Actions& a) -> lnk::Status {
    if (e.kind == LNK_EVENT_TIMER) return e.subject == 1 ? a.answer({}) : lnk::fail(lnk::Code::Invalid, "another");
    LNK_CHECK(a.wake(0));
    return {};
  });
  BOOST_TEST(std::holds_alternative<Waits>(decided));
  BOOST_TEST((bench.timers.asked == std::vector<std::pair<lnk_id, std::uint64_t>>{{bench.id, std::uint64_t{kTimerMsMin}}}));
  BOOST_TEST(bench.verb->timer(bench.id, 1).has_value());
  BOOST_TEST(std::holds_alternative<AnswerPlan>(bench.call->take_decided()));
  bench.verb->gone(bench.id);
  BOOST_TEST(bench.timers.forgotten == std::vector<lnk_id>{bench.id});
}

BOOST_AUTO_TEST_CASE(a_timer_behind_which_nothing_is_decided_refuses_the_call) {
  Bench bench;
  bench.head([](const lnk_event& e, Actions& a) -> lnk::Status {
    if (e.kind == LNK_EVENT_TIMER) return {};
    LNK_CHECK(a.wake(1));
    return {};
  });
  BOOST_TEST(bench.verb->timer(bench.id, 1).has_value());
  BOOST_TEST(bench.fault() == "the event was handled and nothing decided");
}

BOOST_AUTO_TEST_CASE(a_timer_of_no_call_may_act_on_one_and_its_own_fault_is_told) {
  Bench bench;
  bench.head([](const lnk_event& e, Actions& a) -> lnk::Status {
    if (e.call == 0) return streamed(a, "x");  // of no call
    LNK_CHECK(a.for_call(0).wake(1));
    return a.begin_stream({});
  });
  BOOST_TEST(bench.timers.asked.front().first == 0U);
  const auto told = bench.verb->timer(0, 1);
  BOOST_REQUIRE(!told);
  BOOST_TEST(told.error().text == "action 5 of no call");
  bench.script.act = [&](const lnk_event&, Actions& a) {
    auto other = a.for_call(bench.id);
    return streamed(other, "tick");
  };
  BOOST_TEST(bench.verb->timer(0, 1).has_value());
  BOOST_TEST(bench.call->take_stream() == "tick");
}

BOOST_AUTO_TEST_CASE(a_timer_of_more_than_a_day_is_refused) {
  Bench bench;
  BOOST_TEST(fault_of(bench.head([](const lnk_event&, Actions& a) -> lnk::Status {
    LNK_CHECK(a.wake(static_cast<std::uint64_t>(kTimerMsMax) + 1));
    return {};
  })) == "a timer of more than a day");
}

BOOST_AUTO_TEST_CASE(what_is_logged_is_one_word) {
  const auto logged = [](const std::string& word) {
    Bench bench;
    const auto decided = bench.head([&](const lnk_event&, Actions& a) -> lnk::Status {
      LNK_CHECK(a.log(word));
      return a.answer({});
    });
    return std::holds_alternative<AnswerPlan>(decided) ? bench.call->take_log() : "refused";
  };
  BOOST_TEST(logged("session-1") == "session-1");
  for (const std::string word : {"", "a b", "/path", "A", "a\nb", "sk_1"}) BOOST_TEST(logged(word) == "refused", word);
  BOOST_TEST(logged(std::string(kLogReasonBytesMax + 1, 'a')) == "refused");
}

BOOST_AUTO_TEST_CASE(a_call_inside_is_answered_once_and_only_to_a_port_that_is_granted) {
  const auto asked = [](lnk::InsideCall inside) {
    Bench bench;
    const auto decided = bench.head([&](const lnk_event& e, Actions& a) -> lnk::Status {
      if (e.kind == LNK_EVENT_INSIDE_REPLY) return e.subject == 1001 ? a.answer({}) : lnk::fail(lnk::Code::Invalid, "another");
      LNK_CHECK(a.call_inside(inside));
      return {};
    });
    if (!std::holds_alternative<Waits>(decided)) return fault_of(decided);
    BOOST_TEST(bench.verb->inside_reply(bench.id, 1001, {LNK_OK, 302, "/x"}).has_value());
    BOOST_TEST(std::holds_alternative<AnswerPlan>(bench.call->take_decided()));
    return bench.timers.inside.front();
  };
  BOOST_TEST(asked({8080, "POST", "/cb?code=1", "localhost:8080", "text/x", "a=b"}) == "POST /cb?code=1 localhost:8080 text/x a=b");
  BOOST_TEST(asked({8081, "GET", "/cb", "localhost", "", ""}) == "not granted");
  for (const std::string target : {"", "cb", "http://x/", "/a b", "/a\r\nX: y", "/a#b"})
    BOOST_TEST(asked({8080, "GET", target, "localhost", "", ""}) == "an action calls a target that is no path", target);
  for (const std::string host : {"", "a b", "x\r\n", "user@x"})
    BOOST_TEST(asked({8080, "GET", "/cb", host, "", ""}) == "an action calls with a host that is none", host);
  BOOST_TEST(asked({0, "GET", "/cb", "localhost", "", ""}) == "an action calls a port that can't be one");
  BOOST_TEST(asked({8080, "CONNECT", "/cb", "localhost", "", ""}) == "an action has a method that is not passed on");
  BOOST_TEST(asked({8080, "GET", "/cb", "localhost", "a\nb", ""}) == "an action calls with a content type that can't be written");
}
