// SPDX-License-Identifier: Apache-2.0
#include "wire/dialer.hpp"

#include <algorithm>
#include <vector>

#include "wire/connect.hpp"
#include "wire/gate.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

using http::Checked;
using http::Refusal;

/// Every address, since a program could choose among them by asking again; one closed one closes the name.
std::string_view first_closed_kind(const std::vector<Address>& addresses, Neighbours& neighbours, bool is_machine) {
  for (const Address& address : addresses) {
    const auto kind = is_machine ? closed_lan_kind(address) : closed_kind(address);
    // [lan] would open it but for that.
    if (!kind.empty()) return is_opened_by_lan(kind) && is_own_address(address) ? kThisMachine : kind;
    if (is_own_address(address)) return kThisMachine;
    if (!is_machine && neighbours.has(address)) return kNeighbour;
  }
  return {};
}

}  // namespace

Task<Checked<std::vector<Address>>> Dialer::find_addresses(const http::Authority& target) {
  if (target.host.kind != http::HostKind::Name) {
    co_return std::vector<Address>{{target.host.kind == http::HostKind::Ipv6, target.host.address}};
  }
  if (const auto kind = closed_kind(target.host.text); !kind.empty()) co_return refuse_closed(target, kind);
  Lookup lookup = co_await resolver_.look_up(target.host.text);
  if (lookup.kind == Lookup::Kind::TimedOut) co_return refuse_upstream_timeout(target.to_text(0) + " was not resolved in time");
  if (lookup.kind == Lookup::Kind::NoSuchName) co_return refuse_upstream(target.to_text(0) + " is not found: no host has this name");
  if (lookup.addresses.empty()) co_return refuse_upstream(target.to_text(0) + " could not be resolved");
  co_return std::move(lookup.addresses);
}

/// Asked before the first IPv6 address is connected to, so that no start and no run that needs none waits for it; and now
/// and then again, since a machine changes its network. False: there was no answer.
Task<bool> Dialer::learn_nat64() {
  if (Loop::now_ms() < nat64_until_ms_) co_return true;
  // Of AAAA alone: asked for both, an A that is answered would hide an AAAA that isn't.
  Lookup lookup = co_await resolver_.look_up_ipv6(kNat64Probe);
  if (lookup.kind != Lookup::Kind::Found && lookup.kind != Lookup::Kind::NoSuchName) co_return false;
  nat64_ = nat64_prefixes(lookup.addresses);
  nat64_until_ms_ = Loop::now_ms() + kNat64KnownMs;
  co_return true;
}

Task<Checked<std::unique_ptr<ByteStream>>> Dialer::connect_to_one(const http::Authority& target,
                                                                  const std::vector<Address>& addresses) {
  Code last = Code::Upstream;
  const std::size_t count = std::min(addresses.size(), kConnectsMax);
  for (std::size_t index = 0; index < count; ++index) {
    const bool is_known = !addresses[index].is_ipv6 || co_await learn_nat64();
    if (auto closed = closed_meanwhile()) co_return *std::move(closed);
    if (!is_known) continue;
    if (const auto kind = first_closed_kind(ipv4_within(addresses[index], nat64_), neighbours_, false); !kind.empty())
      co_return refuse_closed(target, kind);
    auto stream = co_await connect_to(loop_, addresses[index], target.port);
    if (stream) co_return std::move(*stream);
    last = stream.error().code;
  }
  if (last == Code::Timeout) co_return refuse_upstream_timeout(target.to_text(0) + " did not answer in time");
  co_return refuse_upstream(target.to_text(0) + " can't be connected to");
}

Task<Checked<std::unique_ptr<ByteStream>>> Dialer::dial(const http::Authority& target, const ListedMachine* machine) {
  const bool is_pinned = machine != nullptr && machine->pinned;
  Checked<std::vector<Address>> found;
  if (is_pinned) found = std::vector<Address>{*machine->pinned};
  if (!is_pinned) found = co_await find_addresses(target);
  if (http::is_refused(found)) co_return std::get<Refusal>(std::move(found));
  const auto& addresses = std::get<0>(found);
  const auto kind = first_closed_kind(addresses, neighbours_, machine != nullptr);
  if (!kind.empty()) co_return refuse_closed(target, kind);
  auto stream = co_await connect_to_one(target, addresses);
  if (is_pinned && http::is_refused(stream)) co_return refuse_pinned(std::get<Refusal>(std::move(stream)), *machine->pinned);
  if (auto closed = closed_meanwhile()) co_return *std::move(closed);
  co_return stream;
}

Task<Checked<std::unique_ptr<ByteStream>>> Dialer::dial_own_port(std::uint16_t port) {
  std::vector<Address> loopback(2);
  loopback[0].bytes = {127, 0, 0, 1};
  loopback[1].is_ipv6 = true;
  loopback[1].bytes.back() = 1;
  Checked<std::unique_ptr<ByteStream>> dialed = refuse_upstream("localhost:" + std::to_string(port) + " can't be connected to");
  for (const Address& address : loopback) {
    if (auto closed = closed_meanwhile()) co_return *std::move(closed);
    auto stream = co_await connect_to(loop_, address, port);
    if (!stream) continue;
    dialed = std::move(*stream);
    break;
  }
  if (auto closed = closed_meanwhile()) co_return *std::move(closed);
  co_return dialed;
}

/// A call that waited here had no connection of its own that could be cut.
std::optional<Refusal> Dialer::closed_meanwhile() const {
  return gate_ == nullptr ? std::nullopt : gate_->closed();
}

}  // namespace lnk::host
