// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "errors_of.hpp"
#include "spec/public_suffix.hpp"
#include "spec/values.hpp"

using lnk::host::HostKind;

namespace {

struct HostCase {
  std::string_view refused;
  std::string_view words;  ///< after the quoted value
  std::string_view allowed;
};

template <class Read>
void check_twins(const std::vector<HostCase>& cases, Read read) {
  for (const HostCase& one : cases) {
    BOOST_TEST_CONTEXT("refused: " << one.refused) {
      const auto refused = read(one.refused);
      BOOST_REQUIRE(!refused.has_value());
      BOOST_TEST_CONTEXT(refused.error().text) {
        BOOST_TEST(refused.error().text.find(one.words) != std::string::npos);
      }
    }
    BOOST_TEST_CONTEXT("allowed: " << one.allowed) { BOOST_TEST(read(one.allowed).has_value()); }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hosts)

BOOST_AUTO_TEST_CASE(a_host_is_a_name_and_at_most_a_port) {
  check_twins(
      {
          {"", "can't be empty", "a"},
          {"https://example.com", "has a scheme", "example.com"},
          {"example.com/x", "has a path", "example.com"},
          {"example.com?x", "has a path", "example.com:1"},
          {"example.com\\x", "has a path", "example.com:65535"},
          {"bob@example.com", "has a user name", "bob.example.com"},
          {"exa%6dple.com", "has a percent sign", "exa6dple.com"},
          {"exam ple.com", "holds a space", "exam-ple.com"},
          {"example.com\n", "holds a space or control", "example.com."},
          {"m\xC3\xBCnchen.de", "write its punycode", "xn--mnchen-3ya.de"},
          {"example.com:", "a port that isn't 1 to 65535", "example.com"},
          {"example.com:0", "a port that isn't 1 to 65535", "example.com:1"},
          {"example.com:65536", "a port that isn't 1 to 65535", "example.com:65535"},
          {"example.com:0443", "a port that isn't 1 to 65535", "example.com:443"},
          {"example.com:+443", "a port that isn't 1 to 65535", "example.com:443"},
          {"example.com:https", "a port that isn't 1 to 65535", "example.com:443"},
          {"example.com:1:2", "several colons", "example.com:12"},
          {"a..b", "an empty label", "a.b"},
          {".example.com", "an empty label", "example.com"},
          {"example.com..", "an empty label", "example.com."},
          {".", "an empty host", "a."},
          {"-a.com", "begins or ends with a hyphen", "a-a.com"},
          {"a-.com", "begins or ends with a hyphen", "a--a.com"},
          {"a!.com", "a byte that no name has", "a_.com"},
      },
      lnk::host::read_host);
  const std::string label(63, 'a');
  BOOST_TEST(lnk::host::read_host(label + ".com").has_value());
  BOOST_TEST(!lnk::host::read_host("a" + label + ".com").has_value());
  const std::string longest = label + "." + label + "." + label + "." + label.substr(2);
  BOOST_TEST(lnk::host::read_host(longest).has_value());
  BOOST_TEST(!lnk::host::read_host(longest + "a").has_value());
}

BOOST_AUTO_TEST_CASE(a_star_is_the_first_part_alone_and_not_over_a_public_suffix) {
  check_twins(
      {
          {"a.*.com", "a * that isn't its first part", "*.a.com"},
          {"a*.example.com", "a * that isn't its first part", "*.example.com"},
          {"*a.example.com", "a * that isn't its first part", "*.example.com:8443"},
          {"**", "a * that isn't its first part", "*"},
          {"*.*.example.com", "a * that isn't its first part", "*.a.example.com"},
          {"*.", "an empty host", "*"},
          {"*.com", "covers a public suffix", "*.example.com"},
          {"*.co.uk", "covers a public suffix", "*.bbc.co.uk"},
          {"*.github.io", "covers a public suffix", "*.me.github.io"},
          {"*.localhost", "covers a public suffix", "*.local.example"},
          {"*.a.localhost", "this machine", "*.a.local"},
          {"*.0.0.1", "isn't in dotted decimal", "*.a1.b2"},
          {"*.1.2.3.4", "a * over an address", "*.a1.b2"},
      },
      lnk::host::read_host);
}

BOOST_AUTO_TEST_CASE(an_address_has_one_form_and_is_public) {
  check_twins(
      {
          {"0177.0.0.1", "isn't in dotted decimal", "177.0.0.1"},
          {"0x7f.0.0.1", "isn't in dotted decimal", "0x7f.0.0.a1"},
          {"0x7f000001", "isn't in dotted decimal", "0x7f00000g"},
          {"2130706433", "isn't in dotted decimal", "a2130706433"},
          {"127.1", "isn't in dotted decimal", "127.a"},
          {"1.2.3.4.5", "isn't in dotted decimal", "1.2.3.4"},
          {"1.2.3.256", "isn't in dotted decimal", "1.2.3.255"},
          {"example.1", "isn't in dotted decimal", "example.a1"},
          {"10.0.0.1", "a private range", "11.0.0.1"},
          {"172.16.0.1", "a private range", "172.15.0.1"},
          {"172.31.255.255", "a private range", "172.32.0.0"},
          {"192.168.1.1", "a private range", "192.169.1.1"},
          {"100.64.0.1", "a carrier's range", "100.63.0.1"},
          {"100.127.0.1", "a carrier's range", "100.128.0.1"},
          {"127.0.0.1", "loopback", "126.0.0.1"},
          {"0.0.0.0", "this machine", "1.0.0.0"},
          {"169.254.169.254", "a metadata service", "169.253.169.254"},
          {"168.63.129.16", "a metadata service", "168.63.129.17"},
          {"100.100.100.200", "a metadata service", "99.100.100.200"},
          {"192.0.2.1", "is closed: ", "192.0.3.1"},
          {"198.18.0.1", "is closed: ", "198.20.0.1"},
          {"198.19.0.1", "is closed: ", "198.17.0.1"},
          {"203.0.113.9", "is closed: ", "203.0.114.9"},
          {"224.0.0.1", "a multicast range", "223.0.0.1"},
          {"255.255.255.255", "broadcast", "8.8.8.8:53"},
          {"240.0.0.1", "a reserved range", "1.1.1.1"},
      },
      lnk::host::read_host);
}

BOOST_AUTO_TEST_CASE(an_ipv6_address_is_bracketed_plain_and_public) {
  check_twins(
      {
          {"2600::1", "in brackets", "[2600::1]"},
          {"[2600::1", "a bracket that isn't closed", "[2600::1]:443"},
          {"[2600::1]443", "a port that isn't 1 to 65535", "[2600::1]:443"},
          {"[2600::1]:", "a port that isn't 1 to 65535", "[2600::1]:1"},
          {"[2600::g]", "an IPv6 address that can't be read", "[2600::F]"},
          {"[::ffff:1.2.3.4]", "is closed: ", "[2600::102:304]"},
          {"[fe80::1%eth0]", "a percent sign", "[2600::1]"},
          {"[::1]", "loopback", "[2600::1]"},
          {"[::]", "this machine", "[2600::]"},
          {"[fc00::1]", "a private range", "[3000::1]"},
          {"[fe80::1]", "a link-local range", "[2600::1]"},
          {"[fd00:ec2::254]", "a metadata service", "[2600:ec2::254]"},
          {"[ff02::1]", "a multicast range", "[2602::1]"},
          {"[::ffff:a00:1]", "is closed: ", "[2600::a00:1]"},
          {"[64:ff9b::a00:1]", "is closed: ", "[2606:4700::1111]"},
          {"[2001:db8::1]", "is closed: ", "[2001:db9::1]"},
          {"[2001::1]", "is closed: ", "[2001:200::1]"},
          {"[2002:a00:1::]", "is closed: ", "[2003:a00:1::]"},
          {"[3fff:0fff::1]", "is closed: ", "[3fff:1000::1]"},
          {"[4000::1]", "is closed: ", "[2400::1]"},
      },
      lnk::host::read_host);
}

BOOST_AUTO_TEST_CASE(this_machine_and_metadata_services_are_closed_by_name) {
  check_twins(
      {
          {"localhost", "this machine", "localhost.example.com"},
          {"LOCALHOST.:8080", "this machine", "localhosts:8080"},
          {"a.localhost", "this machine", "a.local"},
          {"metadata.google.internal", "a metadata service", "meta.google.internal"},
          {"Metadata", "a metadata service", "metadatas"},
      },
      lnk::host::read_host);
}

BOOST_AUTO_TEST_CASE(a_host_is_folded_and_has_the_webs_ports_unless_one_is_named) {
  const auto host = lnk::host::read_host("API.GitHub.com.");
  BOOST_REQUIRE(host.has_value());
  BOOST_TEST(host->name == "api.github.com");
  BOOST_TEST((host->ports == std::vector<std::uint16_t>{80, 443}));
  BOOST_TEST((lnk::host::read_host("x.com:8443")->ports == std::vector<std::uint16_t>{8443}));
  BOOST_TEST((lnk::host::read_host("*")->kind == HostKind::Any));
  BOOST_TEST((lnk::host::read_host("*.X.com")->kind == HostKind::Below));
  BOOST_TEST(lnk::host::read_host("*.X.com")->name == "*.x.com");
  BOOST_TEST((lnk::host::read_host("1.1.1.1")->kind == HostKind::Ipv4));
  BOOST_TEST(lnk::host::read_host("[2606:4700:0:0::1111]:443")->name == "2606:4700::1111");
}

BOOST_AUTO_TEST_CASE(a_lan_machine_has_a_port_and_may_be_private_but_never_this_one) {
  check_twins(
      {
          {"nas.local", "names no port", "nas.local:445"},
          {"*.local:445", "has a *", "a.local:445"},
          {"*:445", "has a *", "a:445"},
          {"127.0.0.1:80", "loopback", "192.168.1.20:80"},
          {"localhost:80", "this machine", "nas:80"},
          {"169.254.169.254:80", "a metadata service", "169.254.7.7:80"},
          {"224.0.0.1:80", "a multicast range", "10.0.0.1:80"},
          {"[::1]:80", "loopback", "[fd12::1]:80"},
          {"[fd00:ec2::254]:80", "a metadata service", "[2606:4700::1111]:80"},
          {"[fe80::7]:80", "a link-local range of IPv6, which [lan] doesn't open", "[fd12::7]:80"},
          {"metadata.google.internal:80", "a metadata service", "meta.google.internal:80"},
          {"192.0.2.1:80", "a documentation range", "100.64.0.1:80"},
          {"[::ffff:10.0.0.1]:80", "is closed: ", "10.0.0.1:80"},
      },
      lnk::host::read_lan_machine);
}

BOOST_AUTO_TEST_CASE(what_no_host_opens_is_sent_to_the_key_that_does) {
  const auto words = [](std::string_view host) { return lnk::host::read_host(host).error().text; };
  for (const auto* machine : {"10.0.0.1", "192.168.1.1:8080", "169.254.7.7", "[fd12::1]"})
    BOOST_TEST(words(machine).find("in [lan] machines") != std::string::npos, machine);
  for (const auto* own : {"localhost", "127.0.0.1:80", "[::1]", "0.0.0.0"})
    BOOST_TEST(words(own).find("in [localhost] ports") != std::string::npos, own);
  for (const auto* closed : {"169.254.169.254", "224.0.0.1", "[fe80::1]", "metadata.google.internal"})
    BOOST_TEST(words(closed).find("no key opens it") != std::string::npos, closed);
}

BOOST_AUTO_TEST_CASE(a_port_is_a_number_of_one_port) {
  BOOST_TEST(lnk::host::read_port("5432").value() == 5432);
  BOOST_TEST(lnk::host::read_port("65535").has_value());
  for (const auto* text : {"", "0", "65536", "-1", "+1", " 1", "1 ", "0x10", "http", "1,2", "*"})
    BOOST_TEST(!lnk::host::read_port(text).has_value(), text);
  BOOST_TEST(lnk::host::read_port("*").error().text.find("every port") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_endpoint_is_a_name_with_a_port_or_a_mongodb_name) {
  check_twins(
      {
          {"db.example.com", "names no port", "db.example.com:5432"},
          {"*:5432", "covers every host", "*.example.com:5432"},
          {"*.com:5432", "covers a public suffix", "*.mongodb.net:27017"},
          {"1.2.3.4:5432", "is an address", "a.b.c.d:5432"},
          {"[2600::1]:5432", "is an address", "db:5432"},
          {"localhost:5432", "this machine", "localhosts:5432"},
          {"postgres://db.example.com:5432", "has a scheme", "db.example.com:5432"},
          {"mongodb+srv://c.ab12c.mongodb.net:27017", "has a port", "mongodb+srv://c.ab12c.mongodb.net"},
          {"mongodb+srv://*.ab12c.mongodb.net", "has a *", "mongodb+srv://c0.ab12c.mongodb.net"},
          {"mongodb+srv://mongodb.net", "is no mongodb+srv name", "mongodb+srv://c.mongodb.net"},
          {"mongodb+srv://a.b.local", "is no mongodb+srv name", "mongodb+srv://a.b.locals"},
          {"mongodb+srv://c.co.uk", "right below a public suffix", "mongodb+srv://c.x.co.uk"},
          {"mongodb+srv://c.x.net/db", "has a path", "mongodb+srv://c.x.net"},
      },
      lnk::host::read_endpoint);
  BOOST_TEST(lnk::host::read_endpoint("mongodb+srv://c.x.net")->srv);
  BOOST_TEST(lnk::host::read_endpoint("c.x.net:1")->port == 1);
}

BOOST_AUTO_TEST_CASE(a_public_suffix_is_one_label_or_of_the_list) {
  for (const auto* suffix : {"com", "test", "co.uk", "com.au", "ac.jp", "github.io", "s3.amazonaws.com", "pages.dev"}) {
    BOOST_TEST_CONTEXT(suffix) { BOOST_TEST(lnk::host::is_public_suffix(suffix)); }
  }
  for (const auto* own : {"example.com", "bbc.co.uk", "mongodb.net", "x.github.io", "co.example", "pythonhosted.org"}) {
    BOOST_TEST_CONTEXT(own) { BOOST_TEST(!lnk::host::is_public_suffix(own)); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
