// SPDX-License-Identifier: Apache-2.0
#include "wire/address.hpp"

#include <boost/test/unit_test.hpp>

#include "read_address.hpp"

using namespace lnk;
using namespace lnk::host;

namespace {

/// The first and last address of a closed range, and its neighbours outside, where they are open.
struct Range {
  std::string first;
  std::string last;
  std::string before;
  std::string behind;
};

const Range kRanges[] = {
    {"0.0.0.0", "0.255.255.255", "", "1.0.0.0"},
    {"10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"},
    {"100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"},
    {"127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"},
    {"169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"},
    {"172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"},
    {"192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"},
    {"192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"},
    {"192.31.196.0", "192.31.196.255", "192.31.195.255", "192.31.197.0"},
    {"192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"},
    {"192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"},
    {"192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"},
    {"192.175.48.0", "192.175.48.255", "192.175.47.255", "192.175.49.0"},
    {"198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"},
    {"198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"},
    {"203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"},
    {"224.0.0.0", "239.255.255.255", "223.255.255.255", ""},
    {"240.0.0.0", "255.255.255.255", "", ""},
    {"168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"},
    {"::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "", "2000::"},
    {"2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"},
    {"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"},
    {"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"},
    {"2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff",
     "2620:4f:8001::"},
    {"3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"},
    {"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "", "3fff:1000::"},
    {"4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""},
};

struct Kind {
  std::string address;
  std::string kind;
};

const Kind kKinds[] = {
    {"127.0.0.1", "loopback"},
    {"::1", "loopback"},
    {"::", "this machine"},
    {"0.0.0.0", "this machine"},
    {"255.255.255.255", "broadcast"},
    {"169.254.169.254", "a metadata service"},
    {"169.254.170.2", "a metadata service"},
    {"100.100.100.200", "a metadata service"},
    {"192.0.0.192", "a metadata service"},
    {"168.63.129.16", "a metadata service"},
    {"fd00:ec2::254", "a metadata service"},
    {"fd20:ce::254", "a metadata service"},
    {"fd00:c1::a9fe:a9fe", "a metadata service"},
    {"fd00:100::100:200", "a metadata service"},
    {"fe80::a9fe:a9fe", "a metadata service"},
    {"fd00:a9fe:a9fe::1", "a metadata service"},
    {"fd00:42::42", "a metadata service"},
    {"::ffff:169.254.169.254", "a metadata service"},
    {"64:ff9b::169.254.169.254", "a metadata service"},
    {"2002:a9fe:a9fe::", "a metadata service"},
    {"::ffff:93.184.215.14", "an IPv4-mapped address"},
    {"::93.184.215.14", "an IPv4-compatible address"},
    {"::ffff:0:93.184.215.14", "an IPv4-translated address"},
    {"64:ff9b::93.184.215.14", "a NAT64 form of an address"},
    {"64:ff9b:1::1", "a NAT64 form of an address"},
    {"2001::1", "a Teredo form of an address"},
    {"2002:5db8:d70e::1", "a 6to4 form of an address"},
    {"2606:4700::5efe:127.0.0.1", "an ISATAP form of an address"},
    {"2606:4700::200:5efe:127.0.0.1", "an ISATAP form of an address"},
    {"fc00::1", "a private range"},
    {"fe80::1", "a link-local range of IPv6"},
    {"ff02::1", "a multicast range"},
};

const std::string kOpen[] = {"1.1.1.1",
                             "8.8.8.8",
                             "93.184.215.14",
                             "192.0.1.1",
                             "2606:4700:4700::1111",
                             "2001:4860:4860::8888",
                             "2a00:1450:4001:81b::200e",
                             "2620:fe::fe",
                             "2400:cb00:2048:1::6814:155"};

}  // namespace

BOOST_AUTO_TEST_SUITE(address_rules)

BOOST_AUTO_TEST_CASE(each_special_range_is_closed_to_its_ends_and_its_neighbours_are_open) {
  for (const Range& range : kRanges) {
    BOOST_TEST(!closed_kind(address(range.first)).empty(), range.first);
    BOOST_TEST(!closed_kind(address(range.last)).empty(), range.last);
    if (!range.before.empty()) BOOST_TEST(closed_kind(address(range.before)).empty(), range.before);
    if (!range.behind.empty()) BOOST_TEST(closed_kind(address(range.behind)).empty(), range.behind);
  }
}

BOOST_AUTO_TEST_CASE(a_closed_address_is_called_what_it_is) {
  for (const Kind& row : kKinds) BOOST_TEST(closed_kind(address(row.address)) == row.kind, row.address);
}

BOOST_AUTO_TEST_CASE(public_addresses_are_open) {
  for (const std::string& text : kOpen) BOOST_TEST(closed_kind(address(text)).empty(), text);
}

BOOST_AUTO_TEST_CASE(a_lan_machine_may_be_private_and_nothing_else_that_is_closed) {
  for (const auto* text : {"10.0.0.1", "172.16.0.1", "192.168.255.255", "100.64.0.1", "169.254.7.7", "fd12::1", "93.184.215.14", "2606:4700::1111"})
    BOOST_TEST(closed_lan_kind(address(text)).empty(), text);
  for (const auto* text : {"127.0.0.1", "0.0.0.0", "169.254.169.254", "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255", "192.0.2.1",
                           "::1", "::", "fe80::1", "ff02::1", "fd00:ec2::254", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1"})
    BOOST_TEST(closed_lan_kind(address(text)) == closed_kind(address(text)), text);
}

BOOST_AUTO_TEST_CASE(names_of_this_machine_and_of_metadata_services_are_closed_and_others_are_not) {
  using namespace std::string_view_literals;
  for (const auto name : {"localhost"sv, "a.localhost"sv, "metadata.google.internal"sv, "instance-data"sv})
    BOOST_TEST(!closed_kind(name).empty());
  for (const auto name :
       {"localhost.example"sv, "notlocalhost"sv, "metadata.example"sv, "a.internal"sv, "printer.local"sv, "x.test"sv}) {
    BOOST_TEST(closed_kind(name).empty());
  }
}

BOOST_AUTO_TEST_CASE(the_machines_own_addresses_are_told_by_binding) {
  BOOST_TEST(is_own_address(address("127.0.0.1")));
  BOOST_TEST(is_own_address(address("127.9.9.9")));
  BOOST_TEST(!is_own_address(address("93.184.215.14")));
  BOOST_TEST(!is_own_address(address("2606:4700:4700::1111")));
}

BOOST_AUTO_TEST_SUITE_END()
