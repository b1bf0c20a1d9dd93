// SPDX-License-Identifier: Apache-2.0
#include "wire/lookup.hpp"

#include <cstring>

namespace lnk::host {
namespace {

constexpr std::size_t kHeaderBytes = 3 * sizeof(std::uint32_t);
constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + 16;

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

std::string lookup_request(std::uint32_t id, std::string_view name, std::uint32_t type) {
  std::string packet(reinterpret_cast<const char*>(&id), sizeof id);
  packet.append(reinterpret_cast<const char*>(&type), sizeof type);
  return packet.append(name);
}

std::optional<std::uint32_t> read_lookup_id(std::string_view packet) noexcept {
  if (packet.size() < kHeaderBytes) return std::nullopt;
  return number_at(packet, 0);
}

std::optional<LookupReply> read_lookup_reply(std::string_view packet, bool is_of_records) {
  if (packet.size() < kHeaderBytes) return std::nullopt;
  LookupReply reply;
  reply.id = number_at(packet, 0);
  const std::uint32_t status = number_at(packet, 4);
  if (status == 1) reply.lookup.kind = Lookup::Kind::NoSuchName;
  if (status != 0) return reply;
  const bool is_read = is_of_records ? read_records(packet, reply.lookup.records) : read_entries(packet, reply.lookup.addresses);
  if (is_read) reply.lookup.kind = Lookup::Kind::Found;
  return reply;
}

}  // namespace lnk::host
