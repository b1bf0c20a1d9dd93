// SPDX-License-Identifier: Apache-2.0
#include "wire/host_list.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

using namespace lnk;
using namespace lnk::host;

namespace {

http::Authority place(const std::string& text) {
  auto authority = http::parse_authority(text);
  BOOST_REQUIRE_MESSAGE(!http::is_refused(authority), text);
  return std::get<http::Authority>(std::move(authority));
}

HostList list_of(const std::vector<HostGrant>& grants) {
  auto list = HostList::make(grants);
  BOOST_REQUIRE(list);
  return std::move(*list);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_list)

BOOST_AUTO_TEST_CASE(a_name_opens_itself_on_its_ports_alone) {
  const HostList list = list_of({{"Example.com", {443, 80}}});
  for (const char* open : {"example.com:443", "EXAMPLE.com.:80"}) BOOST_TEST(list.allows(place(open)), open);
  for (const char* closed : {"example.com:8443", "www.example.com:443", "evil-example.com:443",
                             "example.com.evil.com:443", "com:443", "example.org:443"}) {
    BOOST_TEST(!list.allows(place(closed)), closed);
  }
}

BOOST_AUTO_TEST_CASE(a_star_opens_every_name_below_and_never_the_name_itself) {
  const HostList list = list_of({{"*.example.com", {443}}});
  for (const char* open : {"a.example.com:443", "a.b.c.example.com:443"}) BOOST_TEST(list.allows(place(open)), open);
  for (const char* closed :
       {"example.com:443", "aexample.com:443", "a.example.com:80", "a.example.com.evil.com:443", "com:443"}) {
    BOOST_TEST(!list.allows(place(closed)), closed);
  }
}

BOOST_AUTO_TEST_CASE(a_star_alone_opens_every_name_on_its_ports) {
  const HostList list = list_of({{"*", {443}}, {"example.com", {8080}}});
  BOOST_TEST(list.allows(place("anything.test:443")));
  BOOST_TEST(list.allows(place("example.com:8080")));
  BOOST_TEST(!list.allows(place("anything.test:8080")));
  BOOST_TEST(!list.is_list());
  BOOST_TEST(list_of({{"example.com", {443}}}).is_list());
}

BOOST_AUTO_TEST_CASE(an_address_is_opened_by_its_own_line_in_any_spelling) {
  const HostList list = list_of({{"93.184.215.14", {80}}, {"2606:4700::1111", {443}}, {"[2606:4700:0::2222]", {443}}});
  for (const char* open :
       {"93.184.215.14:80", "93.184.215.14.:80", "[2606:4700:0:0::1111]:443", "[2606:4700::2222]:443"}) {
    BOOST_TEST(list.allows(place(open)), open);
  }
  for (const char* closed : {"93.184.215.15:80", "[2606:4700::3333]:443", "[::ffff:93.184.215.14]:80"})
    BOOST_TEST(!list.allows(place(closed)), closed);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_a_host_is_an_error) {
  for (const char* name : {"", "a b", "127.1", "*.*.com", "a.*.com", "*.1.2.3.4", "http://a.com", "a.com:80"}) {
    BOOST_TEST(!HostList::make({{name, {443}}}), name);
  }
  BOOST_TEST(!HostList::make({{"a.com", {}}}));
  BOOST_TEST(!HostList::make({{"a.com", {0}}}));
  BOOST_TEST(HostList::make({{"a.com", {443}}}).has_value());
}

BOOST_AUTO_TEST_CASE(a_machine_is_named_at_one_port_and_a_link_name_is_pinned) {
  const auto list = HostList::make({}, {{"NAS.local", 445, "192.168.1.20"}, {"10.0.0.7", 80, ""}, {"[fd12::7]", 80, ""}, {"nas.test", 80, ""}});
  BOOST_REQUIRE(list);
  for (const char* named : {"nas.local:445", "nas.local.:445", "10.0.0.7:80", "[fd12:0::7]:80", "nas.test:80"}) {
    BOOST_TEST((list->find_machine(place(named)) != nullptr), named);
    BOOST_TEST(!list->allows(place(named)), named);  // of hosts
  }
  for (const char* closed : {"nas.local:80", "10.0.0.8:80", "10.0.0.7:8080", "[::ffff:10.0.0.7]:80", "a.nas.test:80"})
    BOOST_TEST((list->find_machine(place(closed)) == nullptr), closed);
  BOOST_TEST(to_text(*list->find_machine(place("nas.local:445"))->pinned) == "192.168.1.20");
  BOOST_TEST(!list->find_machine(place("nas.test:80"))->pinned.has_value());
  BOOST_TEST(!HostList::make({}, {{"nas.local", 445, ""}}));
  BOOST_TEST(!HostList::make({}, {{"nas.local", 445, "other.test"}}));
  BOOST_TEST(!HostList::make({}, {{"a b", 445, ""}}));
}

BOOST_AUTO_TEST_CASE(nothing_listed_opens_nothing) { BOOST_TEST(!list_of({}).allows(place("a.com:443"))); }

// Flat: the question's cost is told by comparing lists, in one run, with room for noise.
BOOST_AUTO_TEST_CASE(a_question_costs_the_same_in_100_and_in_100000_hosts) {
  const auto time_of = [](std::size_t count) {
    std::vector<HostGrant> grants;
    for (std::size_t index = 0; index < count; ++index)
      grants.push_back({"host" + std::to_string(index) + ".example.com", {443}});
    const HostList list = list_of(grants);
    const auto target = place("a.b.c.d.not-listed.example.com:443");
    const auto start = std::chrono::steady_clock::now();
    std::size_t open = 0;
    for (int round = 0; round < 100000; ++round) open += list.allows(target) ? 1U : 0U;
    BOOST_TEST(open == 0U);
    return std::chrono::steady_clock::now() - start;
  };
  time_of(100);
  const auto few = time_of(100);
  BOOST_TEST(time_of(100000).count() < 5 * few.count());
}

BOOST_AUTO_TEST_SUITE_END()
