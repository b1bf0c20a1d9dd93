// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "environment/injection.hpp"
#include "errors_of.hpp"
#include "spec/values.hpp"

using lnk::test::Twin;

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(names_are_short_and_plain) {
  const Twin twins[] = {
      {"name = \"Claude\"", "1:8: name is 1 to 40 of a-z, 0-9 and -; \"Claude\" isn't", "name = \"claude\""},
      {"name = \"\"", "1:8: name is 1 to 40", "name = \"a\""},
      {"name = \"a_b\"", "1:8: name is 1 to 40", "name = \"a-b\""},
      {"name = \"a/b\"", "1:8: name is 1 to 40", "name = \"0\""},
      {"name = \"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddd\"", "1:8: name is 1 to 40",
       "name = \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd\""},
      {"name = 7", "1:8: name is a string, not a number", "name = \"7\""},
      {"[secrets]\nuse = [\"Telegram\"]", "2:8: a secret's name is 1 to 40", "[secrets]\nuse = [\"telegram\"]"},
      {"[tools]\nuse = [\"a.b\"]", "2:8: a tool's name is 1 to 40", "[tools]\nuse = [\"a-b\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(a_spec_without_a_name_has_its_files) {
  const auto name_of = [](std::string_view file) { return lnk::host::parse_spec("", file).spec.name.value; };
  BOOST_TEST(name_of("/home/u/claude.toml") == "claude");
  BOOST_TEST(name_of("My Agent (2).toml") == "my-agent-2");
  BOOST_TEST(name_of("a.b.toml") == "a-b");
  BOOST_TEST(name_of(".spec") == "spec");
  BOOST_TEST(name_of("\xC3\xBC.toml") == "sandbox");
  BOOST_TEST(name_of("") == "sandbox");
  BOOST_TEST(name_of(std::string(60, 'x')) == std::string(40, 'x'));
  BOOST_TEST(lnk::host::parse_spec("name = \"b\"", "a.toml").spec.name.value == "b");
}

BOOST_AUTO_TEST_CASE(providers_and_models_are_checked) {
  const Twin twins[] = {
      {"[model]\nproviders = [\"opanai\"]", "2:14: \"opanai\" is no provider known; did you mean \"openai\"?",
       "[model]\nproviders = [\"openai\"]"},
      {"[model]\nproviders = [\"claude\"]", "2:14: \"claude\" is no provider known; known are anthropic, openai, ",
       "[model]\nproviders = [\"anthropic\"]"},
      {"[model]\nmodels = [\"cl*de\"]", "2:11: \"cl*de\" has a * before its end", "[model]\nproviders = [\"xai\"]\nmodels = [\"cl*\"]"},
      {"[model]\nmodels = [\"\"]", "2:11: \"\" is no model's name", "[model]\nproviders = [\"xai\"]\nmodels = [\"*\"]"},
      {"[model]\nmodels = [\"a b\"]", "2:11: \"a b\" is no model's name", "[model]\nproviders = [\"xai\"]\nmodels = [\"a/b:c\"]"},
      {"[model]\nlocal = [0]", "2:10: 0 is no port", "[model]\nlocal = [1]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(ports_are_numbers_and_never_all) {
  const Twin twins[] = {
      {"[localhost]\nports = [0]", "2:10: 0 is no port; ports go from 1 to 65535", "[localhost]\nports = [1]"},
      {"[localhost]\nports = [65536]", "2:10: 65536 is no port", "[localhost]\nports = [65535]"},
      {"[localhost]\nports = [\"*\"]", "2:10: \"*\" would open every port", "[localhost]\nports = [80]"},
      {"[localhost]\nports = \"*\"", "2:9: \"*\" would open every port", "[localhost]\nports = []"},
      {"[localhost]\nports = [\"80\"]", "2:10: each entry of ports is a port's number, not a string",
       "[localhost]\nports = [80]"},
      {"[localhost]\nports = 80", "2:9: ports is a list, as in ports = [8080], not a number",
       "[localhost]\nports = [80]"},
      {"[limits]\ncalls_per_minute = 0", "2:20: calls_per_minute goes from 1", "[limits]\ncalls_per_minute = 1"},
      {"[limits]\ncalls_per_minute = 1.5", "2:20: calls_per_minute is a whole number, not a number with a fraction",
       "[limits]\ncalls_per_minute = 15"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(variables_have_names_and_never_inject_code) {
  const Twin twins[] = {
      {"[env]\npass = [\"LD_PRELOAD\"]", "2:9: \"LD_PRELOAD\" makes loaders or interpreters run other code",
       "[env]\npass = [\"LDPRELOAD\"]"},
      {"[env]\npass = [\"LD_*\"]", "2:9: \"LD_*\" makes loaders", "[env]\npass = [\"LDX*\"]"},
      {"[env]\npass = [\"GIT_CONFIG_*\"]", "2:9: \"GIT_CONFIG_*\" makes loaders", "[env]\npass = [\"GIT_AUTHOR_*\"]"},
      {"[env]\npass = [\"*\"]", "2:9: \"*\" would pass the whole environment", "[env]\npass = [\"X*\"]"},
      {"[env]\npass = [\"A*B\"]", "2:9: \"A*B\" is no variable's name", "[env]\npass = [\"AB*\"]"},
      {"[env]\npass = [\"1A\"]", "2:9: \"1A\" is no variable's name", "[env]\npass = [\"_1\"]"},
      {"[env]\npass = [\"\"]", "2:9: \"\" is no variable's name", "[env]\npass = []"},
      {"[env]\npass = \"EDITOR\"", "2:8: pass is a list, as in pass = [\"EDITOR\"], not a string",
       "[env]\npass = [\"EDITOR\"]"},
      {"[env]\nset = { NODE_OPTIONS = \"x\" }", "2:9: \"NODE_OPTIONS\" makes loaders",
       "[env]\nset = { NODE_ENV = \"x\" }"},
      {"[env.set]\nBASH_ENV = \"x\"", "2:1: \"BASH_ENV\" makes loaders", "[env.set]\nBASHENV = \"x\""},
      {"[env]\nset = { CI = 1 }", "2:14: a variable's value is a string in quotes, not a number",
       "[env]\nset = { CI = \"1\" }"},
      {"[env]\nset = { \"A-B\" = \"1\" }", "2:9: \"A-B\" is no variable's name", "[env]\nset = { \"A_B\" = \"1\" }"},
      {"[env]\nset = { A = \"\\u0000\" }", "2:9: \"A\" has a value with a NUL", "[env]\nset = { A = \"\" }"},
      {"[env]\nset = [\"CI=1\"]", "2:7: set is a table, as in set = { CI = \"1\" }, not a list", "[env]\nset = {}"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(a_prefix_keeps_its_name_without_the_star) {
  const auto pass = lnk::host::read_env_pass("LC_*");
  BOOST_REQUIRE(pass.has_value());
  BOOST_TEST(pass->prefix);
  BOOST_TEST(pass->name == "LC_");
  // Wide prefixes may cover variables that inject code; those are cleared one by one when the environment is made.
  BOOST_TEST(lnk::host::read_env_pass("PYTHON*").has_value());
  BOOST_TEST(lnk::host::is_injection_variable("PYTHONPATH"));
}

BOOST_AUTO_TEST_CASE(a_variable_fits_a_programs_start) {
  BOOST_TEST(lnk::host::read_env_set("A", std::string(131068, 'x')).has_value());
  BOOST_TEST(!lnk::host::read_env_set("A", std::string(131069, 'x')).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
