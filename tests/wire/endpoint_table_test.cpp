// SPDX-License-Identifier: Apache-2.0
#include "wire/endpoint_table.hpp"

#include <boost/test/unit_test.hpp>

#include "wire/limits.hpp"

using namespace lnk::host;
using Kind = NameRuling::Kind;

namespace {

EndpointTable table() {
  auto made = EndpointTable::make({{"db.example.com", 5432, false},
                                   {"db.example.com", 5433, false},
                                   {"*.wild.example.com", 22, false},
                                   {"single", 5432, false},
                                   {"cluster0.ab.example.com", 0, true}});
  BOOST_REQUIRE(made);
  return std::move(*made);
}

dns::Query asked(std::string name, std::uint16_t type, std::uint16_t klass = dns::kClassInternet) {
  dns::Query query;
  query.name = std::move(name);
  query.type = type;
  query.klass = klass;
  return query;
}

constexpr std::uint16_t kMx = 15;
constexpr std::uint16_t kHttps = 65;
constexpr std::uint16_t kAxfr = 252;

}  // namespace

BOOST_AUTO_TEST_SUITE(endpoint_table)

BOOST_AUTO_TEST_CASE(what_becomes_of_a_question_is_decided_on_it_alone) {
  const struct {
    const char* name;
    std::uint16_t type;
    Kind kind;
    std::string_view reason;  ///< of a refusal
  } cases[] = {
      {"db.example.com", dns::kTypeA, Kind::Address, ""},
      {"DB.Example.COM", dns::kTypeA, Kind::Address, ""},
      {"single", dns::kTypeA, Kind::Address, ""},
      {"a.wild.example.com", dns::kTypeA, Kind::Address, ""},
      {"b.a.wild.example.com", dns::kTypeA, Kind::Address, ""},
      {"wild.example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"xwild.example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"a.db.example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"other.test", dns::kTypeAaaa, Kind::Refused, "host-not-listed"},
      {".", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"a\\000b.wild.example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"1.2.3.4", dns::kTypeA, Kind::Refused, "host-not-listed"},
      {"localhost", dns::kTypeA, Kind::Refused, "closed-address"},
      {"metadata.google.internal", dns::kTypeA, Kind::Refused, "closed-address"},
      {"db.example.com", dns::kTypeAaaa, Kind::NoData, ""},
      {"db.example.com", kMx, Kind::NoData, ""},
      {"db.example.com", kHttps, Kind::NoData, ""},
      {"db.example.com", dns::kTypeTxt, Kind::NoData, ""},
      {"db.example.com", dns::kTypeSrv, Kind::NoData, ""},
      {"db.example.com", dns::kTypeAny, Kind::Refused, "bad-request"},
      {"db.example.com", kAxfr, Kind::Refused, "bad-request"},
      {"_mongodb._tcp.cluster0.ab.example.com", dns::kTypeSrv, Kind::Ask, ""},
      {"_MongoDB._tcp.Cluster0.ab.example.com", dns::kTypeSrv, Kind::Ask, ""},
      {"cluster0.ab.example.com", dns::kTypeTxt, Kind::Ask, ""},
      {"cluster0.ab.example.com", dns::kTypeA, Kind::NoData, ""},
      {"cluster0.ab.example.com", dns::kTypeSrv, Kind::NoData, ""},
      {"_mongodb._tcp.cluster0.ab.example.com", dns::kTypeTxt, Kind::NoData, ""},
      {"_mongodb._tcp.a.wild.example.com", dns::kTypeSrv, Kind::NoData, ""},
      {"_mongodb._tcp.other.ab.example.com", dns::kTypeSrv, Kind::Refused, "host-not-listed"},
      {"_other._tcp.cluster0.ab.example.com", dns::kTypeSrv, Kind::Refused, "host-not-listed"},
      {"m0.ab.example.com", dns::kTypeA, Kind::Refused, "host-not-listed"},
  };
  const auto endpoints = table();
  for (const auto& one : cases) {
    BOOST_TEST_CONTEXT(one.name << " " << one.type) {
      const auto ruling = endpoints.rule(asked(one.name, one.type));
      BOOST_CHECK(ruling.kind == one.kind);
      BOOST_TEST(ruling.refusal.has_value() == (one.kind == Kind::Refused));
      if (ruling.refusal) BOOST_TEST(ruling.refusal->reason == one.reason);
    }
  }
  BOOST_CHECK(endpoints.rule(asked("db.example.com", dns::kTypeA, 3)).kind == Kind::Refused);
  auto unread = asked("db.example.com", dns::kTypeA);
  unread.fault = dns::Rcode::FormErr;
  BOOST_CHECK(endpoints.rule(unread).kind == Kind::Refused);
}

BOOST_AUTO_TEST_CASE(a_name_has_every_port_that_a_line_gives_it) {
  const auto endpoints = table();
  BOOST_TEST((endpoints.ports_of("db.example.com") == std::vector<std::uint16_t>{5432, 5433}));
  BOOST_TEST((endpoints.ports_of("a.b.wild.example.com") == std::vector<std::uint16_t>{22}));
  BOOST_TEST(endpoints.ports_of("other.test").empty());
}

BOOST_AUTO_TEST_CASE(a_server_is_an_endpoint_only_below_the_domain_of_the_name_that_led_to_it) {
  constexpr std::string_view kCluster = "cluster0.ab.example.com";
  auto endpoints = table();
  for (const char* other : {"m0.example.com", "ab.example.com", "m0.xab.example.com", "m0.ab.example.org", "evil.test", ".", "127.0.0.1", "a\\.b.ab.example.com"})
    BOOST_TEST_CONTEXT(other) BOOST_TEST(!endpoints.add_target(kCluster, other, 27017).has_value());
  BOOST_TEST(!endpoints.add_target(kCluster, "m0.ab.example.com", 0).has_value());
  BOOST_TEST(endpoints.add_target(kCluster, "M0.ab.example.com.", 27018).value_or("") == "m0.ab.example.com");
  BOOST_TEST((endpoints.ports_of("m0.ab.example.com") == std::vector<std::uint16_t>{27018}));
  BOOST_CHECK(endpoints.rule(asked("m0.ab.example.com", dns::kTypeA)).kind == Kind::Address);
  BOOST_CHECK(endpoints.rule(asked("m1.ab.example.com", dns::kTypeA)).kind == Kind::Refused);
}

BOOST_AUTO_TEST_CASE(servers_of_one_run_are_so_many_and_known_ones_stay) {
  auto endpoints = table();
  for (std::size_t count = 0; count < kSrvTargetsMax; ++count)
    BOOST_REQUIRE(endpoints.add_target("cluster0.ab.example.com", "m" + std::to_string(count) + ".ab.example.com", 27017).has_value());
  BOOST_TEST(!endpoints.add_target("cluster0.ab.example.com", "more.ab.example.com", 27017).has_value());
  BOOST_TEST(endpoints.add_target("cluster0.ab.example.com", "m0.ab.example.com", 27017).has_value());
}

BOOST_AUTO_TEST_CASE(an_endpoint_that_can_be_none_is_an_error) {
  BOOST_TEST(!EndpointTable::make({{"*", 5432, false}}));
  BOOST_TEST(!EndpointTable::make({{"db.example.com", 0, false}}));
  BOOST_TEST(!EndpointTable::make({{"cluster0.local", 0, true}}));
  BOOST_TEST(!EndpointTable::make({{"1.2.3.4:5", 0, true}}));
  BOOST_TEST(EndpointTable::make({}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
