// SPDX-License-Identifier: Apache-2.0
#include "wire/nat64.hpp"

#include <boost/test/unit_test.hpp>

#include "read_address.hpp"

using namespace lnk;
using namespace lnk::host;

namespace {

/// One network of each prefix size: what its probe answers, and how 10.0.0.1 and 93.184.215.14 stand in it.
struct Network {
  std::string probe;
  std::string closed;
  std::string open;
};

// source: the forms of RFC 6052 2.4, with prefixes of 2000::/3
const Network kNetworks[] = {
    {"2a00:db8:c000:aa::", "2a00:db8:a00:1::", "2a00:db8:5db8:d70e::"},
    {"2a00:db8:1c0:0:aa::", "2a00:db8:10a:0:1::", "2a00:db8:15d:b8d7:e::"},
    {"2a00:db8:122:c000:0:aa00::", "2a00:db8:122:a00:0:100::", "2a00:db8:122:5db8:d7:e00::"},
    {"2a00:db8:122:3c0:0:aa::", "2a00:db8:122:30a:0:1::", "2a00:db8:122:35d:b8:d70e::"},
    {"2a00:db8:122:344:c0:0:aa00::", "2a00:db8:122:344:a:0:100::", "2a00:db8:122:344:5d:b8d7:e00::"},
    {"2a00:db8:122:344::192.0.0.170", "2a00:db8:122:344::10.0.0.1", "2a00:db8:122:344::93.184.215.14"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(nat64)

BOOST_AUTO_TEST_CASE(an_address_of_the_networks_prefix_is_the_one_that_stands_in_it) {
  for (const Network& network : kNetworks) {
    const auto prefixes = nat64_prefixes({address("192.0.0.170"), address("192.0.0.171"), address(network.probe)});
    BOOST_TEST_REQUIRE(prefixes.size() == 1U, network.probe);
    const auto closed = ipv4_within(address(network.closed), prefixes);
    BOOST_TEST_REQUIRE(closed.size() == 1U, network.closed);
    BOOST_TEST(to_text(closed[0]) == "10.0.0.1");
    const auto open = ipv4_within(address(network.open), prefixes);
    BOOST_TEST_REQUIRE(open.size() == 1U, network.open);
    BOOST_TEST(to_text(open[0]) == "93.184.215.14");
    BOOST_TEST(ipv4_within(address("2606:4700::10.0.0.1"), prefixes).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_network_that_makes_none_has_no_prefix) {
  BOOST_TEST(nat64_prefixes({}).empty());
  BOOST_TEST(nat64_prefixes({address("192.0.0.170"), address("192.0.0.171")}).empty());
  BOOST_TEST(nat64_prefixes({address("2606:4700::1")}).empty());
  BOOST_TEST(ipv4_within(address("2606:4700::10.0.0.1"), {}).empty());
}

BOOST_AUTO_TEST_CASE(two_prefixes_are_both_known) {
  const auto prefixes = nat64_prefixes(
      {address(kNetworks[0].probe), address(kNetworks[5].probe), address("2a00:db8:122:344::192.0.0.171")});
  BOOST_TEST(prefixes.size() == 2U);
  BOOST_TEST(ipv4_within(address(kNetworks[5].closed), prefixes).size() == 2U);  // it lies in both
}

BOOST_AUTO_TEST_SUITE_END()
