// SPDX-License-Identifier: Apache-2.0
#include "wire/neighbours.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "wire/route_answer.hpp"

namespace lnk::host {
namespace {

/// The route that matches, with its own prefix, and not one made for this address (Linux 4.13).
constexpr unsigned kFibMatch = 0x2000;
constexpr std::uint8_t kLinkBits4 = 8;
constexpr std::uint8_t kLinkBits6 = 32;

struct RouteRequest {
  nlmsghdr head;
  rtmsg route;
  rtattr to;
  std::uint8_t address[16];
};

struct LinkRequest {
  nlmsghdr head;
  ifinfomsg link;
};

/// A kernel without IPv6 knows no question about its routes either, and connects to none of its addresses.
bool has_ipv6() noexcept {
  return UniqueFd(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0)).is_open() || errno != EAFNOSUPPORT;
}

}  // namespace

Result<Neighbours> Neighbours::open() {
  UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE));
  if (!fd.is_open())
    return posix::os_fail(Code::Unsupported, "socket", "netlink, for the routes of this machine", errno);
  return Neighbours(std::move(fd));
}

/// The kernel answers before send returns. Empty: it didn't.
std::string_view Neighbours::ask(void* request, std::size_t size) {
  constexpr int kStale = 16;  // answers of earlier questions that were given up
  if (::send(socket_.get(), request, size, MSG_NOSIGNAL) != static_cast<ssize_t>(size)) return {};
  for (int turn = 0; turn < kStale; ++turn) {
    const ssize_t got = posix::retry([&] { return ::recv(socket_.get(), buffer_.data(), buffer_.size(), 0); });
    if (got <= 0) return {};
    const std::string_view packet(buffer_.data(), static_cast<std::size_t>(got));
    nlmsghdr head{};
    if (read_at(packet, 0, head) && head.nlmsg_seq == sequence_) return packet;
  }
  return {};
}

bool Neighbours::has_neighbours(std::uint32_t interface) {
  LinkRequest request{};
  request.head = {sizeof request, RTM_GETLINK, NLM_F_REQUEST, ++sequence_, 0};
  request.link.ifi_index = static_cast<int>(interface);
  const std::string_view packet = ask(&request, sizeof request);
  nlmsghdr head{};
  ifinfomsg link{};
  if (!read_at(packet, 0, head) || head.nlmsg_type != RTM_NEWLINK || !read_at(packet, NLMSG_HDRLEN, link)) return true;
  return (link.ifi_flags & (IFF_POINTOPOINT | IFF_NOARP)) == 0;
}

bool Neighbours::has(const Address& address) {
  const std::size_t bytes = address.is_ipv6 ? 16 : 4;
  RouteRequest request{};
  const std::size_t size = sizeof request - sizeof request.address + bytes;
  request.head = {static_cast<std::uint32_t>(size), RTM_GETROUTE, NLM_F_REQUEST, ++sequence_, 0};
  request.route.rtm_family = static_cast<std::uint8_t>(address.is_ipv6 ? AF_INET6 : AF_INET);
  request.route.rtm_dst_len = static_cast<std::uint8_t>(bytes * 8);
  request.route.rtm_flags = kFibMatch;
  request.to = {static_cast<std::uint16_t>(sizeof(rtattr) + bytes), RTA_DST};
  std::memcpy(request.address, address.bytes.data(), bytes);
  const RouteAnswer answer = read_route_answer(ask(&request, size));
  if (answer.kind == RouteAnswer::Kind::None) return false;
  if (answer.kind == RouteAnswer::Kind::NotUnderstood) return !address.is_ipv6 || has_ipv6();
  if (answer.type != RTN_UNICAST) return true;  // this machine, a broadcast, an anycast
  const bool is_of_a_link = answer.prefix_bits >= (address.is_ipv6 ? kLinkBits6 : kLinkBits4);
  return !answer.has_gateway && is_of_a_link && has_neighbours(answer.interface);
}

}  // namespace lnk::host
