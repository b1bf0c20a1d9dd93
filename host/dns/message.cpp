// SPDX-License-Identifier: Apache-2.0
#include "dns/message.hpp"

#include <arpa/nameser.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lnk::host::dns {
namespace {

constexpr std::size_t kHeadBytes = 12;
constexpr std::size_t kTypeAndClassBytes = 4;
constexpr std::size_t kLabelBytesMax = 63;
constexpr std::size_t kNameBytesMax = 255;  // on the wire, lengths and the root included
constexpr std::uint32_t kTtlS = 60;         // what is given stands as long as the run; drivers ask again each minute

constexpr std::uint16_t kIsReply = 0x8000;
constexpr std::uint16_t kOpcode = 0x7800;
constexpr std::uint16_t kIsCut = 0x0200;
constexpr std::uint16_t kRecursionDesired = 0x0100;
constexpr std::uint16_t kRecursionAvailable = 0x0080;
constexpr std::uint16_t kCheckingDisabled = 0x0010;
constexpr std::uint16_t kTypeSoa = 6;
constexpr std::uint16_t kTypeOpt = 41;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) noexcept { return static_cast<std::uint8_t>(bytes[at]); }

std::uint16_t number_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<std::uint16_t>(byte_at(bytes, at) << 8U | byte_at(bytes, at + 1));
}

void put16(std::string& out, std::uint16_t number) {
  out += static_cast<char>(number >> 8U);
  out += static_cast<char>(number & 0xffU);
}

void put32(std::string& out, std::uint32_t number) {
  put16(out, static_cast<std::uint16_t>(number >> 16U));
  put16(out, static_cast<std::uint16_t>(number & 0xffffU));
}

const unsigned char* bytes_of(std::string_view text) noexcept { return reinterpret_cast<const unsigned char*>(text.data()); }

bool parse(std::string_view packet, ns_msg& message) {
  if (packet.size() < kHeadBytes || packet.size() > kTcpBytesMax) return false;
  return ::ns_initparse(bytes_of(packet), static_cast<int>(packet.size()), &message) == 0;
}

/// The bytes of the one question. A pointer in it could lead only into the head.
std::string_view question_of(std::string_view packet) noexcept {
  std::size_t at = kHeadBytes;
  while (at < packet.size() && byte_at(packet, at) != 0) {
    if (byte_at(packet, at) > kLabelBytesMax) return {};
    at += 1U + byte_at(packet, at);
  }
  const std::size_t size = at + 1 + kTypeAndClassBytes - kHeadBytes;
  if (size > kNameBytesMax + kTypeAndClassBytes || packet.size() - kHeadBytes < size) return {};
  return packet.substr(kHeadBytes, size);
}

/// The OPT record's class is the size that its sender takes, its TTL's second byte the version: RFC 6891 6.1.
Rcode read_edns(ns_msg& message, Query& query) {
  for (int index = 0; index < ns_msg_count(message, ns_s_ar); ++index) {
    ns_rr record{};
    if (::ns_parserr(&message, ns_s_ar, index, &record) != 0) return Rcode::FormErr;
    if (record.type != kTypeOpt) continue;
    const bool is_root = ns_rr_name(record)[0] == '.' && ns_rr_name(record)[1] == '\0';
    if (std::exchange(query.has_edns, true) || !is_root) return Rcode::FormErr;
    query.udp_bytes = std::clamp<std::size_t>(record.rr_class, kUdpBytes, kUdpBytesMax);
    if ((ns_rr_ttl(record) >> 16U & 0xffU) != 0) return Rcode::BadVers;
  }
  return Rcode::NoError;
}

Rcode read_question(std::string_view packet, Query& query) {
  if ((query.flags & kOpcode) != 0) return Rcode::NotImp;
  ns_msg message{};
  ns_rr question{};
  const bool is_one = parse(packet, message) && ns_msg_count(message, ns_s_qd) == 1 && ns_msg_count(message, ns_s_an) == 0 &&
                      ns_msg_count(message, ns_s_ns) == 0 && ::ns_parserr(&message, ns_s_qd, 0, &question) == 0;
  if (!is_one) return Rcode::FormErr;
  query.question = question_of(packet);
  if (query.question.empty()) return Rcode::FormErr;
  query.name = ns_rr_name(question);
  query.type = question.type;
  query.klass = question.rr_class;
  return read_edns(message, query);
}

/// Behind a question a record's owner is that name, by the pointer to it.
void put_record(std::string& out, std::uint16_t type, std::string_view data) {
  constexpr std::uint16_t kToQuestion = 0xc000U | kHeadBytes;
  put16(out, kToQuestion);
  put16(out, type);
  put16(out, kClassInternet);
  put32(out, kTtlS);
  put16(out, static_cast<std::uint16_t>(data.size()));
  out += data;
}

/// Its names are the root, its numbers those that let "no data" be kept as long as data.
std::string soa_data() {
  constexpr std::array<std::uint32_t, 5> kNumbers = {1, kTtlS, kTtlS, kTtlS, kTtlS};
  std::string data(2, '\0');
  for (const std::uint32_t number : kNumbers) put32(data, number);
  return data;
}

void put_edns(std::string& out, Rcode code) {
  out += '\0';
  put16(out, kTypeOpt);
  put16(out, kUdpBytesMax);
  put32(out, static_cast<std::uint32_t>(code) >> 4U << 24U);  // the code's upper bits; version 0
  put16(out, 0);
}

std::optional<std::string> name_data(std::string_view name) {
  std::string data;
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    if (end == start || end - start > kLabelBytesMax) return std::nullopt;
    data += static_cast<char>(end - start);
    data += name.substr(start, end - start);
    start = end + 1;
  }
  data += '\0';
  if (data.size() > kNameBytesMax) return std::nullopt;
  return data;
}

/// Of a type, in what was answered; who was asked has followed its aliases.
template <class Take>
bool each_record(std::string_view packet, std::uint16_t type, Take take) {
  ns_msg message{};
  if (!parse(packet, message)) return false;
  for (int index = 0; index < ns_msg_count(message, ns_s_an); ++index) {
    ns_rr record{};
    if (::ns_parserr(&message, ns_s_an, index, &record) != 0) return false;
    if (record.type != type || record.rr_class != kClassInternet) continue;
    if (!take(std::string_view(reinterpret_cast<const char*>(ns_rr_rdata(record)), ns_rr_rdlen(record)))) return false;
  }
  return true;
}

}  // namespace

std::optional<Query> read_query(std::string_view packet) {
  if (packet.size() < kHeadBytes || (number_at(packet, 2) & kIsReply) != 0) return std::nullopt;
  Query query;
  query.id = number_at(packet, 0);
  query.flags = number_at(packet, 2);
  query.fault = read_question(packet, query);
  return query;
}

std::string write_reply(const Query& query, const Reply& reply, std::size_t bytes_max) {
  // A record's owner is the question's name: without a question there is none.
  const std::size_t count = query.question.empty() ? 0 : reply.records.size();
  std::string records;
  for (std::size_t index = 0; index < count; ++index) put_record(records, reply.records[index].type, reply.records[index].data);
  const bool is_without_data = reply.code == Rcode::NoError && count == 0;
  std::string authority;
  if (is_without_data && !query.question.empty()) put_record(authority, kTypeSoa, soa_data());
  std::string edns;
  if (query.has_edns) put_edns(edns, reply.code);
  const std::size_t size = kHeadBytes + query.question.size() + records.size() + authority.size() + edns.size();
  const bool is_cut = size > bytes_max;

  std::string out;
  put16(out, query.id);
  const auto kept = static_cast<std::uint16_t>(query.flags & (kOpcode | kRecursionDesired | kCheckingDisabled));
  const auto code = static_cast<std::uint16_t>(static_cast<std::uint8_t>(reply.code) & 0x0fU);
  put16(out, static_cast<std::uint16_t>(kIsReply | kRecursionAvailable | kept | (is_cut ? kIsCut : 0U) | code));
  put16(out, query.question.empty() ? 0 : 1);
  put16(out, is_cut ? std::uint16_t{0} : static_cast<std::uint16_t>(count));
  put16(out, !is_cut && !authority.empty() ? 1 : 0);
  put16(out, query.has_edns ? 1 : 0);
  out += query.question;
  if (!is_cut) out += records + authority;
  return out + edns;
}

std::optional<Record> srv_record(const Srv& srv) {
  const auto target = name_data(srv.target);
  if (!target) return std::nullopt;
  Record record{kTypeSrv, {}};
  put16(record.data, srv.priority);
  put16(record.data, srv.weight);
  put16(record.data, srv.port);
  record.data += *target;
  return record;
}

std::optional<std::vector<Srv>> read_srv_records(std::string_view packet) {
  constexpr std::size_t kNumbersBytes = 6;
  std::vector<Srv> found;
  const auto take = [&](std::string_view data) {
    if (data.size() <= kNumbersBytes) return false;
    std::array<char, NS_MAXDNAME> name{};
    const auto* start = bytes_of(packet);
    const int used = ::ns_name_uncompress(start, start + packet.size(), bytes_of(data) + kNumbersBytes, name.data(), name.size());
    if (used < 0 || static_cast<std::size_t>(used) != data.size() - kNumbersBytes) return false;
    found.push_back({number_at(data, 0), number_at(data, 2), number_at(data, 4), name.data()});
    return true;
  };
  if (!each_record(packet, kTypeSrv, take)) return std::nullopt;
  return found;
}

std::optional<std::vector<std::string>> read_txt_records(std::string_view packet) {
  std::vector<std::string> found;
  const auto take = [&found](std::string_view data) {
    if (!is_txt_data(data)) return false;
    found.emplace_back(data);
    return true;
  };
  if (!each_record(packet, kTypeTxt, take)) return std::nullopt;
  return found;
}

bool is_txt_data(std::string_view data) noexcept {
  std::size_t at = 0;
  while (at < data.size()) at += 1U + byte_at(data, at);
  return at == data.size() && !data.empty();
}

}  // namespace lnk::host::dns
