// SPDX-License-Identifier: Apache-2.0
#include "wire/resolver_client.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>

#include "wire/limits.hpp"

namespace lnk::host {

/// A lookup that waits; it lives in the frame of ask.
struct ResolverClient::Waiting final : Cancellable {
  explicit Waiting(Loop& loop) : done(loop) {}
  void cancel() noexcept override {
    lookup.kind = Lookup::Kind::TimedOut;
    done.raise();
  }
  Lookup lookup;
  Signal done;
};

ResolverClient::ResolverClient(Loop& loop, UniqueFd socket) : loop_(loop), socket_(loop, std::move(socket)) {}

void ResolverClient::start() { spawn(read_replies()); }

std::optional<std::uint32_t> ResolverClient::begin(Subject subject) {
  if (const auto found = ids_.find(subject); found != ids_.end()) return found->second;
  const std::uint32_t id = ++last_id_;
  const std::string packet = lookup_request(id, subject.second, subject.first);
  const ssize_t sent = ::send(socket_.fd(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(packet.size())) return std::nullopt;
  ids_.emplace(subject, id);
  questions_.emplace(id, Question{std::move(subject), {}});
  return id;
}

/// Nobody is left to be told: the next who asks asks anew.
void ResolverClient::leave(std::uint32_t id, const Waiting* waiting) {
  --waiting_;
  const auto found = questions_.find(id);
  if (found == questions_.end()) return;
  std::erase(found->second.waiting, waiting);
  if (!found->second.waiting.empty()) return;
  ids_.erase(found->second.subject);
  questions_.erase(found);
}

Task<Lookup> ResolverClient::ask(std::string_view name, std::uint32_t type) {
  if (is_gone_ || waiting_ >= kLookupsMax) co_return Lookup{};
  const auto id = begin({type, std::string(name)});
  if (!id) co_return Lookup{};
  Waiting waiting(loop_);
  questions_.at(*id).waiting.push_back(&waiting);
  ++waiting_;
  Deadline deadline(loop_, &waiting);
  deadline.set(kLookupMs);
  co_await waiting.done;
  leave(*id, &waiting);
  co_return std::move(waiting.lookup);
}

void ResolverClient::take_reply(std::string_view packet) {
  const auto id = read_lookup_id(packet);
  const auto found = id ? questions_.find(*id) : questions_.end();
  if (found == questions_.end()) return;  // timed out before it came
  const Question question = std::move(found->second);
  questions_.erase(found);
  ids_.erase(question.subject);
  const bool is_of_records = question.subject.first != 0 && question.subject.first != kLookupIpv6;
  const auto reply = read_lookup_reply(packet, is_of_records);
  for (Waiting* waiting : question.waiting) {
    if (waiting->done.is_raised()) continue;
    if (reply) waiting->lookup = reply->lookup;
    waiting->done.raise();
  }
}

void ResolverClient::fail_all() {
  is_gone_ = true;
  for (const auto& each : questions_)
    for (Waiting* waiting : each.second.waiting) waiting->done.raise();
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
