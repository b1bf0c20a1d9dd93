// SPDX-License-Identifier: Apache-2.0
#include "wire/decision.hpp"

#include <boost/test/unit_test.hpp>

using namespace lnk;
using namespace lnk::host;

namespace {

constexpr std::uint16_t kPort = 40781;

Decision decide_on(const std::string& head) {
  static const HostList hosts = [] {
    auto list =
        HostList::make({{"allowed.test", {80, 443}}, {"localhost", {80}}, {"10.0.0.1", {80}}, {"93.184.215.14", {80}}},
                       {{"10.0.0.7", 80, ""}, {"nas.local", 445, "10.0.0.8"}, {"[fd12::7]", 80, ""}, {"127.0.0.1", 81, ""}, {"localhost", 81, ""},
                        {"169.254.169.254", 80, ""}, {"metadata.goog", 80, ""}, {"169.254.7.7", 80, ""}});
    BOOST_REQUIRE(list);
    return std::move(*list);
  }();
  auto parsed = http::parse_request(head);
  BOOST_REQUIRE_MESSAGE(!http::is_refused(parsed), head);
  return decide(std::get<http::RequestHead>(parsed), hosts, kPort);
}

struct Row {
  std::string head;
  int status;  ///< 0: allowed
  std::string_view reason;
  Road road;
};

std::string absolute(const std::string& method, const std::string& host) {
  return method + " http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}
std::string connect(const std::string& place) {
  return "CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n\r\n";
}
std::string origin(const std::string& path, const std::string& host = "127.0.0.1:40781", const std::string& fields = "",
                   const std::string& method = "GET") {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
}

const Row kRows[] = {
    {connect("allowed.test:443"), 0, "", Road::Tunnel},
    {connect("other.test:443"), 403, "host-not-listed", Road::Tunnel},
    {connect("allowed.test:8443"), 403, "host-not-listed", Road::Tunnel},
    {connect("localhost:80"), 403, "closed-address", Road::Tunnel},
    {connect("a.localhost:80"), 403, "closed-address", Road::Tunnel},
    {connect("metadata.google.internal:80"), 403, "closed-address", Road::Tunnel},
    {connect("10.0.0.1:80"), 403, "closed-address", Road::Tunnel},
    {connect("127.0.0.1:80"), 403, "closed-address", Road::Tunnel},
    {connect("[::1]:80"), 403, "closed-address", Road::Tunnel},
    {connect("[::ffff:127.0.0.1]:80"), 403, "closed-address", Road::Tunnel},
    {connect("[::]:80"), 403, "closed-address", Road::Tunnel},
    {connect("93.184.215.14:80"), 0, "", Road::Tunnel},
    {connect("93.184.215.15:80"), 403, "host-not-listed", Road::Tunnel},
    {connect("10.0.0.7:80"), 0, "", Road::Tunnel},
    {connect("[fd12::7]:80"), 0, "", Road::Tunnel},
    {connect("169.254.7.7:80"), 0, "", Road::Tunnel},
    {connect("nas.local:445"), 0, "", Road::Tunnel},
    {connect("10.0.0.7:81"), 403, "closed-address", Road::Tunnel},
    {connect("10.0.0.8:445"), 403, "closed-address", Road::Tunnel},
    {connect("nas.local:446"), 403, "host-not-listed", Road::Tunnel},
    {connect("[fd12::8]:80"), 403, "closed-address", Road::Tunnel},
    {connect("[::ffff:10.0.0.7]:80"), 403, "closed-address", Road::Tunnel},
    {connect("127.0.0.1:81"), 403, "closed-address", Road::Tunnel},
    {connect("localhost:81"), 403, "closed-address", Road::Tunnel},
    {connect("169.254.169.254:80"), 403, "closed-address", Road::Tunnel},
    {connect("metadata.goog:80"), 403, "closed-address", Road::Tunnel},
    {absolute("GET", "10.0.0.7"), 0, "", Road::Plain},
    {absolute("GET", "10.0.0.6"), 403, "closed-address", Road::Plain},
    {absolute("GET", "allowed.test"), 0, "", Road::Plain},
    {absolute("PROPFIND", "allowed.test"), 0, "", Road::Plain},
    {absolute("GET", "other.test"), 403, "host-not-listed", Road::Plain},
    {absolute("GET", "127.0.0.1:40781"), 403, "closed-address", Road::Plain},
    {absolute("TRACE", "allowed.test"), 405, "bad-request", Road::Plain},
    {absolute("TRACK", "allowed.test"), 405, "bad-request", Road::Plain},
    {absolute("BREW", "allowed.test"), 501, "bad-request", Road::Plain},
    {absolute("get", "allowed.test"), 501, "bad-request", Road::Plain},
    {"OPTIONS * HTTP/1.1\r\nHost: allowed.test\r\n\r\n", 405, "bad-request", Road::Plain},
    {origin("/_link/secret/x/"), 0, "", Road::Verb},
    {origin("/_link/secret/x/", "localhost:40781"), 0, "", Road::Verb},
    {origin("/_link/secret/x/", "127.0.0.1"), 400, "bad-request", Road::Verb},
    {origin("/_link/secret/x/", "127.0.0.1:80"), 400, "bad-request", Road::Verb},
    {origin("/_link/secret/x/", "allowed.test"), 400, "bad-request", Road::Verb},
    {origin("/_link"), 400, "bad-request", Road::Verb},
    {origin("/"), 400, "bad-request", Road::Verb},
    {origin("//_link/"), 400, "bad-request", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "Upgrade: websocket\r\n"), 426, "no-upgrade", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "X: \x80\r\n"), 400, "bad-request", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "Content-Length: 1\r\n"), 400, "bad-request", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "Content-Length: 0\r\n"), 0, "", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "Transfer-Encoding: chunked\r\n"), 400, "bad-request", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "Content-Length: 1\r\n", "POST"), 0, "", Road::Verb},
    {origin("/_link/x", "127.0.0.1:40781", "", "TRACE"), 405, "bad-request", Road::Plain},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decision)

BOOST_AUTO_TEST_CASE(each_request_goes_its_road_or_is_refused_by_its_head_alone) {
  for (const Row& row : kRows) {
    BOOST_TEST_CONTEXT(row.head) {
      const Decision decision = decide_on(row.head);
      BOOST_TEST((decision.refusal ? decision.refusal->status : 0) == row.status);
      BOOST_TEST((decision.refusal ? decision.refusal->reason : std::string_view{}) == row.reason);
      BOOST_TEST((decision.road == row.road));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_key_that_would_allow_it) {
  BOOST_TEST(decide_on(connect("other.test:443")).refusal->words.find("\"other.test\" to hosts under [network]") !=
             std::string::npos);
  BOOST_TEST(decide_on(connect("other.test:8443")).refusal->words.find("\"other.test:8443\" to hosts") !=
             std::string::npos);
  BOOST_TEST(decide_on(connect("localhost:80")).refusal->words.find("ports under [localhost]") != std::string::npos);
  BOOST_TEST(decide_on(connect("10.0.0.1:80")).refusal->words.find("add \"10.0.0.1:80\" to machines under [lan]") != std::string::npos);
  BOOST_TEST(decide_on(connect("nas.local:446")).refusal->words.find("add \"nas.local:446\" to machines under [lan]") != std::string::npos);
  for (const char* closed : {"169.254.169.254:80", "[fe80::1]:80", "metadata.goog:80", "224.0.0.1:80"})
    BOOST_TEST(decide_on(connect(closed)).refusal->words.find("nothing in a spec opens") != std::string::npos, closed);
}

BOOST_AUTO_TEST_SUITE_END()
