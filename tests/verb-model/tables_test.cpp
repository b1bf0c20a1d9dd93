// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "decision.hpp"
#include "lnk/provider/provider.hpp"

using lnk::verb_model::read_tables;
using lnk::verb_model::Shapes;

BOOST_AUTO_TEST_CASE(the_tables_can_be_read_and_name_the_providers_that_have_keys) {
  const auto tables = read_tables();
  BOOST_REQUIRE_MESSAGE(tables, (tables ? "" : tables.error().text));
  std::set<std::string> here;
  for (const auto& provider : tables->providers.all()) {
    BOOST_TEST(!provider.endpoints.empty(), provider.name);
    BOOST_TEST(!provider.refusal_body.empty(), provider.name);
    BOOST_TEST(here.insert(provider.name).second, provider.name);
  }
  std::set<std::string> known;
  for (const auto& provider : lnk::provider::providers()) known.insert(std::string(provider.name));
  BOOST_TEST((here == known));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_table_is_told) {
  const auto why = [](std::string_view table) {
    auto shapes = Shapes::read({table});
    return shapes ? std::string("read") : shapes.error().text;
  };
  BOOST_TEST(why("shape a\nx scalar|[b]\nunion b by type\n-,c a\n") == "read");
  BOOST_TEST(why("x scalar\n").starts_with("a line of no shape"));
  BOOST_TEST(why("shape a\nx\n").starts_with("a member of no type"));
  BOOST_TEST(why("shape a\nx b\n").starts_with("no shape 'b'"));
  BOOST_TEST(why("shape a\nshape a\n").starts_with("shape a stands twice"));
  BOOST_TEST(why("shape a like b\n").starts_with("no shape 'b'"));
  BOOST_TEST(why("union a\nx a\n").starts_with("union a is by no member"));
}
