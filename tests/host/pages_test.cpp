// SPDX-License-Identifier: Apache-2.0
#include "launch/pages.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <string>
#include <vector>

using lnk::UniqueFd;
using namespace lnk::host;

namespace {

/// Bound to any address of IPv4, or to ::1; listening or not. The port is given or chosen.
UniqueFd bound(int family, std::uint16_t& port, bool listens) {
  UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in ipv4{};
  ipv4.sin_family = AF_INET;
  ipv4.sin_port = htons(port);
  sockaddr_in6 ipv6{};
  ipv6.sin6_family = AF_INET6;
  ipv6.sin6_port = htons(port);
  ipv6.sin6_addr = IN6ADDR_LOOPBACK_INIT;
  const auto* address =
      family == AF_INET ? reinterpret_cast<const sockaddr*>(&ipv4) : reinterpret_cast<const sockaddr*>(&ipv6);
  if (!fd.is_open() || ::bind(fd.get(), address, family == AF_INET ? sizeof ipv4 : sizeof ipv6) != 0) return {};
  sockaddr_in6 own{};
  socklen_t size = sizeof own;
  BOOST_REQUIRE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own), &size) == 0);
  port = ntohs(own.sin6_port);  // at the same place in both
  if (listens) BOOST_REQUIRE(::listen(fd.get(), 1) == 0);
  return fd;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages)

BOOST_AUTO_TEST_CASE(a_taken_port_is_refused_in_either_family) {
  std::uint16_t port = 0;
  {
    const auto any = bound(AF_INET, port, true);
    const auto sockets = listen_at_loopback(port);
    BOOST_REQUIRE(!sockets);
    BOOST_TEST(sockets.error().os_errno == EADDRINUSE);
  }
  BOOST_TEST(listen_at_loopback(port).has_value());
  {
    const auto held = bound(AF_INET, port, false);  // not yet listening
    BOOST_TEST(!listen_at_loopback(port));
  }
  if (const auto six = bound(AF_INET6, port, true); six.is_open()) BOOST_TEST(!listen_at_loopback(port));
  const auto ours = listen_at_loopback(port);
  BOOST_REQUIRE(ours.has_value());
  BOOST_TEST(!listen_at_loopback(port));
}

namespace {

bool is_refused(std::uint16_t port) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno == ECONNREFUSED;
}

std::uint16_t free_port() {
  std::uint16_t port = 0;
  static_cast<void>(bound(AF_INET, port, false));
  return port;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_port_is_closed_by_its_front_whoever_else_holds_it) {
  const OutsideSockets::Time begin{};
  const auto port = free_port();
  std::vector<UniqueFd> kept;  // as by a wire that is taken over
  {
    OutsideSockets outside;
    for (const bool by_time : {false, true}) {
      auto sockets = outside.open(7, port, begin);
      BOOST_REQUIRE(sockets);
      kept = std::move(*sockets);
      outside.close(8);
      outside.close_over(begin + std::chrono::minutes(5));
      BOOST_TEST(!is_refused(port));
      BOOST_REQUIRE(outside.next_end());
      by_time ? outside.close_over(*outside.next_end()) : outside.close(7);
      BOOST_TEST(is_refused(port));
      BOOST_TEST(!outside.next_end());
      kept.clear();
    }
    auto last = outside.open(9, port, begin);
    BOOST_REQUIRE(last);
    kept = std::move(*last);
  }
  BOOST_TEST(is_refused(port));
}

BOOST_AUTO_TEST_CASE(a_page_leads_back_where_its_redirect_uri_does) {
  const std::string page = "https://login.example/a?redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fcb";
  BOOST_TEST(leads_back_to(page, 1455));
  BOOST_TEST(!leads_back_to(page, 1456));
  BOOST_TEST(!leads_back_to("https://login.example/a?u=http%3A%2F%2Flocalhost%3A1455%2Fcb", 1455));
  BOOST_TEST(!leads_back_to(page + "&redirect_uri=http://localhost:1456/", 1456));
  BOOST_TEST(!leads_back_to("https://login.example/a?redirect_uri=https://localhost:1455/", 1455));
  BOOST_TEST(!leads_back_to("not a page", 1455));
}

BOOST_AUTO_TEST_SUITE_END()
