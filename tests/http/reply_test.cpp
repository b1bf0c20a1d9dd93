// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "read.hpp"

using namespace lnk::http;
using namespace lnk::http::testing;
using namespace std::string_literals;

namespace {

std::string ok(std::string_view fields) { return "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n"; }

const std::string kChunked = "Transfer-Encoding: chunked\r\n";
const std::string kLength = "Content-Length: 5\r\n";

struct Row {
  std::string_view fault;
  std::string refused;
  std::string allowed;
};

const Row kRows[] = {
    {"85 both framings", ok(kLength + kChunked), ok(kLength)},
    {"85 two lengths that differ", ok("Content-Length: 5\r\nContent-Length: 6\r\n"), ok(kLength)},
    {"85 two equal lengths", ok(kLength + kLength), ok(kLength)},
    {"85 a length that is no number", ok("Content-Length: 5x\r\n"), ok(kLength)},
    {"85 status 1000", "HTTP/1.1 1000 OK\r\n\r\n", "HTTP/1.1 100 OK\r\n\r\n"},
    {"85 no status", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 \r\n\r\n"},
    {"85 status 20", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 200\r\n\r\n"},
    {"85 bare LF", "HTTP/1.1 200 OK\nX: 1\n\n", ok("X: 1\r\n")},
    {"85 CR in a value", ok("X: a\rb\r\n"), ok("X: a b\r\n")},
    {"85 NUL in a value", ok("X: a\0b\r\n"s), ok("X: ab\r\n")},
    {"85 HTTP/2", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"},
    {"85 ICY", "ICY 200 OK\r\n\r\n", ok("")},
    {"86 a folded line", ok("X: a\r\n b\r\n"), ok("X: a b\r\n")},
    {"87 status 099", "HTTP/1.1 099 X\r\n\r\n", "HTTP/1.1 100 X\r\n\r\n"},
    {"87 status 600", "HTTP/1.1 600 X\r\n\r\n", "HTTP/1.1 599 X\r\n\r\n"},
    {"88 a coding that isn't known", ok("Transfer-Encoding: xchunked\r\n"), ok(kChunked)},
    {"88 gzip, chunked", ok("Transfer-Encoding: gzip, chunked\r\n"), ok("Content-Encoding: gzip\r\n" + kChunked)},
    {"16 a coding in HTTP/1.0", "HTTP/1.0 200 OK\r\n" + kChunked + "\r\n", "HTTP/1.0 200 OK\r\n" + kLength + "\r\n"},
    {"18 a space before the colon", ok("X : 1\r\n"), ok("X: 1\r\n")},
    {"30 a line without a colon", ok("X\r\n"), ok("X:\r\n")},
    {"52 two spaces", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 200  OK\r\n\r\n"},
    {"a character behind the status", "HTTP/1.1 200x\r\n\r\n", "HTTP/1.1 200 x\r\n\r\n"},
};

ReplyHead taken(std::string_view bytes, std::string_view method = "GET") {
  auto head = read_reply(bytes, method);
  BOOST_REQUIRE(!is_refused(head));
  return std::get<ReplyHead>(std::move(head));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reply)

BOOST_AUTO_TEST_CASE(each_fault_is_502_and_its_mended_twin_is_taken) {
  for (const Row& row : kRows) {
    BOOST_TEST_CONTEXT(row.fault) {
      BOOST_TEST(refused_status(read_reply(row.refused)) == 502);
      BOOST_TEST(refused_status(read_reply(row.allowed)) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reply_without_a_length_goes_to_the_connections_end) {
  const ReplyHead head = taken(ok(""));
  BOOST_TEST((head.body.framing == Framing::UntilClose));
  BOOST_TEST(!head.wants_keep_alive);
}

BOOST_AUTO_TEST_CASE(what_has_no_body_by_its_status_or_method_has_none_and_tells_its_length) {
  for (const std::string_view status : {"204", "304", "100", "103"}) {
    const ReplyHead head = taken("HTTP/1.1 " + std::string(status) + " X\r\n" + kLength + "\r\n");
    BOOST_TEST((head.body == Body{}));
    BOOST_TEST(head.told_length.value_or(0) == 5U);
    BOOST_TEST(head.wants_keep_alive);
  }
  BOOST_TEST((taken(ok(kLength), "HEAD").body == Body{}));
  BOOST_TEST((taken(ok(kLength), "GET").body == Body{Framing::Length, 5}));
}

BOOST_AUTO_TEST_CASE(a_switch_is_one_to_websocket_alone_and_frames_no_body) {
  const std::string head = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n";
  BOOST_TEST(taken(head + "Upgrade: websocket\r\n\r\n").is_websocket);
  for (const std::string_view fields :
       {"", "Upgrade: h2c\r\n", "Upgrade: websocket, h2c\r\n", "Upgrade: websocket\r\nUpgrade: websocket\r\n",
        "Upgrade: websocket\r\nContent-Length: 0\r\n", "Upgrade: websocket\r\nTransfer-Encoding: chunked\r\n"}) {
    BOOST_TEST(!taken(head + std::string(fields) + "\r\n").is_websocket, fields);
  }
  BOOST_TEST(!taken("HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n").is_websocket);
  BOOST_TEST(!taken("HTTP/1.0 101 X\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n").is_websocket);
  BOOST_TEST(!taken("HTTP/1.1 200 X\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n").is_websocket);
}

BOOST_AUTO_TEST_CASE(a_phrase_is_kept_where_it_is_plain) {
  BOOST_TEST(taken("HTTP/1.1 200 All is  well\r\n\r\n").reason == "All is  well");
  BOOST_TEST(taken("HTTP/1.1 200 \xe9\r\n\r\n").reason.empty());
}

BOOST_AUTO_TEST_CASE(a_field_of_a_reply_may_be_longer_than_one_of_a_request) {
  BOOST_TEST(refused_status(read_reply(ok("X: " + std::string(20000, 'a') + "\r\n"))) == 0);
  BOOST_TEST(refused_status(read_reply(ok("X: " + std::string(kHeadBytesMax, 'a') + "\r\n"))) == 502);
}

BOOST_AUTO_TEST_SUITE_END()
