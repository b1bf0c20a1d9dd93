// SPDX-License-Identifier: Apache-2.0
#include "wire/resolver_client.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>

#include "wire/limits.hpp"

namespace lnk::host {

/// A lookup that waits; it lives in the frame of look_up.
struct ResolverClient::Pending final : Cancellable {
  explicit Pending(Loop& loop) : done(loop) {}
  void cancel() noexcept override {
    lookup.kind = Lookup::Kind::TimedOut;
    done.raise();
  }
  Lookup lookup;
  bool is_of_records = false;
  Signal done;
};

ResolverClient::ResolverClient(Loop& loop, UniqueFd socket) : loop_(loop), socket_(loop, std::move(socket)) {}

void ResolverClient::start() { spawn(read_replies()); }

Task<Lookup> ResolverClient::ask(std::string_view name, std::uint32_t type) {
  if (is_gone_ || pending_.size() >= kLookupsMax) co_return Lookup{};
  const std::uint32_t id = ++last_id_;
  const std::string packet = lookup_request(id, name, type);
  const ssize_t sent = ::send(socket_.fd(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(packet.size())) co_return Lookup{};
  Pending pending(loop_);
  pending.is_of_records = type != 0;
  pending_.emplace(id, &pending);
  Deadline deadline(loop_, &pending);
  deadline.set(kLookupMs);
  co_await pending.done;
  pending_.erase(id);
  co_return std::move(pending.lookup);
}

void ResolverClient::take_reply(std::string_view packet) {
  const auto id = read_lookup_id(packet);
  const auto found = id ? pending_.find(*id) : pending_.end();
  if (found == pending_.end() || found->second->done.is_raised()) return;  // timed out before it came
  if (auto reply = read_lookup_reply(packet, found->second->is_of_records)) found->second->lookup = std::move(reply->lookup);
  found->second->done.raise();
}

void ResolverClient::fail_all() {
  is_gone_ = true;
  for (const auto& each : pending_) each.second->done.raise();
}

Task<void> ResolverClient::read_replies() {
  std::array<char, kLookupReplyBytesMax + 1> packet;
  for (;;) {
    const ssize_t got = ::recv(socket_.fd(), packet.data(), packet.size(), 0);
    if (got > 0) {
      take_reply(std::string_view(packet.data(), static_cast<std::size_t>(got)));
      continue;
    }
    const bool would_block = got < 0 && (errno == EAGAIN || errno == EINTR);
    if (!would_block || co_await socket_.readable() == Wake::Cancelled) break;
  }
  fail_all();
}

}  // namespace lnk::host
