// SPDX-License-Identifier: Apache-2.0
//
// Scripts of events: what they expect, and that they fail where it does not come.
#define LNK_STATIC_ID echo_in_scripts
#include "lnk/fake/script.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "echo_verb.hpp"
#include "lnk/cpp/module.hpp"

LNK_MODULE(lnk::test::EchoVerb)

using lnk::fake::run_scripts;

namespace {

constexpr std::string_view kRelay = R"([{"action":"relay","host":"echo.test","port":443,"tls":true,"method":"GET",
  "target":["/now?key=",{"query_handle":"secret:echo"}],
  "edits":[{"remove":"cookie"},{"set":"authorization","value":["Basic ",{"base64":["me:",{"handle":"secret:echo"}]}]}]}])";

std::string script(std::string_view steps) { return R"({"name":"x","steps":[)" + std::string(steps) + "]}"; }

std::size_t faults(std::string_view text) {
  const auto results = run_scripts(lnk_module_v1_echo_in_scripts, text);
  BOOST_TEST_REQUIRE(results.has_value());
  std::size_t count = 0;
  for (const auto& result : *results) {
    for (const auto& fault : result.faults) BOOST_TEST_MESSAGE(fault);
    count += result.faults.size();
  }
  return count;
}

std::string head_step(std::string_view path, std::string_view more) {
  return R"({"event":"head","call":1,"path":")" + std::string(path) + "\"," + std::string(more) + "}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scripts)

BOOST_AUTO_TEST_CASE(what_is_expected_and_comes_passes) {
  BOOST_TEST(faults(script(head_step("now", "\"expect\":" + std::string(kRelay)))) == 0);
  BOOST_TEST(faults(script(head_step("fail", R"("fails":"no","expect":[])"))) == 0);
  BOOST_TEST(faults(R"({"steps":[],"declares":{"routes":[{"kind":"prefix","path":"echo/"}],"body_max":100}})") == 0);
  BOOST_TEST(faults(R"({"config":{"x":1},"refused":"no settings"})") == 0);
  BOOST_TEST(faults(script(head_step("body", R"("expect":[{"action":"need_body","bytes_max":100}]},
    {"event":"body","call":1,"body":"hi","expect":[{"action":"answer","body":"hi"}]},{"event":"gone","call":1,"expect":[])"))) ==
             0);
}

BOOST_AUTO_TEST_CASE(what_is_expected_and_does_not_come_is_a_fault) {
  BOOST_TEST(faults(script(head_step("other", "\"expect\":" + std::string(kRelay)))) == 1);
  BOOST_TEST(faults(script(head_step("now", R"("expect":[])"))) == 1);
  BOOST_TEST(faults(script(head_step("now", R"("expect":[{"action":"relay","moon":1}])"))) == 1);
  BOOST_TEST(faults(script(head_step("now", R"("fails":"no")"))) == 1);
  BOOST_TEST(faults(script(head_step("fail", R"("fails":"yes")"))) == 1);
  BOOST_TEST(faults(script(head_step("fail", R"("expect":[])"))) == 1);
  BOOST_TEST(faults(R"({"config":{},"refused":"no settings"})") == 1);
  BOOST_TEST(faults(R"({"config":{"x":1},"steps":[]})") == 1);
  BOOST_TEST(faults(R"({"steps":[],"declares":{"body_max":7}})") == 1);
}

BOOST_AUTO_TEST_CASE(what_breaks_the_contract_is_a_fault_though_nothing_else_is_expected) {
  BOOST_TEST(faults(script(head_step("stranger", R"("fails":"refused an action: denied")"))) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_script_is_an_error) {
  for (const char* text :
       {"", "{", "7", R"({"steps":7})", R"({"steps":[{"event":"moon"}]})",
        R"({"steps":[{"event":"head","fields":[7]}]})", R"({"steps":[{"event":"gone","answers":{"moon":"ok"}}]})"})
    BOOST_TEST(!run_scripts(lnk_module_v1_echo_in_scripts, text).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
