// SPDX-License-Identifier: Apache-2.0
#include "wire/neighbours.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

/// The route that matches, with its own prefix, and not one made for this address (Linux 4.13).
constexpr unsigned kFibMatch = 0x2000;
constexpr unsigned kAttributeType = 0x3fff;  // NLA_TYPE_MASK
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

/// A piece of the packet as a value; false: it isn't there in full.
template <class Value>
bool take(std::string_view packet, std::size_t offset, Value& value) noexcept {
  if (packet.size() < sizeof value || offset > packet.size() - sizeof value) return false;
  std::memcpy(&value, packet.data() + offset, sizeof value);
  return true;
}

/// `see` takes a kind and its bytes. False: cut short, or `see` said so.
template <class See>
bool each_attribute(std::string_view bytes, See see) noexcept {
  rtattr attribute{};
  for (std::size_t at = 0; at < bytes.size(); at += RTA_ALIGN(attribute.rta_len)) {
    if (!take(bytes, at, attribute) || attribute.rta_len < sizeof attribute || attribute.rta_len > bytes.size() - at)
      return false;
    const auto content = bytes.substr(at + sizeof attribute, attribute.rta_len - sizeof attribute);
    if (!see(attribute.rta_type & kAttributeType, content)) return false;
  }
  return true;
}

bool is_gateway(unsigned kind) noexcept { return kind == RTA_GATEWAY || kind == RTA_VIA; }

/// A route of several hops: each without a gateway is a link's. Where there is more than one of those 0 stands for their
/// interfaces, which none has.
bool read_hops(std::string_view hops, RouteAnswer& answer) noexcept {
  std::size_t links = 0;
  rtnexthop hop{};
  for (std::size_t at = 0; at < hops.size(); at += RTNH_ALIGN(hop.rtnh_len)) {
    if (!take(hops, at, hop) || hop.rtnh_len < sizeof hop || hop.rtnh_len > hops.size() - at) return false;
    bool has_gateway = false;
    const auto see = [&has_gateway](unsigned kind, std::string_view) {
      has_gateway = has_gateway || is_gateway(kind);
      return true;
    };
    if (!each_attribute(hops.substr(at + sizeof hop, hop.rtnh_len - sizeof hop), see)) return false;
    if (!has_gateway) answer.interface = links++ == 0 ? static_cast<std::uint32_t>(hop.rtnh_ifindex) : 0;
  }
  answer.has_gateway = links == 0;
  return true;
}

/// False: cut short.
bool read_attributes(std::string_view attributes, RouteAnswer& answer) noexcept {
  return each_attribute(attributes, [&answer](unsigned kind, std::string_view content) {
    if (is_gateway(kind)) answer.has_gateway = true;
    if (kind == RTA_OIF) return take(content, 0, answer.interface);
    return kind != RTA_MULTIPATH || read_hops(content, answer);
  });
}

}  // namespace

RouteAnswer read_route_answer(std::string_view packet) noexcept {
  RouteAnswer answer;
  nlmsghdr head{};
  if (!take(packet, 0, head) || head.nlmsg_len > packet.size()) return answer;
  packet = packet.substr(0, head.nlmsg_len);
  if (head.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error{};
    if (!take(packet, NLMSG_HDRLEN, error)) return answer;
    const int number = -error.error;
    const bool is_nowhere = number == ENETUNREACH || number == EHOSTUNREACH || number == EACCES || number == EINVAL;
    if (is_nowhere)
      answer.kind = RouteAnswer::Kind::None;  // unreachable, prohibit, blackhole: connecting fails as well
    return answer;
  }
  rtmsg route{};
  if (head.nlmsg_type != RTM_NEWROUTE || !take(packet, NLMSG_HDRLEN, route)) return answer;
  answer.type = route.rtm_type;
  answer.prefix_bits = route.rtm_dst_len;
  if (read_attributes(packet.substr(std::min<std::size_t>(NLMSG_LENGTH(sizeof route), packet.size())), answer)) answer.kind = RouteAnswer::Kind::Route;
  return answer;
}

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
    if (take(packet, 0, head) && head.nlmsg_seq == sequence_) return packet;
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
  if (!take(packet, 0, head) || head.nlmsg_type != RTM_NEWLINK || !take(packet, NLMSG_HDRLEN, link)) return true;
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
