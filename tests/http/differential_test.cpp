// SPDX-License-Identifier: Apache-2.0
//
// What the strict reader takes and the writer writes is read alike by a lenient one: Beast's parser, which never runs
// in the product. Heads are made by damaging sound ones, so that many are refused and some odd ones are taken.
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/test/unit_test.hpp>
#include <random>

#include "lnk/http/write.hpp"
#include "read.hpp"

namespace beast_http = boost::beast::http;
using namespace lnk::http;
using namespace lnk::http::testing;

namespace {

const std::string_view kSeeds[] = {
    "GET http://h.test/a?b HTTP/1.1\r\nHost: h.test\r\nX: 1\r\nConnection: close, X\r\n\r\n",
    "GET http://h.test/ws HTTP/1.1\r\nHost: h.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a==\r\n\r\n",
    "POST http://h.test:8080/ HTTP/1.1\r\nHost: h.test:8080\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\n",
    "POST http://h.test/ HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
    "GET http://h.test HTTP/1.0\r\nAccept: */*\r\nUpgrade: h2c\r\nX-Long: a;b=\"c, d\"\r\n\r\n",
    "OPTIONS http://h.test HTTP/1.1\r\nHost: h.test\r\nTE: trailers\r\nCookie: a=b; c=d\r\n\r\n",
};

const std::string_view kPieces[] = {"\r\n",
                                    "\n",
                                    "\r",
                                    " ",
                                    "\t",
                                    ":",
                                    ",",
                                    "chunked",
                                    "Content-Length: 6\r\n",
                                    "Transfer-Encoding: chunked\r\n",
                                    "Host: evil.test\r\n",
                                    "Connection: Host\r\n",
                                    "\r\n\r\n",
                                    "identity",
                                    "http://",
                                    "@",
                                    "%0d",
                                    "?",
                                    "#",
                                    "\x80"};

std::string damage(std::string text, std::mt19937& random) {
  for (unsigned left = random() % 4; left > 0; --left) {
    const std::size_t at = random() % (text.size() + 1);
    const std::string_view piece = kPieces[random() % std::size(kPieces)];
    switch (random() % 3) {
      case 0:
        text.insert(at, piece);
        break;
      case 1:
        text.erase(at, 1 + random() % 4);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random() % 5 == 0 ? random() : 0x20 + random() % 0x60);
        break;
    }
  }
  return text;
}

bool is_hop_field(std::string_view name) {
  for (const std::string_view hop :
       {"connection", "keep-alive", "te", "trailer", "upgrade", "expect", "proxy-connection"}) {
    if (equals_folded(name, hop)) return true;
  }
  return false;
}

void check_read_alike(const RequestHead& ours, const std::string& written) {
  beast_http::request_parser<beast_http::empty_body> parser;
  parser.header_limit(2 * kHeadBytesMax);
  parser.body_limit(boost::none);
  boost::beast::error_code error;
  const std::size_t used = parser.put(boost::asio::buffer(written), error);
  BOOST_REQUIRE_MESSAGE(!error || error == beast_http::error::need_buffer, error.message() << "\n" << written);
  BOOST_REQUIRE(parser.is_header_done());
  BOOST_REQUIRE(used == written.size());
  const auto& theirs = parser.get();
  BOOST_REQUIRE(theirs.method_string() == boost::beast::string_view(ours.method.data(), ours.method.size()));
  const std::string target = std::string(ours.path) + (ours.has_query ? "?" + std::string(ours.query) : "");
  BOOST_REQUIRE(theirs.target() == target);
  BOOST_REQUIRE(theirs.count(beast_http::field::host) == 1);
  BOOST_REQUIRE(theirs[beast_http::field::host] == ours.authority.to_text(80));
  BOOST_REQUIRE(theirs.chunked() == (ours.body.framing == Framing::Chunked));
  BOOST_REQUIRE(theirs.count(beast_http::field::content_length) == (ours.body.framing == Framing::Length ? 1U : 0U));
  if (ours.body.framing == Framing::Length)
    BOOST_REQUIRE(theirs[beast_http::field::content_length] == std::to_string(ours.body.length));
  std::size_t expected = 1 + (ours.body.framing == Framing::None ? 0 : 1);
  expected += end_to_end_fields(ours.fields).size() + (ours.asks_websocket ? 2 : 0);
  BOOST_REQUIRE(static_cast<std::size_t>(std::distance(theirs.begin(), theirs.end())) == expected);
  for (const auto& field : theirs) {
    const bool is_switch = field.name() == beast_http::field::connection || field.name() == beast_http::field::upgrade;
    BOOST_REQUIRE(!is_hop_field(std::string(field.name_string())) || (is_switch && ours.asks_websocket));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(differential)

BOOST_AUTO_TEST_CASE(a_lenient_reader_sees_the_request_that_the_strict_one_saw) {
  std::mt19937 random(3);
  std::size_t taken = 0;
  constexpr int kRounds = 60000;
  for (int round = 0; round < kRounds; ++round) {
    const std::string bytes = damage(std::string(kSeeds[random() % std::size(kSeeds)]), random);
    const auto head = read_request(bytes);
    if (is_refused(head) || std::get<RequestHead>(head).form != TargetForm::Absolute) continue;
    const std::string written = write_origin_request(std::get<RequestHead>(head), 80);
    BOOST_REQUIRE(!written.empty());
    check_read_alike(std::get<RequestHead>(head), written);
    // The strict reader takes its own writing, and would write it once more the same.
    const auto again = read_request(written);
    BOOST_REQUIRE(!is_refused(again));
    BOOST_REQUIRE(write_origin_request(std::get<RequestHead>(again), 80) == written);
    ++taken;
  }
  BOOST_TEST(taken > kRounds / 10);  // the test would say little if nearly all were refused
  BOOST_TEST(taken < kRounds * 9 / 10);
}

BOOST_AUTO_TEST_SUITE_END()
