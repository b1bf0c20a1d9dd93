// SPDX-License-Identifier: Apache-2.0
//
// Messages of DNS, by bytes written out here.
#include "dns/message.hpp"

#include <boost/test/unit_test.hpp>

namespace dns = lnk::host::dns;

namespace {

std::string number(unsigned value) { return {static_cast<char>(value >> 8U), static_cast<char>(value & 0xffU)}; }

std::string head(unsigned flags, unsigned questions, unsigned answers, unsigned more = 0) {
  return number(0x1234) + number(flags) + number(questions) + number(answers) + number(0) + number(more);
}

std::string name(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto label = text.substr(0, text.find('.'));
    out += static_cast<char>(label.size());
    out += label;
    text.remove_prefix(std::min(label.size() + 1, text.size()));
  }
  return out + '\0';
}

std::string question(std::string_view text, unsigned type, unsigned klass = 1) { return name(text) + number(type) + number(klass); }

std::string edns(unsigned size, unsigned version = 0, const std::string& owner = std::string(1, '\0')) {
  return owner + number(41) + number(size) + number(version) + number(0) + number(0);
}

constexpr unsigned kAsks = 0x0100;  // recursion is wanted

dns::Query read(const std::string& packet) {
  const auto query = dns::read_query(packet);
  BOOST_REQUIRE(query.has_value());
  return *query;
}

unsigned flags_of(const std::string& reply) {
  return static_cast<unsigned>(static_cast<unsigned char>(reply[2])) << 8U | static_cast<unsigned char>(reply[3]);
}

unsigned count_of(const std::string& reply, std::size_t section) { return static_cast<unsigned char>(reply[5 + 2 * section]); }

}  // namespace

BOOST_AUTO_TEST_SUITE(dns_message)

BOOST_AUTO_TEST_CASE(a_question_is_read_and_goes_back_byte_for_byte) {
  const std::string asked = question("dB.eXample.COM", dns::kTypeA);
  const auto query = read(head(kAsks, 1, 0) + asked);
  BOOST_CHECK(query.fault == dns::Rcode::NoError);
  BOOST_TEST(query.name == "dB.eXample.COM");
  BOOST_TEST(query.type == dns::kTypeA);
  BOOST_TEST(!query.has_edns);
  const std::string reply = dns::write_reply(query, {dns::Rcode::NoError, {{dns::kTypeA, std::string("\x7f\x40\0\1", 4)}}}, 512);
  BOOST_TEST(reply.substr(0, 2) == number(0x1234));
  BOOST_TEST(flags_of(reply) == 0x8180U);
  BOOST_TEST(reply.substr(12, asked.size()) == asked);
  BOOST_TEST(count_of(reply, 1) == 1U);
  BOOST_TEST(count_of(reply, 3) == 0U);
  BOOST_TEST(reply.substr(reply.size() - 4) == std::string("\x7f\x40\0\1", 4));
}

BOOST_AUTO_TEST_CASE(what_is_no_question_is_never_answered) {
  BOOST_TEST(!dns::read_query("").has_value());
  BOOST_TEST(!dns::read_query(head(kAsks, 1, 0).substr(0, 11)).has_value());
  BOOST_TEST(!dns::read_query(head(0x8180, 1, 0) + question("a.b", 1)).has_value());
  BOOST_TEST(dns::read_query(head(kAsks, 1, 0) + question("a.b", 1)).has_value());
}

BOOST_AUTO_TEST_CASE(a_fault_is_answered_by_its_number_alone) {
  const std::string good = question("a.b", 1);
  const struct {
    std::string packet;
    dns::Rcode code;
  } cases[] = {
      {head(kAsks, 2, 0) + good + good, dns::Rcode::FormErr},
      {head(kAsks, 0, 0), dns::Rcode::FormErr},
      {head(kAsks, 1, 1) + good + good, dns::Rcode::FormErr},
      {head(kAsks, 1, 0) + good + "x", dns::Rcode::FormErr},
      {head(kAsks, 1, 0) + good.substr(0, good.size() - 1), dns::Rcode::FormErr},
      {head(kAsks, 1, 0) + "\xc0\x0c" + number(1) + number(1), dns::Rcode::FormErr},
      {head(kAsks, 1, 0) + std::string("\xc0\0", 2) + number(1) + number(1), dns::Rcode::FormErr},
      {head(kAsks, 1, 0) + question(std::string(64, 'a'), 1), dns::Rcode::FormErr},
      {head(kAsks, 1, 0, 2) + good + edns(512) + edns(512), dns::Rcode::FormErr},
      {head(kAsks, 1, 0, 1) + good + edns(512, 0, name("x")), dns::Rcode::FormErr},
      {head(kAsks, 1, 0, 1) + good + edns(512, 1), dns::Rcode::BadVers},
      {head(0x1000, 1, 0) + good, dns::Rcode::NotImp},
      {head(0x2800, 1, 0) + good, dns::Rcode::NotImp},
      {head(kAsks, 1, 0) + good, dns::Rcode::NoError},
      {head(kAsks, 1, 0, 1) + good + edns(512), dns::Rcode::NoError},
  };
  for (const auto& one : cases) {
    const auto query = read(one.packet);
    BOOST_TEST(static_cast<int>(query.fault) == static_cast<int>(one.code));
    const std::string reply = dns::write_reply(query, {one.code, {}}, 512);
    BOOST_TEST((flags_of(reply) & 0xfU) == (static_cast<unsigned>(one.code) & 0xfU));
    BOOST_TEST((flags_of(reply) & 0x8000U) != 0U);
  }
}

BOOST_AUTO_TEST_CASE(names_are_held_to_their_limits) {
  const std::string label(63, 'a');
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'a');  // 255 bytes on the wire
  BOOST_CHECK(read(head(kAsks, 1, 0) + question(longest, 1)).fault == dns::Rcode::NoError);
  BOOST_CHECK(read(head(kAsks, 1, 0) + question(longest + "a", 1)).fault == dns::Rcode::FormErr);
  BOOST_TEST(dns::srv_record({0, 0, 1, longest}).has_value());
  BOOST_TEST(!dns::srv_record({0, 0, 1, longest + "a"}).has_value());
  BOOST_TEST(!dns::srv_record({0, 0, 1, label + "a"}).has_value());
  BOOST_TEST(!dns::srv_record({0, 0, 1, "a..b"}).has_value());
}

BOOST_AUTO_TEST_CASE(edns_is_answered_where_it_was_asked_and_no_size_is_over_1232) {
  const auto sized = [](unsigned size) { return read(head(kAsks, 1, 0, 1) + question("a.b", 1) + edns(size)); };
  BOOST_TEST(sized(4096).udp_bytes == 1232U);
  BOOST_TEST(sized(800).udp_bytes == 800U);
  BOOST_TEST(sized(0).udp_bytes == 512U);
  BOOST_TEST(count_of(dns::write_reply(sized(4096), {}, 1232), 3) == 1U);
  BOOST_TEST(count_of(dns::write_reply(read(head(kAsks, 1, 0) + question("a.b", 1)), {}, 512), 3) == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_cut_and_comes_whole_over_tcp) {
  const auto query = read(head(kAsks, 1, 0) + question("a.b", dns::kTypeTxt));
  const dns::Reply reply{dns::Rcode::NoError, {{dns::kTypeTxt, "\xfa" + std::string(250, 'a')}, {dns::kTypeTxt, "\xff" + std::string(255, 'b')}, {dns::kTypeTxt, std::string(1, '\0')}}};
  const std::string cut = dns::write_reply(query, reply, 512);
  BOOST_TEST(cut.size() <= 512U);
  BOOST_TEST((flags_of(cut) & 0x0200U) != 0U);
  BOOST_TEST(count_of(cut, 1) == 0U);
  const std::string whole = dns::write_reply(query, reply, dns::kTcpBytesMax);
  BOOST_TEST((flags_of(whole) & 0x0200U) == 0U);
  BOOST_REQUIRE(dns::read_txt_records(whole).has_value());
  BOOST_TEST(dns::read_txt_records(whole)->size() == 3U);
}

BOOST_AUTO_TEST_CASE(no_data_is_said_with_an_soa) {
  const auto query = read(head(kAsks, 1, 0) + question("a.b", dns::kTypeAaaa));
  BOOST_TEST(count_of(dns::write_reply(query, {}, 512), 2) == 1U);
  BOOST_TEST(count_of(dns::write_reply(query, {dns::Rcode::Refused, {}}, 512), 2) == 0U);
}

BOOST_AUTO_TEST_CASE(servers_of_an_answer_are_read_with_their_names_uncompressed) {
  const std::string asked = question("_s._tcp.x.org", dns::kTypeSrv);
  const auto record = [](const std::string& target) {
    return "\xc0\x0c" + number(33) + number(1) + number(0) + number(60) + number(static_cast<unsigned>(6 + target.size())) + number(1) +
           number(2) + number(27017) + target;
  };
  const auto found = dns::read_srv_records(head(0x8180, 1, 2) + asked + record("\x02m0\xc0\x14") + record(name("m1.x.org")));
  BOOST_REQUIRE(found.has_value());
  BOOST_REQUIRE(found->size() == 2U);
  BOOST_CHECK((found->front() == dns::Srv{1, 2, 27017, "m0.x.org"}));
  BOOST_TEST(found->back().target == "m1.x.org");
  const auto itself = static_cast<char>(12 + asked.size() + 12 + 6);
  BOOST_TEST(!dns::read_srv_records(head(0x8180, 1, 1) + asked + record(std::string("\xc0") + itself)).has_value());
  BOOST_TEST(!dns::read_srv_records(head(0x8180, 1, 1) + asked + record("")).has_value());
  BOOST_TEST(!dns::read_srv_records(head(0x8180, 1, 1) + asked + record(name("m1.x.org") + "x")).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
