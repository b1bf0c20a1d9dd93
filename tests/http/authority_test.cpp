// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/authority.hpp"

#include <arpa/inet.h>

#include <boost/test/unit_test.hpp>
#include <random>

#include "lnk/http/limits.hpp"

using namespace lnk::http;

namespace {

struct Row {
  std::string text;
  HostKind kind;
  std::string host;
  std::uint16_t port;
};

const Row kTaken[] = {
    {"example.com", HostKind::Name, "example.com", 0},
    {"EXAMPLE.com:443", HostKind::Name, "example.com", 443},
    {"example.com.:1", HostKind::Name, "example.com", 1},
    {"a_b.s3.example:65535", HostKind::Name, "a_b.s3.example", 65535},
    {"xn--bcher-kva.example", HostKind::Name, "xn--bcher-kva.example", 0},
    {"1.2.3.4:80", HostKind::Ipv4, "1.2.3.4", 80},
    {"127.0.0.1.", HostKind::Ipv4, "127.0.0.1", 0},
    {"255.255.255.255", HostKind::Ipv4, "255.255.255.255", 0},
    {"1.2.3.4.example", HostKind::Name, "1.2.3.4.example", 0},
    {"4x", HostKind::Name, "4x", 0},
    {"0xg", HostKind::Name, "0xg", 0},
    {"[::1]", HostKind::Ipv6, "::1", 0},
    {"[::]:80", HostKind::Ipv6, "::", 80},
    {"[2001:DB8:0:0:0:0:0:1]:443", HostKind::Ipv6, "2001:db8::1", 443},
    {"[2001:db8:0:1:1:1:1:1]", HostKind::Ipv6, "2001:db8:0:1:1:1:1:1", 0},
    {"[::ffff:127.0.0.1]", HostKind::Ipv6, "::ffff:127.0.0.1", 0},
    {"[::ffff:7f00:1]", HostKind::Ipv6, "::ffff:127.0.0.1", 0},
    {"[64:ff9b::1.2.3.4]", HostKind::Ipv6, "64:ff9b::102:304", 0},
    {"[1::]", HostKind::Ipv6, "1::", 0},
    {"[1:2:3:4:5:6:7::]", HostKind::Ipv6, "1:2:3:4:5:6:7:0", 0},
};

const std::string kRefused[] = {"",
                                ".",
                                "..",
                                ".com",
                                "a..b",
                                "a.b..",
                                "-a.com",
                                "a-.com",
                                "a b",
                                "a/b",
                                "a\\b",
                                "a?b",
                                "a#b",
                                "a,b",
                                "a;b",
                                "a@b",
                                "@a",
                                "a%62",
                                "a%00",
                                "\xc3\xa9.com",
                                std::string("a\0b", 3),
                                "a\tb",
                                "a:",
                                "a:0",
                                "a:00080",
                                "a:080",
                                "a:+80",
                                "a:-1",
                                "a: 80",
                                "a:80 ",
                                "a:65536",
                                "a:99999",
                                "a:8o",
                                "a:80:80",
                                "::1",
                                "1:2:3",
                                "[::1",
                                "::1]",
                                "[]",
                                "[:]",
                                "[:::]",
                                "[::1]x",
                                "[::1]80",
                                "[::1]:",
                                "[::1%eth0]",
                                "[::1%25eth0]",
                                "[fe80::1%1]",
                                "[1:2:3:4:5:6:7:8:9]",
                                "[1:2:3:4:5:6:7]",
                                "[12345::]",
                                "[::g]",
                                "[::1.2.3]",
                                "[::1.2.3.4.5]",
                                "[1.2.3.4::]",
                                "[::01.2.3.4]",
                                "[::256.1.1.1]",
                                "[1::2::3]",
                                "[v1.x]",
                                "[1.2.3.4]",
                                "127.1",
                                "0177.0.0.1",
                                "0x7f.1",
                                "0x7f000001",
                                "2130706433",
                                "017700000001",
                                "0",
                                "127.0.0.01",
                                "127.0.0.1..",
                                "256.0.0.1",
                                "1.2.3",
                                "1.2.3.4.5",
                                "1.2.3.0x4",
                                "a.0x",
                                "a.1",
                                "a.08",
                                "999999999999",
                                "*.a.com",
                                "*",
                                std::string(64, 'a') + ".com"};

}  // namespace

BOOST_AUTO_TEST_SUITE(authority)

BOOST_AUTO_TEST_CASE(what_can_be_read_in_one_way_is_taken_and_folded) {
  for (const Row& row : kTaken) {
    BOOST_TEST_CONTEXT(row.text) {
      const auto read = parse_authority(row.text);
      BOOST_REQUIRE(!is_refused(read));
      const auto& taken = std::get<Authority>(read);
      BOOST_TEST((taken.host.kind == row.kind));
      BOOST_TEST(taken.host.text == row.host);
      BOOST_TEST(taken.port == row.port);
    }
  }
}

BOOST_AUTO_TEST_CASE(everything_odd_is_refused) {
  for (const std::string& text : kRefused) BOOST_TEST(is_refused(parse_authority(text)), "taken: " << text);
}

BOOST_AUTO_TEST_CASE(what_is_taken_is_taken_again_as_it_was_written_down) {
  for (const Row& row : kTaken) {
    const auto first = std::get<Authority>(parse_authority(row.text));
    const auto again = parse_authority(first.to_text(0));
    BOOST_REQUIRE(!is_refused(again));
    BOOST_TEST((std::get<Authority>(again) == first));
  }
}

BOOST_AUTO_TEST_CASE(a_name_may_have_253_bytes_and_a_label_63) {
  const std::string label(kLabelBytesMax, 'a');
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  BOOST_TEST(longest.size() == kHostBytesMax);
  BOOST_TEST(!is_refused(parse_authority(longest)));
  BOOST_TEST(!is_refused(parse_authority(longest + ".")));
  BOOST_TEST(is_refused(parse_authority(longest + "a")));
}

BOOST_AUTO_TEST_CASE(a_list_of_hosts_names_ipv6_without_brackets) {
  BOOST_TEST(!is_refused(parse_host("2001:db8::1")));
  BOOST_TEST(is_refused(parse_host("[2001:db8::1]")));
  BOOST_TEST(is_refused(parse_host("a:80")));
}

BOOST_AUTO_TEST_CASE(the_default_port_goes_unsaid) {
  const auto name = std::get<Authority>(parse_authority("a.test:80"));
  BOOST_TEST(name.to_text(80) == "a.test");
  BOOST_TEST(name.to_text(443) == "a.test:80");
  BOOST_TEST(std::get<Authority>(parse_authority("[::1]:443")).to_text(443) == "[::1]");
}

// The C library's inet_pton and inet_ntop are the second reader: what both take must be one address, written alike.
BOOST_AUTO_TEST_CASE(addresses_are_read_and_written_as_the_c_library_does) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    AddressBytes address{};
    for (auto& byte : address) byte = random() % 3 == 0 ? static_cast<std::uint8_t>(random()) : 0;
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, address.data(), text, sizeof text);
    AddressBytes read{};
    BOOST_REQUIRE(parse_ipv6(text, read));
    BOOST_REQUIRE(read == address);
    BOOST_REQUIRE(parse_ipv6(format_ipv6(address), read));
    BOOST_REQUIRE(read == address);
  }
}

BOOST_AUTO_TEST_CASE(a_spelling_that_the_c_library_does_not_take_is_not_taken_here) {
  std::mt19937 random(2);
  const std::string_view alphabet = "0123456789abf:::...";
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    for (std::size_t left = random() % 24; left > 0; --left) text += alphabet[random() % alphabet.size()];
    AddressBytes ours{};
    AddressBytes theirs{};
    const bool takes6 = inet_pton(AF_INET6, text.c_str(), theirs.data()) == 1;
    BOOST_REQUIRE_MESSAGE(parse_ipv6(text, ours) == takes6, text);
    if (takes6) BOOST_REQUIRE(ours == theirs);
    const bool takes4 = inet_pton(AF_INET, text.c_str(), theirs.data()) == 1;
    BOOST_REQUIRE_MESSAGE(parse_ipv4(text, ours) == takes4, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
