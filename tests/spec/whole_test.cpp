// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "errors_of.hpp"

using lnk::host::Os;

BOOST_AUTO_TEST_SUITE(whole)

BOOST_AUTO_TEST_CASE(the_other_systems_tables_are_checked) {
  BOOST_TEST(lnk::test::errors_of("[macos.tools]\nuse = [\"a\"]", Os::Linux).empty());
  BOOST_TEST(lnk::test::errors_of("[macos.tools]\nuse = [\"A\"]", Os::Linux).size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_this_version_has_is_taken_whole) {
  const auto result = lnk::host::parse_spec(
      "name = \"a\"\n[files]\nread = [\"~/r\"]\nwrite = [\"./\"]\nhide = [\"/h\"]\n[commands]\nallow = [\"git\", \"~/bin/\"]\n[network]\nhosts = [\"a.com\"]\n"
      "[lan]\nmachines = [\"nas:445\", \"10.0.0.1:80\"]\n[localhost]\nports = [5432]\n"
      "[secrets]\nuse = [\"s\"]\n[tools]\nuse = [\"t\"]\n[open]\npages = true\n[model]\nproviders = [\"xai\"]\nserver_tools = true\nmodels = [\"grok-*\"]\nlocal = [11434]\n[tcp]\nendpoints = [\"db.a.com:5432\"]\n[limits]\ncalls_per_minute = 7\n[env]\npass = [\"E\"]\nset = { C = \"1\" }\n[linux.files]\nread = [\"/nix\"]\n",
      "s", Os::Linux);
  BOOST_REQUIRE(result.ok());
  BOOST_TEST(result.spec.files.read.size() == 2U);
  BOOST_TEST(result.spec.files.read[1].at.line == 33U);
  BOOST_TEST(result.spec.files.hide.size() == 1U);
  BOOST_REQUIRE(result.spec.commands.has_value());
  BOOST_TEST(result.spec.commands->at.line == 7U);
  BOOST_TEST(result.spec.commands->allow[0].name == "git");
  BOOST_TEST(result.spec.commands->allow[1].folder);
  BOOST_TEST(result.spec.network.hosts.front().at.column == 10U);
  BOOST_TEST(result.spec.lan.size() == 2U);
  BOOST_TEST(result.spec.lan.front().name == "nas");
  BOOST_TEST(result.spec.localhost.front().value == 5432);
  BOOST_TEST(result.spec.model.local.front().value == 11434);
  BOOST_TEST(result.spec.secrets.front().value == "s");
  BOOST_TEST(result.spec.model.providers.front().value == "xai");
  BOOST_TEST(result.spec.model.server_tools.value);
  BOOST_TEST(result.spec.model.models.front().value == "grok-*");
  BOOST_TEST(result.spec.tcp.front().port == 5432U);
  BOOST_REQUIRE(result.spec.calls_per_minute.has_value());
  BOOST_TEST(result.spec.calls_per_minute->value == 7U);
  BOOST_TEST(result.spec.env.set.front().value == "1");
}

BOOST_AUTO_TEST_SUITE_END()
