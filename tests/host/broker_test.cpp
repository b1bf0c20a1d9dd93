// SPDX-License-Identifier: Apache-2.0
#include "launch/broker.hpp"

#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>

using namespace lnk::host;
using lnk::Code;
using lnk::Result;
using lnk::UniqueFd;

namespace {

std::string ask(const std::string& inner) { return "{\"ask\":{" + inner + "}}"; }

const std::string kSound = R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080)";

struct Front {
  std::vector<std::uint16_t> asked;
  int os_errno = 0;  ///< what connecting fails with; 0: it doesn't

  std::string answer(const BrokerRequest& request, bool& has_fd) {
    const Broker broker({{"verb-x", {8080, 40781}}, {"verb-y", {9090}}}, [this](std::uint16_t port) -> Result<UniqueFd> {
      asked.push_back(port);
      if (os_errno != 0) return lnk::fail(Code::Upstream, "connect", os_errno);
      return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    });
    auto made = broker.answer(request);
    has_fd = made.fd.is_open();
    return made.packet;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_of_the_one_known_form_is_read) {
  const auto request = read_broker_request(ask(kSound));
  BOOST_REQUIRE(request);
  BOOST_TEST((request->id == 7U && request->verb == "verb-x" && request->port == 8080));
}

BOOST_AUTO_TEST_CASE(what_is_of_another_form_is_no_request) {
  for (const std::string inner :
       {R"("id":0,"verb":"verb-x","what":"connect-inside","port":8080)", R"("id":-1,"verb":"verb-x","what":"connect-inside","port":8080)",
        R"("id":"7","verb":"verb-x","what":"connect-inside","port":8080)", R"("id":7,"verb":"","what":"connect-inside","port":8080)",
        R"("id":7,"verb":"../x","what":"connect-inside","port":8080)", R"("id":7,"verb":"verb-x","what":"open-page","port":8080)",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":0)", R"("id":7,"verb":"verb-x","what":"connect-inside","port":65536)",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080.0)", R"("id":7,"verb":"verb-x","what":"connect-inside")",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080,"host":"10.0.0.1")"})
    BOOST_TEST(!read_broker_request(ask(inner)), inner);
  for (const std::string packet : {"", "{}", "[]", "null", R"({"gate":"resume"})", R"({"ask":7})"})
    BOOST_TEST(!read_broker_request(packet), packet);
  BOOST_TEST(!read_broker_request(ask(kSound) + "x"));
  BOOST_TEST(!read_broker_request("{\"also\":1,\"ask\":{" + kSound + "}}"));
}

BOOST_AUTO_TEST_CASE(what_is_granted_is_done_and_nothing_else) {
  Front front;
  bool has_fd = false;
  BOOST_TEST(front.answer({7, "verb-x", BrokerWish::ConnectInside, 8080}, has_fd) == R"({"answer":{"id":7,"status":"ok"}})");
  BOOST_TEST(has_fd);
  BOOST_TEST(front.asked == std::vector<std::uint16_t>{8080});
  for (const auto& [verb, port] : std::initializer_list<std::pair<std::string, std::uint16_t>>{
           {"verb-x", 8081}, {"verb-x", 9090}, {"verb-y", 8080}, {"verb-z", 8080}, {"verb-x", 40781}}) {
    BOOST_TEST(front.answer({8, verb, BrokerWish::ConnectInside, port}, has_fd) == R"({"answer":{"id":8,"status":"denied"}})");
    BOOST_TEST(!has_fd);
  }
  BOOST_TEST(front.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_connection_that_fails_is_told_by_one_word) {
  for (const auto& [os_errno, word] :
       {std::pair(ECONNREFUSED, "upstream"), std::pair(EINPROGRESS, "timeout"), std::pair(EPERM, "upstream")}) {
    Front front;
    front.os_errno = os_errno;
    bool has_fd = true;
    BOOST_TEST(front.answer({9, "verb-x", BrokerWish::ConnectInside, 8080}, has_fd) ==
               std::string(R"({"answer":{"id":9,"status":")") + word + R"("}})");
    BOOST_TEST(!has_fd);
  }
}
