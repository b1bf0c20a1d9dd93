// SPDX-License-Identifier: Apache-2.0
#include "environment/environment.hpp"

#include <boost/test/unit_test.hpp>

#include "environment/injection.hpp"

namespace {

using namespace lnk::host;

const Environment kPerson = {{"PATH", "/usr/bin"},       {"HOME", "/home/u"},        {"LC_TIME", "C"},     {"EDITOR", "vi"},
                             {"LD_PRELOAD", "/tmp/x.so"}, {"NODE_OPTIONS", "-r x"},   {"AWS_SECRET", "s"},  {"MY_ONE", "1"},
                             {"MY_TWO", "2"},             {"SSH_AUTH_SOCK", "/run/x"}, {"https_proxy", "http://old"}};

Grants grants_of(std::vector<std::string> pass) {
  Grants grants;
  grants.home = "/home/u";
  grants.env_pass = std::move(pass);
  return grants;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(environment)

BOOST_AUTO_TEST_CASE(a_run_gets_the_few_and_what_is_passed) {
  const auto none = environment_from_nothing(kPerson, grants_of({}), nullptr);
  BOOST_TEST(none.count("LC_TIME") == 1U);
  for (const char* name : {"EDITOR", "AWS_SECRET", "MY_ONE", "SSH_AUTH_SOCK", "https_proxy", "LD_PRELOAD"}) BOOST_TEST(none.count(name) == 0U, name);
  BOOST_TEST(none.at("TMPDIR") == "/tmp");
  const auto some = environment_from_nothing(kPerson, grants_of({"EDITOR", "MY_*"}), nullptr);
  BOOST_TEST(some.at("EDITOR") == "vi");
  BOOST_TEST(some.at("MY_ONE") == "1");
  BOOST_TEST(some.at("MY_TWO") == "2");
}

BOOST_AUTO_TEST_CASE(no_way_passes_an_injection_variable) {
  for (const char* name : {"LD_PRELOAD", "NODE_OPTIONS"}) {
    BOOST_TEST(environment_from_nothing(kPerson, grants_of({"LD_*", "NODE_*"}), nullptr).count(name) == 0U);
    BOOST_TEST(environment_of_harness(kPerson, grants_of({}), nullptr).count(name) == 0U);
  }
  BOOST_TEST(is_injection_variable("LD_AUDIT"));
  BOOST_TEST(is_injection_variable("GIT_CONFIG_COUNT"));
  BOOST_TEST(!is_injection_variable("LDFLAGS"));
  BOOST_TEST(!is_injection_variable("GIT_AUTHOR_NAME"));
}

BOOST_AUTO_TEST_CASE(a_harness_keeps_its_own_environment) {
  const auto kept = environment_of_harness(kPerson, grants_of({}), nullptr);
  BOOST_TEST(kept.at("AWS_SECRET") == "s");
  BOOST_TEST(kept.at("https_proxy") == "http://old");
}

BOOST_AUTO_TEST_CASE(the_wire_is_named_in_both_cases_and_wins) {
  const Identity identity{"abc", {{"my-bot", "123:xyz"}}};
  for (const auto& made : {environment_from_nothing(kPerson, grants_of({"https_proxy"}), &identity),
                           environment_of_harness(kPerson, grants_of({}), &identity)}) {
    for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "LNK_WIRE"})
      BOOST_TEST(made.at(name) == "http://127.0.0.1:40781");
    BOOST_TEST(made.at("NO_PROXY") == "localhost,127.0.0.1,::1");
    BOOST_TEST(made.at("NODE_USE_ENV_PROXY") == "1");
    BOOST_TEST(made.at("LNK_SECRET") == "abc");
    BOOST_TEST(made.at("LNK_SECRET_MY_BOT") == "123:xyz");
    BOOST_TEST(made.at("LNK_SECRET_MY_BOT_URL") == "http://127.0.0.1:40781/_link/secret/my-bot");
  }
}

BOOST_AUTO_TEST_CASE(each_tool_is_found_by_its_own_variable) {
  auto grants = grants_of({});
  grants.tools = {{"my-files"}, {"other"}};
  const Identity identity{"abc", {}};
  for (const auto& made : {environment_from_nothing(kPerson, grants, &identity), environment_of_harness(kPerson, grants, &identity)}) {
    BOOST_TEST(made.at("LNK_MCP_MY_FILES") == "http://127.0.0.1:40781/_link/s/abc/mcp/my-files");
    BOOST_TEST(made.at("LNK_MCP_OTHER") == "http://127.0.0.1:40781/_link/s/abc/mcp/other");
  }
  BOOST_TEST(!environment_from_nothing(kPerson, grants_of({}), &identity).contains("LNK_MCP_OTHER"));
}

BOOST_AUTO_TEST_CASE(browser_is_our_own_program_where_pages_are_opened) {
  const Identity identity{"abc", {}};
  const Environment person = {{"PATH", "/usr/bin"}, {"BROWSER", "firefox"}};
  auto grants = grants_of({"BROWSER"});
  BOOST_TEST(environment_from_nothing(person, grants, &identity).at("BROWSER") == "firefox");
  grants.open_pages = "/opt/lnk/os-linux/lnk-open";
  for (const auto& made : {environment_from_nothing(person, grants, &identity), environment_of_harness(person, grants, &identity)})
    BOOST_TEST(made.at("BROWSER") == "/opt/lnk/os-linux/lnk-open");
}

BOOST_AUTO_TEST_CASE(a_providers_clients_find_the_wire_and_a_placeholder) {
  Identity identity{"abc", {}, {}};
  identity.model_placeholders = {{"anthropic", "held-a"}, {"openai", "held-o"}, {"vertex", "held-v"}};
  auto grants = grants_of({"ANTHROPIC_*", "OPENAI_API_KEY"});
  grants.model.providers = {{"anthropic", "api.anthropic.com"}, {"openai", "api.openai.com"}, {"vertex", "aiplatform.googleapis.com"}};
  const Environment person = {{"PATH", "/usr/bin"}, {"ANTHROPIC_API_KEY", "real"}, {"ANTHROPIC_AUTH_TOKEN", "real"},
                              {"ANTHROPIC_MODEL", "m"}, {"OPENAI_API_KEY", "real"}, {"OPENAI_BASE_URL", "https://api.openai.com/v1"}};
  for (const auto& made : {environment_from_nothing(person, grants, &identity), environment_of_harness(person, grants, &identity)}) {
    BOOST_TEST(made.at("ANTHROPIC_BASE_URL") == "http://127.0.0.1:40781/_link/model/anthropic");
    BOOST_TEST(made.at("ANTHROPIC_API_KEY") == "held-a");
    BOOST_TEST(made.count("ANTHROPIC_AUTH_TOKEN") == 0U);
    BOOST_TEST(made.at("ANTHROPIC_MODEL") == "m");
    BOOST_TEST(made.at("OPENAI_BASE_URL") == "http://127.0.0.1:40781/_link/model/openai/v1");
    BOOST_TEST(made.at("OPENAI_API_KEY") == "held-o");
    BOOST_TEST(made.at("CLOUD_ML_REGION") == "global");
    BOOST_TEST(made.count("GEMINI_API_KEY") == 0U);
    for (const auto& [name, value] : made) BOOST_TEST(value.find("real") == std::string::npos, name);
  }
  const auto without = environment_of_harness(person, grants_of({}), &identity);
  BOOST_TEST(without.at("ANTHROPIC_AUTH_TOKEN") == "real");
}

BOOST_AUTO_TEST_SUITE_END()
