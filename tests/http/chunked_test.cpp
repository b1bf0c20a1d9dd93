// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "read.hpp"

using namespace lnk::http;
using namespace lnk::http::testing;
using namespace std::string_literals;

namespace {

struct Row {
  std::string_view fault;
  std::string refused;
  std::string allowed;
};

const std::string kEnd = "0\r\n\r\n";

const Row kRows[] = {
    {"33 an extension with a bare LF", "1;a\nb\r\nx\r\n" + kEnd, "1;ab\r\nx\r\n" + kEnd},
    {"33 an extension with a bare CR", "1;a\rb\r\nx\r\n" + kEnd, "1;a b\r\nx\r\n" + kEnd},
    {"33 an extension with a NUL", "1;a\0\r\nx\r\n"s + kEnd, "1;a\r\nx\r\n" + kEnd},
    {"34 a quote over the line's end", "1;a=\"b\r\nx\r\n0\r\n\"\r\n\r\n", "1;a=\"b;\"\r\nx\r\n" + kEnd},
    {"34 a quoted pair over the line's end", "1;a=\"\\\r\nx\"\r\n" + kEnd, "1;a=\"\\\"\"\r\nx\r\n" + kEnd},
    {"35 a space behind the size", "1 \r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"35 a space before the size", " 1\r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"35 a space before the extension", "1 ;a\r\nx\r\n" + kEnd, "1; a\r\nx\r\n" + kEnd},
    {"35 0x1", "0x1\r\nx\r\n" + kEnd, "01\r\nx\r\n" + kEnd},
    {"35 +1", "+1\r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"35 -1", "-1\r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"35 no size", "\r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"35 an extension and no size", ";a\r\nx\r\n" + kEnd, "1;a\r\nx\r\n" + kEnd},
    {"35 a size over 2^64", "10000000000000001\r\nx\r\n" + kEnd, "0000000000000001\r\nx\r\n" + kEnd},
    {"36 a size line ended by LF", "1\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"36 data ended by LF", "1\r\nx\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"36 data longer than its size", "1\r\nxy\r\n" + kEnd, "2\r\nxy\r\n" + kEnd},
    {"36 data shorter than its size", "3\r\nx\r\n" + kEnd, "1\r\nx\r\n" + kEnd},
    {"39 a trailer of length", "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n", "1\r\nx\r\n0\r\nX-Length: 5\r\n\r\n"},
    {"39 a trailer of coding", "1\r\nx\r\n0\r\ntransfer-encoding: chunked\r\n\r\n",
     "1\r\nx\r\n0\r\nHost: evil\r\n\r\n"},
    {"a trailer without a colon", "0\r\nX\r\n\r\n", "0\r\nX:\r\n\r\n"},
    {"a trailer without a name", "0\r\n: 1\r\n\r\n", "0\r\nX: 1\r\n\r\n"},
    {"a folded trailer", "0\r\nX: 1\r\n 2\r\n\r\n", "0\r\nX: 1\r\nY: 2\r\n\r\n"},
    {"a trailer ended by LF", "0\r\nX: 1\n\r\n", "0\r\nX: 1\r\n\r\n"},
    {"a bare CR in a trailer", "0\r\nX: 1\rY: 2\r\n\r\n", "0\r\nX: 1 Y: 2\r\n\r\n"},
    {"a NUL in a trailer", "0\r\nX: \0\r\n\r\n"s, "0\r\nX: \r\n\r\n"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(chunked)

BOOST_AUTO_TEST_CASE(each_fault_is_refused_and_its_mended_twin_is_taken_however_the_bytes_come) {
  for (const Row& row : kRows) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{4096}}) {
      BOOST_TEST_CONTEXT(row.fault << ", " << step << " at once") {
        const Unchunked refused = unchunk(row.refused, step);
        BOOST_TEST(!refused.words.empty());
        BOOST_TEST(!refused.is_whole);
        const Unchunked allowed = unchunk(row.allowed, step);
        BOOST_TEST(allowed.is_whole, allowed.words);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(data_comes_without_sizes_extensions_and_trailers) {
  const std::string body =
      "5;a=b;c=\"d\"\r\nhello\r\n1\r\n,\r\n006\r\n world\r\n000\r\nHost: x\r\nAuthorization: y\r\n\r\n";
  for (std::size_t step = 1; step <= body.size(); ++step) {
    const Unchunked read = unchunk(body + "GET / next", step);
    BOOST_REQUIRE(read.is_whole);
    BOOST_REQUIRE(read.body == "hello, world");
    BOOST_REQUIRE(read.consumed == body.size());
  }
}

BOOST_AUTO_TEST_CASE(a_body_that_is_not_whole_needs_more_at_every_byte) {
  const std::string body = "3;x\r\nabc\r\n0\r\nX: 1\r\n\r\n";
  for (std::size_t size = 0; size < body.size(); ++size) {
    const Unchunked read = unchunk(std::string_view(body).substr(0, size), 1);
    BOOST_REQUIRE(!read.is_whole);
    BOOST_REQUIRE(read.words.empty());
  }
}

BOOST_AUTO_TEST_CASE(what_is_dropped_is_bounded) {
  const auto with_line = [](std::size_t bytes) { return "1;" + std::string(bytes - 3, 'a') + "\r\nx\r\n" + kEnd; };
  BOOST_TEST(unchunk(with_line(kChunkLineBytesMax), 4096).is_whole);
  BOOST_TEST(!unchunk(with_line(kChunkLineBytesMax + 1), 4096).is_whole);
  std::string many;
  for (std::size_t index = 0; index < kChunkExtensionBytesMax / 100; ++index)
    many += "1;" + std::string(110, 'a') + "\r\nx\r\n";
  BOOST_TEST(!unchunk(many + kEnd, 4096).is_whole);
  BOOST_TEST(unchunk("0\r\nX: " + std::string(kTrailerBytesMax - 20, 'a') + "\r\n\r\n", 4096).is_whole);
  BOOST_TEST(!unchunk("0\r\nX: " + std::string(kTrailerBytesMax, 'a') + "\r\n\r\n", 4096).is_whole);
}

BOOST_AUTO_TEST_SUITE_END()
