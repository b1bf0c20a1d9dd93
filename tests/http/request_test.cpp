// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "read.hpp"

using namespace lnk::http;
using namespace lnk::http::testing;
using namespace std::string_view_literals;
using namespace std::string_literals;

namespace {

/// A refused head, and what is taken when its one fault is mended.
struct Row {
  std::string_view fault;
  int status;
  std::string refused;
  std::string allowed;
};

std::string get(std::string_view fields) {
  return "GET http://h.test/ HTTP/1.1\r\nHost: h.test\r\n" + std::string(fields) + "\r\n";
}
std::string post(std::string_view fields) {
  return "POST http://h.test/ HTTP/1.1\r\nHost: h.test\r\n" + std::string(fields) + "\r\n";
}
std::string line(std::string_view request_line) { return std::string(request_line) + "\r\nHost: h.test\r\n\r\n"; }
std::string connect(std::string_view target, std::string_view fields = "") {
  return "CONNECT " + std::string(target) + " HTTP/1.1\r\nHost: " + std::string(target) + "\r\n" + std::string(fields) +
         "\r\n";
}

const std::string kChunked = "Transfer-Encoding: chunked\r\n";
const std::string kLength = "Content-Length: 5\r\n";

const Row kRows[] = {
    {"1 both framings", 400, post(kLength + kChunked), post(kLength)},
    {"1 both framings, the other way round", 400, post(kChunked + kLength), post(kChunked)},
    {"2 two lengths that differ", 400, post("Content-Length: 5\r\nContent-Length: 6\r\n"), post(kLength)},
    {"3 two equal lengths", 400, post(kLength + kLength), post(kLength)},
    {"4 a list of lengths", 400, post("Content-Length: 1, 1\r\n"), post("Content-Length: 1\r\n")},
    {"5 length +1", 400, post("Content-Length: +1\r\n"), post("Content-Length: 1\r\n")},
    {"5 length -1", 400, post("Content-Length: -1\r\n"), post("Content-Length: 0\r\n")},
    {"5 length in hex", 400, post("Content-Length: 0x1\r\n"), post("Content-Length:1\r\n")},
    {"5 length 1_0", 400, post("Content-Length: 1_0\r\n"), post("Content-Length: 10\r\n")},
    {"5 length 1 1", 400, post("Content-Length: 1 1\r\n"), post("Content-Length: 11 \r\n")},
    {"5 length 01", 400, post("Content-Length: 01\r\n"), post("Content-Length: \t1\r\n")},
    {"5 no length", 400, post("Content-Length: \r\n"), post("Content-Length: 0\r\n")},
    {"5 length over 2^64", 400, post("Content-Length: 18446744073709551617\r\n"),
     post("Content-Length: 999999999999999999\r\n")},
    {"5 VT before a digit", 400, post("Content-Length: \v1\r\n"), post("Content-Length: 1\r\n")},
    {"7 coding xchunked", 501, post("Transfer-Encoding: xchunked\r\n"), post(kChunked)},
    {"8 chunked, identity", 400, post("Transfer-Encoding: chunked, identity\r\n"),
     post("Transfer-Encoding: Chunked\r\n")},
    {"9 identity", 400, post("Transfer-Encoding: identity\r\n"), post(kChunked)},
    {"9 identity with a length", 400, post("Transfer-Encoding: identity\r\nContent-Length: 5\r\n"), post(kLength)},
    {"9 identity, chunked", 400, post("Transfer-Encoding: identity, chunked\r\n"), post(kChunked)},
    {"10 gzip, chunked", 501, post("Transfer-Encoding: gzip, chunked\r\n"),
     post("Content-Encoding: gzip\r\n" + kChunked)},
    {"10 chunked, gzip", 400, post("Transfer-Encoding: chunked, gzip\r\n"), post(kChunked)},
    {"11 quoted", 400, post("Transfer-Encoding: \"chunked\"\r\n"), post(kChunked)},
    {"11 with a parameter", 400, post("Transfer-Encoding: chunked;q=1\r\n"), post(kChunked)},
    {"11 empty", 400, post("Transfer-Encoding:\r\n"), post(kChunked)},
    {"11 a list with a gap", 400, post("Transfer-Encoding: chunked,\r\n"), post(kChunked)},
    {"11 chunked twice in a list", 400, post("Transfer-Encoding: chunked, chunked\r\n"), post(kChunked)},
    {"13 two lines chunked", 400, post(kChunked + kChunked), post(kChunked)},
    {"14 identity, then chunked", 400, post("Transfer-Encoding: identity\r\n" + kChunked), post(kChunked)},
    {"16 a coding in HTTP/1.0", 400, "POST http://h.test/ HTTP/1.0\r\n" + kChunked + "\r\n",
     "POST http://h.test/ HTTP/1.0\r\n" + kLength + "\r\n"},
    {"18 a space before the colon", 400, post("Transfer-Encoding : chunked\r\n"), post(kChunked)},
    {"18 a tab before the colon", 400, get("X\t: 1\r\n"), get("X:\t1\r\n")},
    {"19 folded with a space", 400, get("X: a\r\n b\r\n"), get("X: a b\r\n")},
    {"19 folded with a tab", 400, get("X: a\r\n\tb\r\n"), get("X: a\tb\r\n")},
    {"20 a folded coding", 400, post("Transfer-Encoding:\r\n chunked\r\n"), post(kChunked)},
    {"20 a folded Host", 400, "GET http://h.test/ HTTP/1.1\r\nHost:\r\n h.test\r\n\r\n", get("")},
    {"21 a first line that begins with a space", 400, "GET http://h.test/ HTTP/1.1\r\n Host: h.test\r\n\r\n", get("")},
    {"22 bare LF for line ends", 400, "GET http://h.test/ HTTP/1.1\nHost: h.test\n\n", get("")},
    {"23 bare LF inside a value", 400, get("X: a\nb\r\n"), get("X: ab\r\n")},
    {"24 bare CR inside a value", 400, get("X: a\rb\r\n"), get("X: ab\r\n")},
    {"24 a length behind a bare CR", 400, get("X: a\rContent-Length: 5\r\n"), get("X: a\r\nY: 5\r\n")},
    {"26 NUL in a value", 400, get("X: a\0b\r\n"sv), get("X: ab\r\n")},
    {"26 0x01 in a value", 400,
     get("X: a\x01"
         "b\r\n"),
     get("X: a b\r\n")},
    {"26 DEL in a value", 400, get("X: a\x7f\r\n"), get("X: a~\r\n")},
    {"27 NUL in a name", 400, get("X\0Y: a\r\n"sv), get("XY: a\r\n")},
    {"27 NUL in the target", 400, line("GET http://h.test/\0 HTTP/1.1"sv), line("GET http://h.test/%00 HTTP/1.1")},
    {"27 NUL in Host", 400, "GET http://h.test/ HTTP/1.1\r\nHost: h.test\0\r\n\r\n"s, get("")},
    {"28 obs-text in Host", 400, "GET http://h.test/ HTTP/1.1\r\nHost: h.t\xe9st\r\n\r\n", get("X: \xe9\r\n")},
    {"29 a byte beyond ASCII in the target", 400, line("GET http://h.test/\xc3\xa9 HTTP/1.1"),
     line("GET http://h.test/%c3%a9 HTTP/1.1")},
    {"30 an empty name", 400, get(": a\r\n"), get("X: a\r\n")},
    {"30 a line without a colon", 400, get("X\r\n"), get("X:\r\n")},
    {"30 a name that is no token", 400, get("X(): a\r\n"), get("X!: a\r\n")},
    {"41 two Hosts, equal", 400, get("Host: h.test\r\n"), get("X-Host: h.test\r\n")},
    {"41 two Hosts, different", 400, get("host: evil.test\r\n"), get("")},
    {"42 no Host on 1.1", 400, "GET http://h.test/ HTTP/1.1\r\n\r\n", "GET http://h.test/ HTTP/1.0\r\n\r\n"},
    {"43 an empty Host", 400, "GET http://h.test/ HTTP/1.1\r\nHost:\r\n\r\n", get("")},
    {"44 a Host that differs", 400, "GET http://h.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n",
     "GET http://h.test/ HTTP/1.1\r\nHost: H.TEST.:80\r\n\r\n"},
    {"44 a Host whose port differs", 400, "GET http://h.test:8080/ HTTP/1.1\r\nHost: h.test\r\n\r\n",
     "GET http://h.test:8080/ HTTP/1.1\r\nHost: h.test:8080\r\n\r\n"},
    {"44 a Host that differs from CONNECT's target", 400, "CONNECT h.test:443 HTTP/1.1\r\nHost: h.test:80\r\n\r\n",
     "CONNECT h.test:443 HTTP/1.1\r\nHost: h.test\r\n\r\n"},
    {"45 userinfo", 400, line("GET http://u:p@h.test/ HTTP/1.1"), line("GET http://h.test/@ HTTP/1.1")},
    {"45 userinfo in CONNECT", 400, connect("u@h.test:443"), connect("h.test:443")},
    {"45 userinfo in Host", 400, "GET http://h.test/ HTTP/1.1\r\nHost: u@h.test\r\n\r\n", get("")},
    {"46 CONNECT without a port", 400, connect("h.test"), connect("h.test:1")},
    {"46 CONNECT with an empty port", 400, connect("h.test:"), connect("h.test:65535")},
    {"46 CONNECT with a path", 400, connect("h.test:443/"), connect("h.test:443")},
    {"46 CONNECT with a scheme", 400, connect("http://h.test:443"), connect("h.test:443")},
    {"46 port 0", 400, connect("h.test:0"), connect("h.test:1")},
    {"46 port 080", 400, connect("h.test:080"), connect("h.test:80")},
    {"46 port +80", 400, connect("h.test:+80"), connect("h.test:80")},
    {"46 port 65536", 400, connect("h.test:65536"), connect("h.test:65535")},
    {"46 no host", 400, connect(":443"), connect("h:443")},
    {"47 CONNECT with a length", 400, connect("h.test:443", "Content-Length: 0\r\n"),
     connect("h.test:443", "X: 0\r\n")},
    {"47 CONNECT with a coding", 400, connect("h.test:443", kChunked), connect("h.test:443")},
    {"51 an empty line first", 400, "\r\n" + get(""), get("")},
    {"52 a space first", 400, " " + get(""), get("")},
    {"52 two spaces", 400, line("GET  http://h.test/ HTTP/1.1"), line("GET http://h.test/ HTTP/1.1")},
    {"52 a tab", 400, line("GET\thttp://h.test/ HTTP/1.1"), line("GET http://h.test/ HTTP/1.1")},
    {"52 a space at the end", 400, line("GET http://h.test/ HTTP/1.1 "), line("GET http://h.test/ HTTP/1.1")},
    {"52 a space in the target", 400, line("GET http://h.test/a b HTTP/1.1"), line("GET http://h.test/a%20b HTTP/1.1")},
    {"55 HTTP/0.9", 400, "GET /\r\n\r\n", line("GET /_link/x HTTP/1.1")},
    {"55 HTTP/1.2", 400, line("GET http://h.test/ HTTP/1.2"), line("GET http://h.test/ HTTP/1.1")},
    {"55 HTTP/1.10", 400, line("GET http://h.test/ HTTP/1.10"), line("GET http://h.test/ HTTP/1.0")},
    {"55 HTTP/2.0", 400, line("GET http://h.test/ HTTP/2.0"), line("GET http://h.test/ HTTP/1.1")},
    {"55 http in lower case", 400, line("GET http://h.test/ http/1.1"), line("GET HTTP://h.test/ HTTP/1.1")},
    {"56 HTTP/2 by prior knowledge", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", get("")},
    {"58 * with GET", 400, line("GET * HTTP/1.1"), line("OPTIONS * HTTP/1.1")},
    {"61 another Expect", 417, post("Expect: 200-ok\r\n" + kLength), post("Expect: 100-Continue\r\n" + kLength)},
    {"61 two Expects", 400, post("Expect: 100-continue\r\nExpect: 100-continue\r\n"), post("Expect: 100-continue\r\n")},
    {"73 a host percent-encoded", 400, connect("exa%6dple.test:443"), connect("example.test:443")},
    {"74 a zone id", 400, connect("[fe80::1%25eth0]:443"), connect("[fe80::1]:443")},
    {"75 a short IPv4 address", 400, connect("127.1:80"), connect("127.0.0.1:80")},
    {"75 an octal IPv4 address", 400, connect("0177.0.0.1:80"), connect("177.0.0.1:80")},
    {"75 a hex IPv4 address", 400, connect("0x7f.1:80"), connect("0x7f.test:80")},
    {"75 a plain number", 400, connect("2130706433:80"), connect("n2130706433:80")},
    {"77 two dots at the end", 400, connect("h.test..:443"), connect("h.test.:443")},
    {"79 a name beyond ASCII", 400,
     connect("b\xc3\xbc"
             "cher.test:443"),
     connect("xn--bcher-kva.test:443")},
    {"81 brackets that don't close", 400, connect("[::1:443"), connect("[::1]:443")},
    {"a scheme that isn't http", 400, line("GET https://h.test/ HTTP/1.1"), line("GET http://h.test/ HTTP/1.1")},
    {"a fragment", 400, line("GET http://h.test/a#b HTTP/1.1"), line("GET http://h.test/a%23b HTTP/1.1")},
    {"a backslash in the authority", 400, line("GET http://h.test\\@evil.test/ HTTP/1.1"),
     line("GET http://h.test/\\ HTTP/1.1")},
    {"a Connection option that is no token", 400, get("Connection: a b\r\n"), get("Connection: a, b,\r\n")},
    {"a method that is no token", 400, line("GE(T http://h.test/ HTTP/1.1"), line("GE-T http://h.test/ HTTP/1.1")},
};

RequestHead taken(std::string_view bytes) {
  auto head = read_request(bytes);
  BOOST_REQUIRE(!is_refused(head));
  return std::get<RequestHead>(std::move(head));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(request)

BOOST_AUTO_TEST_CASE(each_fault_is_refused_and_its_mended_twin_is_taken) {
  for (const Row& row : kRows) {
    BOOST_TEST_CONTEXT(row.fault) {
      BOOST_TEST(refused_status(read_request(row.refused)) == row.status);
      const auto allowed = read_request(row.allowed);
      BOOST_TEST(!is_refused(allowed), (is_refused(allowed) ? std::get<Refusal>(allowed).words : ""));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_is_wrong_in_one_line_of_ascii) {
  for (const Row& row : kRows) {
    const auto head = read_request(row.refused);
    BOOST_REQUIRE(is_refused(head));
    const std::string& words = std::get<Refusal>(head).words;
    BOOST_TEST(!words.empty());
    BOOST_TEST(std::all_of(words.begin(), words.end(), [](char byte) { return byte >= ' ' && byte < '\x7f'; }));
  }
}

BOOST_AUTO_TEST_CASE(a_target_may_have_16_KiB_and_no_byte_more) {
  const auto with_target = [](std::size_t bytes) {
    const std::string start = "http://h.test/";
    return line("GET " + start + std::string(bytes - start.size(), 'a') + " HTTP/1.1");
  };
  BOOST_TEST(refused_status(read_request(with_target(kTargetBytesMax))) == 0);
  BOOST_TEST(refused_status(read_request(with_target(kTargetBytesMax + 1))) == 414);
  BOOST_TEST(refused_status(read_request(with_target(kTargetBytesMax + 4096))) == 414);
}

BOOST_AUTO_TEST_CASE(a_head_may_have_100_fields_and_not_one_more) {
  const auto with_fields = [](std::size_t count) {
    std::string fields;
    for (std::size_t index = 1; index < count; ++index) fields += "X: 1\r\n";
    return get(fields);
  };
  BOOST_TEST(refused_status(read_request(with_fields(kFieldsMax))) == 0);
  BOOST_TEST(refused_status(read_request(with_fields(kFieldsMax + 1))) == 431);
}

BOOST_AUTO_TEST_CASE(a_field_may_have_8_KiB_and_a_head_64) {
  const auto with_field = [](std::size_t bytes) { return get("X: " + std::string(bytes - 5, 'a') + "\r\n"); };
  BOOST_TEST(refused_status(read_request(with_field(kRequestFieldBytesMax))) == 0);
  BOOST_TEST(refused_status(read_request(with_field(kRequestFieldBytesMax + 1))) == 431);
  const auto with_head = [](std::size_t bytes) {
    std::string fields;
    while (get(fields).size() + 4096 < bytes) fields += "X: " + std::string(4091, 'a') + "\r\n";
    const std::size_t left = bytes - get(fields).size();
    return get(fields + "X: " + std::string(left - 5, 'a') + "\r\n");
  };
  BOOST_TEST(refused_status(read_request(with_head(kHeadBytesMax))) == 0);
  BOOST_TEST(refused_status(read_request(with_head(kHeadBytesMax + 1))) == 431);
}

BOOST_AUTO_TEST_CASE(connect_gives_the_authority_and_nothing_else) {
  const RequestHead head = taken("CONNECT API.Example.COM.:443 HTTP/1.0\r\n\r\n");
  BOOST_TEST(head.authority.host.text == "api.example.com");
  BOOST_TEST(head.authority.port == 443);
  BOOST_TEST((head.form == TargetForm::Authority));
  BOOST_TEST(!head.wants_keep_alive);
}

BOOST_AUTO_TEST_CASE(absolute_form_gives_path_and_query_as_sent) {
  const RequestHead head = taken("GET http://h.test:8080/a%2Fb//c?d=%41?e HTTP/1.1\r\nHost: h.test:8080\r\n\r\n");
  BOOST_TEST(head.path == "/a%2Fb//c");
  BOOST_TEST(head.has_query);
  BOOST_TEST(head.query == "d=%41?e");
  BOOST_TEST(head.authority.port == 8080);
}

BOOST_AUTO_TEST_CASE(absolute_form_without_a_path_asks_for_the_root) {
  BOOST_TEST(taken(line("GET http://h.test HTTP/1.1")).path == "/");
  const RequestHead head = taken(line("GET http://h.test?a HTTP/1.1"));
  BOOST_TEST(head.path == "/");
  BOOST_TEST(head.query == "a");
  BOOST_TEST(taken(line("OPTIONS http://h.test HTTP/1.1")).path == "*");
}

BOOST_AUTO_TEST_CASE(origin_form_takes_the_authority_of_host) {
  const RequestHead head = taken("GET /_link/x HTTP/1.1\r\nHost: 127.0.0.1:40781\r\n\r\n");
  BOOST_TEST((head.form == TargetForm::Origin));
  BOOST_TEST(head.authority.port == 40781);
}

BOOST_AUTO_TEST_CASE(a_body_is_framed_by_what_the_head_says) {
  BOOST_TEST((taken(post("")).body == Body{Framing::None, 0}));
  BOOST_TEST((taken(post(kLength)).body == Body{Framing::Length, 5}));
  BOOST_TEST((taken(post(kChunked)).body == Body{Framing::Chunked, 0}));
}

BOOST_AUTO_TEST_CASE(a_connection_stays_as_its_version_and_options_say) {
  BOOST_TEST(taken(get("")).wants_keep_alive);
  BOOST_TEST(!taken(get("Connection: x, Close\r\n")).wants_keep_alive);
  BOOST_TEST(!taken("GET http://h.test/ HTTP/1.0\r\n\r\n").wants_keep_alive);
  BOOST_TEST(taken("GET http://h.test/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").wants_keep_alive);
}

BOOST_AUTO_TEST_CASE(an_expectation_of_http_1_0_is_not_answered) {
  BOOST_TEST(taken(post("Expect: 100-continue\r\n")).expects_continue);
  BOOST_TEST(!taken("POST http://h.test/ HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").expects_continue);
}

BOOST_AUTO_TEST_CASE(what_is_refused_on_verbs_alone_is_told) {
  BOOST_TEST(taken(get("X: \x80\r\n")).has_high_bytes);
  BOOST_TEST(!taken(get("X: ~\r\n")).has_high_bytes);
  BOOST_TEST(taken(get("Upgrade: websocket\r\n")).has_upgrade);
  BOOST_TEST(!taken(get("")).has_upgrade);
}

BOOST_AUTO_TEST_CASE(a_websocket_is_asked_for_by_one_upgrade_that_connection_names_and_no_other_switch_is_told) {
  const std::string connection = "Connection: keep-alive, Upgrade\r\n";
  BOOST_TEST(taken(get(connection + "Upgrade: websocket\r\n")).asks_websocket);
  BOOST_TEST(taken(get(connection + "Upgrade: WebSocket\r\n")).asks_websocket);
  for (const std::string& fields :
       {std::string("Upgrade: websocket\r\n"), connection, connection + "Upgrade: h2c\r\n",
        connection + "Upgrade: websocket, h2c\r\n", connection + "Upgrade: h2c\r\nUpgrade: websocket\r\n",
        connection + "Upgrade: websocket/13\r\n", connection + "Upgrade: websocket\r\nContent-Length: 0\r\n"}) {
    BOOST_TEST(!taken(get(fields)).asks_websocket, fields);
  }
  BOOST_TEST(!taken(post(connection + "Upgrade: websocket\r\n")).asks_websocket);
  BOOST_TEST(!taken("GET http://h.test/ HTTP/1.0\r\n" + connection + "Upgrade: websocket\r\n\r\n").asks_websocket);
}

BOOST_AUTO_TEST_SUITE_END()
