// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "wire/verb/id_table.hpp"
#include "wire/verb/route_table.hpp"

using lnk::host::check_route;
using lnk::host::IdTable;
using lnk::host::Route;
using lnk::host::routes_clash;
using lnk::host::RouteTable;

BOOST_AUTO_TEST_CASE(the_longest_route_wins) {
  RouteTable table;
  table.add(0, 0, {"secret/telegram/", true, false});
  table.add(0, 1, {"secret/", true, false});
  table.add(1, 0, {"open", false, true});
  const auto named = table.find("secret/telegram/bot1/getMe", false);
  BOOST_REQUIRE(named.has_value());
  BOOST_TEST(named->index == 0U);
  BOOST_TEST(named->below == "bot1/getMe");
  const auto unnamed = table.find("secret/bot1/getMe", false);
  BOOST_REQUIRE(unnamed.has_value());
  BOOST_TEST(unnamed->index == 1U);
  BOOST_TEST(unnamed->below == "bot1/getMe");
  BOOST_TEST(table.find("open", true).has_value());
  for (const std::string path : {"open", "secre", "", "x/secret/telegram/"})
    BOOST_TEST(!table.find(path, false).has_value(), path);
  for (const std::string path : {"open/", "secret/telegram/x", ""})
    BOOST_TEST(!table.find(path, true).has_value(), path);
}

BOOST_AUTO_TEST_CASE(two_routes_clash_where_one_request_could_be_both) {
  const Route a{"secret/", true, false};
  BOOST_TEST(routes_clash(a, {"secret/", true, false}));
  BOOST_TEST(routes_clash(a, {"secret/x/", true, false}));
  BOOST_TEST(routes_clash({"secret/x", false, false}, a));
  BOOST_TEST(!routes_clash(a, {"secret/", true, true}));
  BOOST_TEST(!routes_clash(a, {"secret2/", true, false}));
  BOOST_TEST(!routes_clash({"open", false, true}, {"open2", false, true}));
}

BOOST_AUTO_TEST_CASE(a_route_is_a_plain_path) {
  BOOST_TEST(check_route({"secret/telegram/", true, false}).has_value());
  BOOST_TEST(check_route({"open", false, true}).has_value());
  for (const std::string path : {"", "/x", "x//", "../x", "x%2f", "s", "s/x", "x/"}) {
    BOOST_TEST(!check_route({path, false, false}).has_value(), path);
  }
  for (const std::string path : {"", "/", "x", "s/", "s/x/", "x/../"})
    BOOST_TEST(!check_route({path, true, false}).has_value(), path);
}

BOOST_AUTO_TEST_CASE(a_stale_id_finds_nothing) {
  IdTable<int> table;
  int first = 1;
  int second = 2;
  const auto a = table.insert(&first);
  BOOST_TEST(a != 0U);
  BOOST_TEST(table.find(a) == &first);
  table.erase(a);
  BOOST_TEST(table.find(a) == nullptr);
  const auto b = table.insert(&second);
  BOOST_TEST(a != b);
  BOOST_TEST(table.find(a) == nullptr);
  BOOST_TEST(table.find(b) == &second);
  table.erase(a);
  BOOST_TEST(table.find(b) == &second);
  BOOST_TEST(table.find(0) == nullptr);
  BOOST_TEST(table.find(~lnk_id{0}) == nullptr);
}
