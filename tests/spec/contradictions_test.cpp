// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "errors_of.hpp"

using lnk::host::Os;
using lnk::test::Twin;

BOOST_AUTO_TEST_SUITE(contradictions)

BOOST_AUTO_TEST_CASE(direct_stands_with_nothing_of_the_wire) {
  const std::string_view tables[] = {"[network]\nhosts = [\"a.com\"]\n", "[lan]\nmachines = [\"a:1\"]\n",
                                     "[localhost]\nports = [1]\n",       "[tcp]\nendpoints = [\"a:1\"]\n",
                                     "[model]\nlocal = [1]\n",           "[secrets]\nuse = [\"a\"]\n",
                                     "[tools]\nuse = [\"a\"]\n",         "[open]\npages = true\n",
                                     "[limits]\ncalls_per_minute = 1\n", "[verb.a]\n",
                                     "[model]\nproviders = [\"xai\"]\n"};
  for (const std::string_view table : tables) {
    const std::string text = std::string(table) + "[linux.network]\ndirect = true\n";
    const auto errors = lnk::test::form_errors_of(text);
    BOOST_TEST_CONTEXT(text << lnk::test::joined(errors)) {
      BOOST_REQUIRE(errors.size() == 1U);
      BOOST_TEST(errors.front().find("goes through the wire, and [network] direct = true (line ") != std::string::npos);
      BOOST_TEST(lnk::test::form_errors_of(table).empty());
    }
  }
  BOOST_TEST(lnk::test::errors_of("[network]\ndirect = true\nhosts = []\n[open]\npages = false").empty());
  BOOST_TEST(lnk::test::errors_of("[network]\ndirect = false\nhosts = [\"a.com\"]").empty());
}

BOOST_AUTO_TEST_CASE(a_grant_is_not_both_open_and_hidden) {
  const Twin twins[] = {
      {"[files]\nread = [\"~/a\"]\nhide = [\"~/a/\"]", "2:9: \"~/a\" is in read and in hide (line 3)",
       "[files]\nread = [\"~/a\"]\nhide = [\"~/a/b\"]"},
      {"[files]\nhide = [\"/a\"]\nwrite = [\"/./a?\"]", "3:10: \"/./a?\" is in write and in hide (line 2)",
       "[files]\nhide = [\"/a\"]\nwrite = [\"/a/b?\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(dot_files_are_opened_only_in_a_folder_that_is_written) {
  const Twin twins[] = {
      {"[files]\nwrite_dot_files = [\"~/a\"]", "2:20: \"~/a\" is in write_dot_files and not in write",
       "[files]\nwrite = [\"~/a/\"]\nwrite_dot_files = [\"~/a\"]"},
      {"[files]\nread = [\"~/a\"]\nwrite = [\"~/b\"]\nwrite_dot_files = [\"~/a\"]",
       "4:20: \"~/a\" is in write_dot_files", "[files]\nwrite = [\"/home/u/a\"]\nwrite_dot_files = [\"~/a\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(what_is_said_of_models_needs_a_provider) {
  const Twin twins[] = {
      {"[model]\nserver_tools = true", "2:16: [model] server_tools is of providers, and [model] providers names none",
       "[model]\nserver_tools = true\nproviders = [\"xai\"]"},
      {"[model]\nmodels = [\"a\"]", "2:11: [model] models is of providers, and [model] providers names none; name one or a runtime's port in [model] local,",
       "[model]\nmodels = [\"a\"]\nproviders = [\"xai\"]"},
      {"[model]\nmodels = [\"a\"]", "2:11: [model] models is of providers", "[model]\nmodels = [\"a\"]\nlocal = [11434]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(no_two_listeners_share_a_port) {
  const Twin twins[] = {
      {"[localhost]\nports = [40781]", "2:10: port 40781 is where the wire listens inside",
       "[localhost]\nports = [40782]"},
      {"[localhost]\nports = [1, 1]", "2:13: port 1 is named already (line 2)", "[localhost]\nports = [1, 2]"},
      {"[localhost]\nports = [53]\n[tcp]\nendpoints = [\"a:1\"]",
       "2:10: port 53 is where names are answered inside, for [tcp] (line 4)", "[localhost]\nports = [53]"},
      {"[tcp]\nendpoints = [\"a:1\", \"a:1\"]", "2:21: \"a:1\" is named already (line 2)", "[tcp]\nendpoints = [\"a:1\", \"a:2\", \"b:1\"]"},
      {"[localhost]\nports = [11434]\n[model]\nlocal = [11434]",
       "2:10: port 11434 is a model's in [model] local (line 4)",
       "[localhost]\nports = [11435]\n[model]\nlocal = [11434]"},
      {"[model]\nlocal = [40781]", "2:10: port 40781 is where the wire listens inside", "[model]\nlocal = [40782]"},
      {"[model]\nlocal = [1, 1]", "2:13: port 1 is named already (line 2)", "[model]\nlocal = [1, 2]"},
      {"[model]\nlocal = [53]\n[tcp]\nendpoints = [\"a:1\"]",
       "2:10: port 53 is where names are answered inside, for [tcp] (line 4)", "[model]\nlocal = [53]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(no_two_secrets_or_tools_share_a_variable) {
  const Twin twins[] = {
      {"[secrets]\nuse = [\"a\", \"a-url\"]",
       "2:13: \"a-url\" and \"a\" (line 2) would share the variable LNK_SECRET_A_URL",
       "[secrets]\nuse = [\"a\", \"a-uri\", \"a\"]"},
      {"[secrets]\nuse = [\"a-url\", \"a\"]",
       "2:17: \"a\" and \"a-url\" (line 2) would share the variable LNK_SECRET_A_URL",
       "[secrets]\nuse = [\"a-url\", \"b\"]"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
  BOOST_TEST(lnk::test::form_errors_of("[tools]\nuse = [\"a\", \"a-url\"]").empty());
}

BOOST_AUTO_TEST_CASE(a_key_of_one_value_is_set_once_for_each_system) {
  const Twin twins[] = {
      {"[network]\ndirect = true\n[macos.network]\ndirect = false", "4:10: direct is set already (line 2)",
       "[linux.network]\ndirect = true\n[macos.network]\ndirect = false"},
      {"[env]\nset = { A = \"1\" }\n[linux.env]\nset = { A = \"1\" }", "4:9: A is set already (line 2)",
       "[macos.env]\nset = { A = \"1\" }\n[linux.env]\nset = { A = \"1\" }"},
      {"[limits]\ncalls_per_minute = 1\n[linux.limits]\ncalls_per_minute = 2",
       "4:20: calls_per_minute is set already (line 2)",
       "[macos.limits]\ncalls_per_minute = 1\n[linux.limits]\ncalls_per_minute = 2"},
  };
  for (const Twin& twin : twins) LNK_TEST_TWIN(twin);
}

BOOST_AUTO_TEST_CASE(a_contradiction_on_the_other_system_is_refused_here_too) {
  const std::string_view text = "[network]\nhosts = [\"a.com\"]\n[macos.network]\ndirect = true\n";
  BOOST_TEST(lnk::test::errors_of(text, Os::Linux).size() == 1U);
  BOOST_TEST(lnk::test::errors_of(text, Os::Macos).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
