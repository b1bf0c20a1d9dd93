// SPDX-License-Identifier: Apache-2.0
//
// The class layer: what an author's class never sees, and what becomes of what it throws.
#define LNK_STATIC_ID echo
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "echo_verb.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/fake/verb_bench.hpp"

LNK_MODULE(lnk::test::EchoVerb)

using lnk::fake::Head;
using lnk::fake::VerbBench;

namespace {

const lnk_module_api& kApi = lnk_module_v1_echo;

VerbBench bench() {
  auto started = VerbBench::start(kApi, "{}");
  BOOST_TEST_REQUIRE(started.has_value());
  return std::move(started).value();
}

Head path(std::string_view path) { return {0, "GET", path, {}, false, false, {}}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(layer)

BOOST_AUTO_TEST_CASE(an_error_and_each_thrown_type_become_a_failed_call) {
  auto on = bench();
  const auto failed = on.head(1, path("fail"));
  BOOST_TEST(failed.status == LNK_E_DENIED);
  BOOST_TEST(failed.words == "no");
  BOOST_TEST(on.head(2, path("throw")).words == "thrown");
  BOOST_TEST(on.head(3, path("throw")).status == LNK_E_INTERNAL);
  BOOST_TEST(on.head(4, path("throw-int")).status == LNK_E_INTERNAL);
  BOOST_TEST(on.head(5, path("no-memory")).status == LNK_E_LIMIT);
  BOOST_TEST(on.head(6, path("x")).status == LNK_OK);
}

BOOST_AUTO_TEST_CASE(a_secret_is_named_beside_the_text_and_never_in_it) {
  auto on = bench();
  const auto sent = on.head(1, path("{secret}"));
  BOOST_TEST_REQUIRE(sent.actions.size() == 1);
  const auto& relay = sent.actions[0];
  BOOST_TEST(relay.see_reply);
  BOOST_TEST_REQUIRE(relay.target.size() == 2);
  BOOST_TEST(relay.target[0].text == "/{secret}?key=");
  BOOST_TEST(relay.target[1].kind == std::uint32_t(LNK_PIECE_QUERY_HANDLE));
  BOOST_TEST_REQUIRE(relay.edits.size() == 2);
  BOOST_TEST(relay.edits[1].value.size() == 5);
}

BOOST_AUTO_TEST_CASE(an_action_that_the_host_refuses_fails_the_event) {
  auto on = bench();
  const auto stranger = on.head(1, path("stranger"));
  BOOST_TEST(stranger.status == LNK_E_DENIED);
  BOOST_TEST(stranger.actions.empty());
  BOOST_TEST(on.head(2, path("large-body")).status == LNK_E_DENIED);
  BOOST_TEST(on.head(3, path("body")).status == LNK_OK);
  BOOST_TEST(on.misbehaviours().size() == 2);
}

BOOST_AUTO_TEST_CASE(a_call_begins_once_and_is_gone_once) {
  auto on = bench();
  BOOST_TEST(on.body(1, "x").status == LNK_E_GONE);
  BOOST_TEST(on.head(1, path("x")).status == LNK_OK);
  BOOST_TEST(on.head(1, path("x")).status == LNK_E_INVALID);
  BOOST_TEST(on.head(0, path("x")).status == LNK_E_INVALID);
  BOOST_TEST(on.gone(1).status == LNK_OK);
  BOOST_TEST(on.gone(1).status == LNK_E_GONE);
  BOOST_TEST(on.body(1, "x").status == LNK_E_GONE);
  BOOST_TEST(on.head(1, path("x")).status == LNK_OK);
}

BOOST_AUTO_TEST_CASE(what_the_host_starts_gets_an_id_and_back_pressure_is_no_failure) {
  auto on = bench();
  const auto asked = on.head(1, path("ask"));
  BOOST_TEST_REQUIRE(asked.actions.size() == 1);
  BOOST_TEST(asked.actions[0].made == 1);
  BOOST_TEST(asked.actions[0].lines.size() == 2);
  auto answer = lnk::sized<lnk_event_answered>();
  answer.answer = LNK_ANSWER_YES;
  BOOST_TEST(on.send(LNK_EVENT_ANSWERED, 1, 1, &answer).actions.at(0).body == "yes");
  answer.answer = 9;
  BOOST_TEST(on.send(LNK_EVENT_ANSWERED, 1, 1, &answer).status == LNK_E_INVALID);

  BOOST_TEST(on.head(2, path("stream")).actions.size() == 3);
  on.answer_with(LNK_ACTION_STREAM, LNK_E_AGAIN);
  const auto full = on.head(3, path("stream"));
  BOOST_TEST(full.status == LNK_OK);
  BOOST_TEST(full.actions.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_broken_event_never_reaches_the_class) {
  auto on = bench();
  auto data = lnk::sized<lnk_event_head>();
  lnk_event whole = on.make_event(LNK_EVENT_HEAD, 1, 0, &data);
  lnk_event event = whole;
  event.size = sizeof event - 1;
  BOOST_TEST(on.send_raw(&event).status == LNK_E_INVALID);
  BOOST_TEST(on.send_raw(nullptr).status == LNK_E_INVALID);
  event = whole;
  event.data = nullptr;
  BOOST_TEST(on.send_raw(&event).status == LNK_E_INVALID);
  event = whole;
  event.kind = 4711;
  BOOST_TEST(on.send_raw(&event).status == LNK_E_UNSUPPORTED);
  data.field_count = 3;
  BOOST_TEST(on.send_raw(&whole).status == LNK_E_INVALID);
  data.field_count = 0;
  data.size = sizeof data - 1;
  BOOST_TEST(on.send_raw(&whole).status == LNK_E_INVALID);
  data.size = sizeof data + 64;  // a later minor's
  BOOST_TEST(on.send_raw(&whole).status == LNK_OK);
}

BOOST_AUTO_TEST_CASE(an_error_record_is_filled_within_its_size_and_on_one_line) {
  lnk::ErrorSlot slot;
  BOOST_TEST(kApi.check_config(lnk::to_str("[]"), slot.get()) == LNK_E_INVALID);
  BOOST_TEST(slot.text() == "no settings are taken");
  BOOST_TEST(kApi.check_config(lnk::to_str("[]"), nullptr) == LNK_E_INVALID);

  lnk_error brief{};
  brief.size = offsetof(lnk_error, text) + 4;
  std::memset(brief.text, '#', sizeof brief.text);
  lnk::write_error(&brief, LNK_E_INVALID, "ab\xC3\xA4\xC3\xA4");
  BOOST_TEST(std::string_view(brief.text, 6) == "ab\xC3\xA4##");
  BOOST_TEST(brief.text_size == 4);
  brief.size = 8;
  brief.text_size = 77;
  lnk::write_error(&brief, LNK_E_INVALID, "x");
  BOOST_TEST(brief.text_size == 77);
}

BOOST_AUTO_TEST_CASE(a_table_without_a_member_is_told_by_its_size) {
  lnk_host_api api{};
  api.head.size = offsetof(lnk_host_api, log);
  BOOST_TEST(!LNK_HAS(&api, log));
  BOOST_TEST(!LNK_HAS(&api, query));  // long enough, and not set
  BOOST_TEST(LNK_HAS(&api, head));
  lnk::Host(nullptr, &api).log(LNK_LOG_INFO, "goes nowhere");
  BOOST_TEST(kApi.query(nullptr, lnk::to_str(LNK_VERB_ID), 1) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
