// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "read.hpp"

using namespace lnk::http;
using namespace lnk::http::testing;

BOOST_AUTO_TEST_SUITE(scanner)

BOOST_AUTO_TEST_CASE(a_head_needs_more_at_every_byte_but_its_last) {
  const std::string head = "GET http://h.test/ HTTP/1.1\r\nHost: h.test\r\nX:\t1\r\n\r\n";
  HeadScanner scanner(Side::Request);
  for (std::size_t size = 0; size < head.size(); ++size) {
    BOOST_REQUIRE((scanner.scan(std::string_view(head).substr(0, size)) == HeadScanner::Outcome::NeedMore));
  }
  BOOST_TEST((scanner.scan(head) == HeadScanner::Outcome::Whole));
  BOOST_TEST(scanner.size() == head.size());
}

BOOST_AUTO_TEST_CASE(what_is_behind_the_blank_line_is_not_looked_at) {
  const std::string head = "GET http://h.test/ HTTP/1.1\r\nHost: h.test\r\n\r\n";
  HeadScanner scanner(Side::Request);
  BOOST_TEST((scanner.scan(head + std::string("\0\n\r\x01", 4)) == HeadScanner::Outcome::Whole));
  BOOST_TEST(scanner.size() == head.size());
}

BOOST_AUTO_TEST_CASE(a_byte_that_no_head_has_is_refused_when_it_comes) {
  HeadScanner tls(Side::Request);
  BOOST_TEST((tls.scan("\x16\x03\x01") == HeadScanner::Outcome::Refused));
  HeadScanner text(Side::Request);
  BOOST_TEST((text.scan("GET / HTT") == HeadScanner::Outcome::NeedMore));
  BOOST_TEST((text.scan("GET / HTTP/1.1\n") == HeadScanner::Outcome::Refused));
}

BOOST_AUTO_TEST_CASE(a_head_without_end_is_refused_at_its_limit) {
  HeadScanner target(Side::Request);
  BOOST_TEST((target.scan("GET /" + std::string(kTargetBytesMax + 4096, 'a')) == HeadScanner::Outcome::Refused));
  BOOST_TEST(target.refusal().status == 414);
  std::string fields = "GET / HTTP/1.1\r\n";
  for (int index = 0; index < 20; ++index) fields += "X: " + std::string(4000, 'a') + "\r\n";
  HeadScanner head(Side::Request);
  BOOST_TEST((head.scan(fields) == HeadScanner::Outcome::Refused));
  BOOST_TEST(head.refusal().status == 431);
}

BOOST_AUTO_TEST_SUITE_END()
