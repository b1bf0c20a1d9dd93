// SPDX-License-Identifier: Apache-2.0
//
// Modules written against the headers of each released minor, copied then and never changed since, run on this host.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lnk/fake/verb_bench.hpp"
#include "modules/instance.hpp"
#include "modules/module.hpp"

using lnk::fake::VerbBench;
using lnk::host::Instance;
using lnk::host::Module;

namespace {

std::filesystem::path frozen(std::string_view version) {
  return std::filesystem::path(LNK_FROZEN_DIR) / version / "verb-frozen.so";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(frozen_1_0)

BOOST_AUTO_TEST_CASE(a_module_of_sdk_1_0_loads_probes_and_logs) {
  const auto module = Module::load(frozen("v1_0"));
  BOOST_TEST_REQUIRE(module.has_value());
  BOOST_TEST(module->note().sdk_major == 1);
  BOOST_TEST(module->note().sdk_minor == 0);
  const auto told = module->probe();
  BOOST_TEST_REQUIRE(told.has_value());
  BOOST_TEST_REQUIRE(told->size() == 1);
  BOOST_TEST(told->front().name == "frozen.ice");
  BOOST_TEST(told->front().level == 10);

  std::vector<std::string> lines;
  const auto log = [&](std::uint32_t, std::string_view id, std::string_view line) {
    lines.push_back(std::string(id) + ": " + std::string(line));
  };
  const auto instance = Instance::create(*module, {"{}", log});
  BOOST_TEST_REQUIRE(instance.has_value());
  BOOST_TEST_REQUIRE(lines.size() == 1);
  BOOST_TEST(lines.front() == "verb-frozen: frozen and awake");
  BOOST_TEST(!Instance::create(*module, {"{\"x\":1}", {}}).has_value());
}

BOOST_AUTO_TEST_CASE(its_events_and_actions_mean_today_what_they_meant_then) {
  const auto module = Module::load(frozen("v1_0"));
  BOOST_TEST_REQUIRE(module.has_value());
  auto bench = VerbBench::start(module->api(), "{}");
  BOOST_TEST_REQUIRE(bench.has_value());
  BOOST_TEST_REQUIRE(bench->declared().routes.size() == 1);
  BOOST_TEST(bench->declared().routes[0].path == "frozen/");
  BOOST_TEST(bench->declared().body_max == 4096);

  const auto relayed = bench->head(1, {0, "GET", "cube", {}, false, false, {}});
  BOOST_TEST(relayed.status == LNK_OK);
  BOOST_TEST_REQUIRE(relayed.actions.size() == 1);
  const auto& relay = relayed.actions[0];
  BOOST_TEST(relay.kind == std::uint32_t(LNK_ACTION_RELAY));
  BOOST_TEST(relay.host == "ice.test");
  BOOST_TEST(relay.port == 443);
  BOOST_TEST(relay.tls);
  BOOST_TEST_REQUIRE(relay.target.size() == 1);
  BOOST_TEST(relay.target[0].text == "/v1/cube");
  BOOST_TEST_REQUIRE(relay.edits.size() == 1);
  BOOST_TEST_REQUIRE(relay.edits[0].value.size() == 2);
  BOOST_TEST(relay.edits[0].value[1].kind == std::uint32_t(LNK_PIECE_HANDLE));
  BOOST_TEST(relay.edits[0].value[1].text == "secret:ice");

  BOOST_TEST(bench->head(2, {0, "POST", "", {}, false, true, {}}).actions.at(0).amount == 4096);
  const auto answered = bench->body(2, "melt");
  BOOST_TEST_REQUIRE(answered.actions.size() == 1);
  BOOST_TEST(answered.actions[0].status == 200);
  BOOST_TEST(answered.actions[0].body == "melt");
  BOOST_TEST(answered.actions[0].fields.at(0).value == "text/plain");

  const auto denied = bench->head(3, {0, "PUT", "", {}, false, false, {}});
  BOOST_TEST_REQUIRE(denied.actions.size() == 1);
  BOOST_TEST(denied.actions[0].reason == "method-refused");
  BOOST_TEST(bench->send(LNK_EVENT_TIMER, 3).status == LNK_E_UNSUPPORTED);
  BOOST_TEST(bench->misbehaviours().empty());
}

BOOST_AUTO_TEST_SUITE_END()
