// SPDX-License-Identifier: Apache-2.0
//
// The kernel's answer for a route: what stands behind the message changes nothing, a message that is cut is never a route.
#include "wire/route_answer.hpp"

#include <linux/netlink.h>

#include <string>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

using host::RouteAnswer;

bool is_same(const RouteAnswer& left, const RouteAnswer& right) {
  return left.kind == right.kind && left.type == right.type && left.prefix_bits == right.prefix_bits &&
         left.has_gateway == right.has_gateway && left.interface == right.interface;
}

}  // namespace

void check(std::string_view input) {
  const auto answer = host::read_route_answer(input);
  nlmsghdr head{};
  if (!host::read_at(input, 0, head) || head.nlmsg_len > input.size()) {
    LNK_HOLDS(answer.kind == RouteAnswer::Kind::NotUnderstood);
    return;
  }
  LNK_HOLDS(is_same(answer, host::read_route_answer(std::string(input) + "behind it")));
  LNK_HOLDS(is_same(answer, host::read_route_answer(input.substr(0, head.nlmsg_len))));
  if (head.nlmsg_len > 0)
    LNK_HOLDS(host::read_route_answer(input.substr(0, head.nlmsg_len - 1)).kind == RouteAnswer::Kind::NotUnderstood);
  if (answer.kind == RouteAnswer::Kind::Route) LNK_HOLDS(head.nlmsg_len >= NLMSG_HDRLEN + 12);
}

}  // namespace lnk::fuzz
