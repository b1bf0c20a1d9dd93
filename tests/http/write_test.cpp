// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/write.hpp"

#include <boost/test/unit_test.hpp>

#include "read.hpp"

using namespace lnk::http;
using namespace lnk::http::testing;
using namespace std::string_view_literals;

namespace {

std::string rewritten(std::string_view bytes) {
  const auto head = read_request(bytes);
  BOOST_REQUIRE(!is_refused(head));
  return write_origin_request(std::get<RequestHead>(head), 80);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writer)

BOOST_AUTO_TEST_CASE(a_request_goes_out_in_origin_form_with_the_hosts_own_name) {
  BOOST_TEST(rewritten("GET http://H.test:8080/a?b HTTP/1.0\r\nX-A: 1\r\nhost: h.TEST:8080\r\n\r\n") ==
             "GET /a?b HTTP/1.1\r\nHost: h.test:8080\r\nX-A: 1\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(fields_of_this_hop_and_those_that_connection_names_stay_behind) {
  const std::string_view sent =
      "POST http://h.test/ HTTP/1.1\r\nHost: h.test\r\nConnection: X-Hop, close\r\nx-hop: 1\r\nKeep-Alive: "
      "5\r\nProxy-Connection: "
      "keep-alive\r\nTE: trailers\r\nTrailer: X\r\nUpgrade: h2c\r\nHTTP2-Settings: a\r\nProxy-Authorization: "
      "b\r\nExpect: "
      "100-continue\r\nTransfer-Encoding: chunked\r\nX-Kept: 2\r\n\r\n";
  BOOST_TEST(rewritten(sent) == "POST / HTTP/1.1\r\nHost: h.test\r\nX-Kept: 2\r\nTransfer-Encoding: chunked\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(of_upgrades_the_one_to_a_websocket_goes_on_and_no_other) {
  const auto asked = [](std::string_view fields) {
    return rewritten("GET http://h.test/ HTTP/1.1\r\nHost: h.test\r\nConnection: X, Upgrade\r\nX: 1\r\n" +
                     std::string(fields) + "\r\n");
  };
  const std::string plain = "GET / HTTP/1.1\r\nHost: h.test\r\n";
  BOOST_TEST(asked("Upgrade: WebSocket\r\nSec-WebSocket-Key: a\r\n") ==
             plain + "Sec-WebSocket-Key: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  for (const std::string_view fields : {"", "Upgrade: h2c\r\nHTTP2-Settings: a\r\n", "Upgrade: websocket, h2c\r\n"})
    BOOST_TEST(asked(fields) == plain + "\r\n");
}

BOOST_AUTO_TEST_CASE(a_length_is_written_from_its_number) {
  BOOST_TEST(rewritten("POST http://h.test/ HTTP/1.1\r\nHost: h.test\r\ncontent-length:  12 \r\n\r\n") ==
             "POST / HTTP/1.1\r\nHost: h.test\r\nContent-Length: 12\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(a_part_that_could_end_a_line_makes_the_head_unusable) {
  for (const std::string_view value : {"a\r\nX: 1"sv, "a\nb"sv, "a\rb"sv, "a\0b"sv, " a"sv, "a "sv, "\x7f"sv}) {
    BOOST_TEST(HeadWriter().request("GET", "/").field("X", value).finish().empty());
  }
  for (const std::string_view name : {""sv, "a b"sv, "a:"sv, "a\r"sv, "\xc3\xa9"sv}) {
    BOOST_TEST(HeadWriter().request("GET", "/").field(name, "1").finish().empty());
  }
  for (const std::string_view target : {""sv, "/a b"sv, "/\r\n"sv, "/\xc3\xa9"sv}) {
    BOOST_TEST(HeadWriter().request("GET", target).finish().empty());
  }
  BOOST_TEST(HeadWriter().request("G T", "/").finish().empty());
  BOOST_TEST(HeadWriter().reply(99, "").finish().empty());
  BOOST_TEST(HeadWriter().reply(200, "a\rb").finish().empty());
  BOOST_TEST(HeadWriter().field("X", "1").finish().empty());
  BOOST_TEST(!HeadWriter().request("GET", "/").field("X", "\xe9\t1").finish().empty());
}

BOOST_AUTO_TEST_SUITE_END()
