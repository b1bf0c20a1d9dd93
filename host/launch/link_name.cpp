// SPDX-License-Identifier: Apache-2.0
#include "launch/link_name.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>

#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/packet.hpp"
#include "trust/trust.hpp"
#include "wire/lookup.hpp"

namespace lnk::host {
namespace {

constexpr int kSocketFd = 3;
/// A multicast answer comes in a second or two; name servers that are asked behind it give up later.
constexpr int kAnswerMs = 15'000;
constexpr std::uint32_t kId = 1;

Result<posix::ChildProcess> start_resolver(const Parts& parts, const UniqueFd& socket) {
  LNK_CHECK(check_trusted(parts.resolver));
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  posix::SpawnOptions options;
  options.program = parts.resolver;
  options.argv = {"lnk-resolver", "system"};
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {STDERR_FILENO, 2}, {socket.get(), kSocketFd}};
  options.new_session = true;
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the resolver"));
  return process;
}

std::string_view kind_of(const Address& address) {
  const std::string_view kind = closed_lan_kind(address);
  return kind.empty() && is_own_address(address) ? kThisMachine : kind;
}

}  // namespace

Result<std::vector<Address>> look_up_link_name(const Parts& parts, const std::string& name) {
  LNK_TRY(auto ends, posix::make_packet_pair());
  LNK_TRY(const auto process, start_resolver(parts, ends.second));
  ends.second.reset();  // so that its end is seen
  LNK_CHECK(posix::send_packet(ends.first.get(), lookup_request(kId, name)));
  pollfd answered{ends.first.get(), POLLIN, 0};
  const int count = posix::retry([&] { return ::poll(&answered, 1, kAnswerMs); });
  if (count == 0) return fail(Code::Timeout, "was not resolved in time");
  LNK_TRY(const auto packet, posix::receive_packet(ends.first.get(), kLookupReplyBytesMax));
  auto reply = read_lookup_reply(packet.bytes);
  if (!reply || reply->id != kId || reply->lookup.kind != Lookup::Kind::Found || reply->lookup.addresses.empty())
    return fail(Code::Gone, "can't be resolved: no service that this machine asks for names knows it now");
  return std::move(reply->lookup.addresses);
}

Result<Address> choose_lan_address(const std::vector<Address>& addresses) {
  const auto find = [&addresses](bool is_ipv6) {
    return std::find_if(addresses.begin(), addresses.end(),
                        [is_ipv6](const Address& address) { return address.is_ipv6 == is_ipv6 && kind_of(address).empty(); });
  };
  auto chosen = find(false);
  if (chosen == addresses.end()) chosen = find(true);
  if (chosen != addresses.end()) return *chosen;
  return fail(Code::Denied, "leads to " + to_text(addresses.front()) + ", which is " + std::string(kind_of(addresses.front())) +
                                "; [lan] doesn't open that");
}

}  // namespace lnk::host
