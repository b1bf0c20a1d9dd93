// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/outside.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/packet.hpp"
#include "mcp_remote/limits.hpp"
#include "wire/connect.hpp"
#include "wire/limits.hpp"

namespace lnk::host::remote {
namespace {

constexpr int kResolverFd = 3;

/// Given up to its socket: it ends with that, and with us.
Result<UniqueFd> start_resolver(const std::string& program) {
  LNK_TRY(auto ends, posix::make_packet_pair());
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  posix::SpawnOptions options;
  options.program = program;
  // As a browser of the person's would ask: whatever the machine's name services know.
  options.argv = {"lnk-resolver", "system"};
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {STDERR_FILENO, 2}, {ends.second.get(), kResolverFd}};
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the resolver"));
  static_cast<void>(process->release());
  if (!set_non_blocking(ends.first.get())) return fail(Code::Internal, "the resolver's socket can't be waited for");
  return std::move(ends.first);
}

std::vector<Address> loopback(bool with_ipv4, bool with_ipv6) {
  std::vector<Address> addresses;
  if (with_ipv4) addresses.emplace_back().bytes = {127, 0, 0, 1};
  if (with_ipv6) {
    Address& address = addresses.emplace_back();
    address.is_ipv6 = true;
    address.bytes.back() = 1;
  }
  return addresses;
}

}  // namespace

Result<std::unique_ptr<Outside>> Outside::open(Loop& loop, Url url, const std::string& parts) {
  std::unique_ptr<Outside> outside(new Outside(loop, std::move(url)));
  const auto& own = outside->url_;
  if (own.authority.host.kind == http::HostKind::Name && !own.is_own_machine()) {
    LNK_TRY(auto socket, start_resolver(parts + "/resolver"));
    outside->resolver_.emplace(loop, std::move(socket));
  }
  if (own.is_tls) {
    LNK_TRY(outside->tls_, TlsLibrary::open(parts + "/tls.so"));
  }
  return outside;
}

void Outside::start() {
  if (resolver_) resolver_->start();
}

Task<Result<std::vector<Address>>> Outside::find_addresses() {
  const auto& host = url_.authority.host;
  // What a server of this machine listens on is its own choice; a name service's answer for it is not asked.
  if (host.text == "localhost") co_return loopback(true, true);
  if (host.kind != http::HostKind::Name) {
    std::vector<Address> one(1);
    one[0].is_ipv6 = host.kind == http::HostKind::Ipv6;
    one[0].bytes = host.address;
    co_return one;
  }
  Lookup found = co_await resolver_->look_up(host.text);
  if (found.kind == Lookup::Kind::TimedOut) co_return fail(Code::Timeout, host.text + " was not resolved in time");
  if (found.kind == Lookup::Kind::NoSuchName) co_return fail(Code::Gone, host.text + " is not found: no host has this name");
  if (found.addresses.empty()) co_return fail(Code::Upstream, host.text + " could not be resolved");
  co_return std::move(found.addresses);
}

Task<Result<std::unique_ptr<ByteStream>>> Outside::connect_plain(std::int64_t until_ms) {
  auto addresses = co_await find_addresses();
  if (!addresses) co_return fail(std::move(addresses).error());
  std::string last = "it has no address";
  const std::size_t count = std::min(addresses->size(), kConnectsMax);
  for (std::size_t index = 0; index < count; ++index) {
    if (Loop::now_ms() >= until_ms) break;
    auto stream = co_await connect_to(loop_, (*addresses)[index], url_.authority.port);
    if (stream) co_return std::move(*stream);
    last = stream.error().text;
  }
  co_return fail(Code::Upstream, url_.origin() + " can't be connected to: " + last);
}

Task<Result<std::unique_ptr<ByteStream>>> Outside::secure(std::unique_ptr<ByteStream> plain, std::int64_t until_ms) {
  ByteStream* under = plain.get();
  Deadline deadline(loop_, under);
  deadline.set(std::max<std::int64_t>(until_ms - Loop::now_ms(), 1));
  auto stream = co_await tls_->connect(std::move(plain), url_.authority.host.text);
  deadline.clear();
  if (!stream) co_return fail(std::move(stream).error().within(url_.origin()));
  co_return std::move(*stream);
}

Task<Result<std::unique_ptr<ByteStream>>> Outside::connect() {
  const std::int64_t until_ms = Loop::now_ms() + kConnectingMs;
  auto plain = co_await connect_plain(until_ms);
  if (!plain) co_return fail(std::move(plain).error());
  if (!tls_) co_return std::move(*plain);
  co_return co_await secure(std::move(*plain), until_ms);
}

}  // namespace lnk::host::remote
