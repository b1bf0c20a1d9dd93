// SPDX-License-Identifier: Apache-2.0
#include "wire/route_answer.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

namespace lnk::host {
namespace {

constexpr unsigned kAttributeType = 0x3fff;  // NLA_TYPE_MASK

/// `see` takes a kind and its bytes. False: cut short, or `see` said so.
template <class See>
bool each_attribute(std::string_view bytes, See see) noexcept {
  rtattr attribute{};
  for (std::size_t at = 0; at < bytes.size(); at += RTA_ALIGN(attribute.rta_len)) {
    if (!read_at(bytes, at, attribute) || attribute.rta_len < sizeof attribute || attribute.rta_len > bytes.size() - at)
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
    if (!read_at(hops, at, hop) || hop.rtnh_len < sizeof hop || hop.rtnh_len > hops.size() - at) return false;
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
    if (kind == RTA_OIF) return read_at(content, 0, answer.interface);
    return kind != RTA_MULTIPATH || read_hops(content, answer);
  });
}

}  // namespace

RouteAnswer read_route_answer(std::string_view packet) noexcept {
  RouteAnswer answer;
  nlmsghdr head{};
  if (!read_at(packet, 0, head) || head.nlmsg_len > packet.size()) return answer;
  packet = packet.substr(0, head.nlmsg_len);
  if (head.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error{};
    if (!read_at(packet, NLMSG_HDRLEN, error)) return answer;
    const auto is = [&error](int number) { return error.error == -number; };
    const bool is_nowhere = is(ENETUNREACH) || is(EHOSTUNREACH) || is(EACCES) || is(EINVAL);
    if (is_nowhere)
      answer.kind = RouteAnswer::Kind::None;  // unreachable, prohibit, blackhole: connecting fails as well
    return answer;
  }
  rtmsg route{};
  if (head.nlmsg_type != RTM_NEWROUTE || !read_at(packet, NLMSG_HDRLEN, route)) return answer;
  answer.type = route.rtm_type;
  answer.prefix_bits = route.rtm_dst_len;
  const auto attributes = packet.substr(std::min<std::size_t>(NLMSG_LENGTH(sizeof route), packet.size()));
  if (read_attributes(attributes, answer)) answer.kind = RouteAnswer::Kind::Route;
  return answer;
}

}  // namespace lnk::host
