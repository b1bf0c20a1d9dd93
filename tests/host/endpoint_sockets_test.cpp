// SPDX-License-Identifier: Apache-2.0
//
// What a wire that was taken over could have made inside.
#include "launch/endpoint_sockets.hpp"

#include <boost/test/unit_test.hpp>

#include "wire/limits.hpp"

using namespace lnk::host;

BOOST_AUTO_TEST_SUITE(endpoint_sockets)

BOOST_AUTO_TEST_CASE(a_socket_is_made_at_a_names_address_and_an_endpoints_port_alone) {
  constexpr std::uint32_t kLoopback = 0x7f000001;
  constexpr auto kPastLast = static_cast<std::uint32_t>(kFirstEndpointAddress + kEndpointNamesMax);
  Grants grants;
  BOOST_TEST(!may_be_made({kFirstEndpointAddress, 5432}, grants));
  grants.endpoints = {{"*.test", 5432, false}, {"db.test", 27017, false}};
  BOOST_TEST(may_be_made({kFirstEndpointAddress, 5432}, grants));
  BOOST_TEST(may_be_made({kPastLast - 1, 27017}, grants));
  for (const std::uint32_t address : {kLoopback, kFirstEndpointAddress - 1, kPastLast, std::uint32_t{0}, ~std::uint32_t{0}})
    BOOST_TEST(!may_be_made({address, 5432}, grants));
  for (const std::uint16_t port : {std::uint16_t{0}, std::uint16_t{53}, std::uint16_t{40781}})
    BOOST_TEST(!may_be_made({kFirstEndpointAddress, port}, grants));
  grants.endpoints = {{"c.x.test", 0, true}};
  BOOST_TEST(may_be_made({kFirstEndpointAddress, 27018}, grants));
  BOOST_TEST(!may_be_made({kFirstEndpointAddress, 0}, grants));
  BOOST_TEST(!may_be_made({kLoopback, 27018}, grants));
}

BOOST_AUTO_TEST_SUITE_END()
