// SPDX-License-Identifier: Apache-2.0
#include "wire/resolver_client.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kHeaderBytes = 3 * sizeof(std::uint32_t);
constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + 16;
constexpr std::size_t kReplyBytesMax = kHeaderBytes + std::max(kAddressesMax * kEntryBytes, kDnsRecordsBytesMax);

std::uint32_t number_at(std::string_view packet, std::size_t offset) noexcept {
  std::uint32_t number = 0;
  std::memcpy(&number, packet.data() + offset, sizeof number);
  return number;
}

/// False: not of the form.
bool read_entries(std::string_view packet, std::vector<Address>& addresses) {
  const std::uint32_t count = number_at(packet, 8);
  if (count > kAddressesMax || packet.size() != kHeaderBytes + count * kEntryBytes) return false;
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t offset = kHeaderBytes + index * kEntryBytes;
    const std::uint32_t family = number_at(packet, offset);
    if (family != 4 && family != 6) return false;
    Address address;
    address.is_ipv6 = family == 6;
    std::memcpy(address.bytes.data(), packet.data() + offset + sizeof family, address.is_ipv6 ? 16 : 4);
    addresses.push_back(address);
  }
  return true;
}

/// False: not of the form.
bool read_records(std::string_view packet, std::vector<std::string>& records) {
  const std::uint32_t count = number_at(packet, 8);
  std::size_t at = kHeaderBytes;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (packet.size() - at < sizeof(std::uint32_t)) return false;
    const std::uint32_t size = number_at(packet, at);
    at += sizeof size;
    if (size > packet.size() - at) return false;
    records.emplace_back(packet.substr(at, size));
    at += size;
  }
  return at == packet.size();
}

}  // namespace

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
  std::string packet(reinterpret_cast<const char*>(&id), sizeof id);
  packet.append(reinterpret_cast<const char*>(&subject.first), sizeof subject.first);
  packet.append(subject.second);
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
  if (packet.size() < kHeaderBytes) return;
  const auto found = questions_.find(number_at(packet, 0));
  if (found == questions_.end()) return;  // timed out before it came
  const Question question = std::move(found->second);
  questions_.erase(found);
  ids_.erase(question.subject);
  const bool is_of_records = question.subject.first != 0;
  const std::uint32_t status = number_at(packet, 4);
  Lookup lookup;
  const auto is_read = [&] {
    return is_of_records ? read_records(packet, lookup.records) : read_entries(packet, lookup.addresses);
  };
  if (status == 0 && is_read()) lookup.kind = Lookup::Kind::Found;
  if (status == 1) lookup.kind = Lookup::Kind::NoSuchName;
  for (Waiting* waiting : question.waiting) {
    if (waiting->done.is_raised()) continue;
    waiting->lookup = lookup;
    waiting->done.raise();
  }
}

void ResolverClient::fail_all() {
  is_gone_ = true;
  for (const auto& each : questions_)
    for (Waiting* waiting : each.second.waiting) waiting->done.raise();
}

Task<void> ResolverClient::read_replies() {
  std::array<char, kReplyBytesMax + 1> packet;
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
