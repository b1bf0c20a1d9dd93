// SPDX-License-Identifier: Apache-2.0
//
// A page and the way back from it, by the open verb itself: the wire's services on their loop, real connections to a
// port of this machine, and a front and a program inside that answer as the test says.
#define BOOST_TEST_MODULE outside_port
#include "login_bench.hpp"

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
std::string status_of(const std::string& reply) { return reply.empty() ? "none" : reply.substr(9, 3); }

Inside said(const std::string& reply) { return {reply, {}}; }
const std::string kOk =
    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Type: text/html\r\nContent-Length: "
    "31\r\n\r\n<script>location='//x'</script>\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_opens_once_its_port_is_listened_at_and_one_answer_is_passed_in) {
  Login& login = Login::make();
  login.inside = {said(kOk)};
  BOOST_TEST(login.ask() == "200 opened\n");
  BOOST_TEST(login.asked == std::vector<std::string>{login.url}, boost::test_tools::per_element());
  const std::vector<std::string> order = {"ask", "listen", "open " + login.url};
  BOOST_TEST(login.order == order, boost::test_tools::per_element());
  // What is none counts as nothing.
  BOOST_TEST(status_of(login.get("/favicon.ico")) == "404");
  BOOST_TEST(status_of(login.get("/cb")) == "200");
  BOOST_TEST(login.passed == 0U);
  const auto reply = login.get("/cb?code=c&state=s");
  BOOST_TEST(status_of(reply) == "200");
  BOOST_TEST((has(reply, "The login came back") && has(reply, "Content-Security-Policy: default-src 'none'") &&
              has(reply, "nosniff")));
  BOOST_TEST((!has(reply, "script") && !has(reply, "Cookie")));
  BOOST_TEST(login.inside[0].asked == "GET /cb?code=c&state=s HTTP/1.1\r\nHost: localhost:" +
                                          std::to_string(login.port) + "\r\nConnection: close\r\n\r\n");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
  BOOST_TEST(login.warned.empty());
}

BOOST_AUTO_TEST_CASE(only_method_target_host_type_and_body_go_in) {
  Login& login = Login::make("/");
  login.inside = {said(kOk)};
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const std::string port = std::to_string(login.port);
  const auto reply = login.browse(
      "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + port +
          "\r\nCookie: other=1\r\nOrigin: https://login.example\r\nContent-Type: application/x-www-form-urlencoded\r\n"
          "Content-Length: 14\r\n\r\ncode=c&state=s",
      true);
  BOOST_TEST(status_of(reply) == "200");
  BOOST_TEST(login.inside[0].asked == "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                                          "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                                          "14\r\nConnection: close\r\n\r\ncode=c&state=s");
}

BOOST_AUTO_TEST_CASE(a_redirect_to_the_port_itself_goes_on_and_one_elsewhere_is_asked) {
  Login& login = Login::make();
  const std::string self = "http://localhost:" + std::to_string(login.port) + "/success?id=1";
  login.inside = {said("HTTP/1.1 302 Found\r\nLocation: " + self + "\r\nContent-Length: 0\r\n\r\n"),
                  said("HTTP/1.1 301 Moved\r\nLocation: https://end.example/done\r\nSet-Cookie: a=b\r\n\r\n")};
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const auto first = login.get("/cb?code=c");
  BOOST_TEST((status_of(first) == "302" && has(first, "Location: " + self + "\r\n")));
  BOOST_TEST(status_of(login.get("/cb?code=d")) == "404");  // it was passed
  const auto second = login.get("/success?id=1");
  BOOST_TEST((status_of(second) == "200" && !has(second, "end.example") && !has(second, "Cookie")));
  login.run_until("open https://end.example/done");
  BOOST_TEST(login.asked.back() == "https://end.example/done");
  BOOST_TEST(login.passed == 2U);
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(after_a_no_nothing_is_listened_at_or_opened) {
  for (const auto* word : {"no", "timed out"}) {
    Login& login = Login::make();
    login.says = word;
    BOOST_TEST(login.ask().starts_with("403 the page was not opened: "));
    BOOST_TEST(login.order == std::vector<std::string>{"ask"}, boost::test_tools::per_element());
    BOOST_TEST(!login.is_open());
  }
}

BOOST_AUTO_TEST_CASE(a_taken_port_is_refused_and_the_page_not_opened) {
  Login& login = Login::make();
  const auto taken = listen_at_loopback(login.port);
  BOOST_REQUIRE(taken.has_value());
  BOOST_TEST(has(login.ask(), "which another program has"));
  BOOST_TEST((login.order == std::vector<std::string>{"ask", "listen"}));
}

BOOST_AUTO_TEST_CASE(where_no_browser_starts_the_port_is_closed) {
  Login& login = Login::make();
  login.opens = "upstream";
  BOOST_TEST(has(login.ask(), "502 the page was not opened"));
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(a_port_closes_when_its_time_is_over_or_with_its_call) {
  Login& login = Login::make();
  const auto timed = login.services().listen_once(0, {login.port, 1, "/cb"});
  BOOST_REQUIRE(timed.has_value());
  login.run_until("listen");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
  Login& gone = Login::make();
  BOOST_REQUIRE(gone.services().listen_once(7, {gone.port, 300, "/cb"}).has_value());
  gone.run_until("listen");
  gone.services().forget(7);
  gone.run_until("stop");
  BOOST_TEST(!gone.is_open());
}

BOOST_AUTO_TEST_CASE(what_is_no_sound_request_of_an_answers_size_is_answered_outside) {
  Login& login = Login::make();
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const std::string host = "Host: localhost:" + std::to_string(login.port) + "\r\n";
  const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
  BOOST_TEST(status_of(login.browse("GET /cb?code=c HTTP/1.1\r\n" + host + host + "\r\n")) == "400");
  BOOST_TEST(status_of(login.browse("GET http://localhost/cb?code=c HTTP/1.1\r\nHost: localhost\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("POST /cb HTTP/1.1\r\n" + host + form + "Content-Length: 65537\r\n\r\n" +
                                    std::string(65537, 'a'))) == "413");
  BOOST_TEST(status_of(login.browse("GET /cb?code=c HTTP/1.1\r\nHost: evil.example:" + std::to_string(login.port) +
                                    "\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("PUT /cb?code=c HTTP/1.1\r\n" + host + "\r\n")) == "400");
  BOOST_TEST(status_of(login.get("/cb?" + std::string(lnk::http::kTargetBytesMax, 'a'))) == "414");
  login.is_wire_closed = true;
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "503");
  login.is_wire_closed = false;
  BOOST_TEST(login.passed == 0U);
  login.inside = {said(kOk)};
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "200");
  BOOST_TEST(login.passed == 1U);
}

BOOST_AUTO_TEST_CASE(another_path_is_answered_by_the_wire_itself_and_its_body_not_asked_for) {
  Login& login = Login::make();
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  // The verb has a page of its own for what it does not know.
  const auto none = login.get("/other?code=c");
  BOOST_TEST(status_of(none) == "404");
  BOOST_TEST(none.ends_with("\r\n\r\n"));
  const auto expects = login.browse("POST /other HTTP/1.1\r\nHost: localhost:" + std::to_string(login.port) +
                                        "\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n",
                                    true);
  BOOST_TEST(status_of(expects) == "404");
  BOOST_TEST(login.passed == 0U);
}

BOOST_AUTO_TEST_CASE(a_program_that_takes_no_answer_ends_the_login) {
  Login& login = Login::make();
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "502");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(the_same_port_can_be_listened_at_again_at_once) {
  Login& login = Login::make();
  login.inside = {said(kOk), said(kOk)};
  for (std::size_t count = 1; count <= 2; ++count) {
    BOOST_TEST(login.ask() == "200 opened\n");
    BOOST_TEST(status_of(login.get("/cb?code=c")) == "200");
    BOOST_TEST(login.passed == count);
    login.run_until("stop");
    login.order.clear();
  }
}
