// SPDX-License-Identifier: Apache-2.0
#include "wire/name_service.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "wire/byte_stream.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kLengthBytes = 2;  // before each message over TCP

dns::Reply of_code(dns::Rcode code) { return {code, {}}; }

/// A question that can't be read is told what is wrong with it; all else is refused.
dns::Reply reply_to_refused(const dns::Query& query) {
  return of_code(query.fault == dns::Rcode::NoError ? dns::Rcode::Refused : query.fault);
}

dns::Record address_record(std::uint32_t address) {
  dns::Record record{dns::kTypeA, {}};
  for (const unsigned shift : {24U, 16U, 8U, 0U}) record.data += static_cast<char>(address >> shift & 0xffU);
  return record;
}

std::uint16_t number_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<std::uint16_t>(static_cast<std::uint8_t>(bytes[at]) << 8U | static_cast<std::uint8_t>(bytes[at + 1]));
}

/// What the resolver hands on of one SRV record; nothing: not of that form.
std::optional<dns::Srv> read_srv(std::string_view data) {
  constexpr std::size_t kNumbersBytes = 6;
  if (data.size() <= kNumbersBytes) return std::nullopt;
  return dns::Srv{number_at(data, 0), number_at(data, 2), number_at(data, 4), std::string(data.substr(kNumbersBytes))};
}

}  // namespace

struct NameService::Sender {
  sockaddr_storage address{};
  socklen_t size = sizeof(sockaddr_storage);
};

Task<dns::Reply> NameService::give_address(const std::string& name, CallLog& log) {
  const auto given = co_await listeners_.give(name, table_.ports_of(name));
  if (!given.fault.empty()) {
    log.refused_unsaid(refuse_upstream(given.fault));
    co_return of_code(dns::Rcode::ServFail);
  }
  dns::Reply reply;
  reply.records.push_back(address_record(given.address));
  co_return reply;
}

/// Of servers those that are endpoints of the run by then; TXT as it is.
dns::Reply NameService::take_records(const NameRuling& ruling, std::uint16_t type, const Lookup& lookup) {
  dns::Reply reply;
  for (const std::string& data : lookup.records) {
    if (type == dns::kTypeTxt) {
      if (dns::is_txt_data(data)) reply.records.push_back({type, data});
      continue;
    }
    auto srv = read_srv(data);
    if (!srv) continue;
    auto target = table_.add_target(ruling.srv, srv->target, srv->port);
    if (!target) continue;
    srv->target = std::move(*target);
    if (auto record = dns::srv_record(*srv)) reply.records.push_back(std::move(*record));
  }
  return reply;
}

/// An ask outside is a call that the limit counts, since the question goes to others.
Task<dns::Reply> NameService::ask_outside(const NameRuling& ruling, std::uint16_t type, CallLog& log, const Cuttable* asker) {
  if (auto refusal = parts_.gate.count_call()) {
    log.refused_unsaid(*refusal);
    co_return of_code(dns::Rcode::Refused);
  }
  if (asked_outside_ >= kNamesAskedMax) {
    log.refused_unsaid(refuse_upstream("too many names are asked for at once"));
    co_return of_code(dns::Rcode::ServFail);
  }
  ++asked_outside_;
  const Lookup lookup = co_await resolver_.look_up_records(ruling.name, type);
  --asked_outside_;
  // Looked at anew: over UDP there is no connection that a stop would have cut.
  if (auto closed = parts_.gate.look(asker)) {
    log.refused_unsaid(*closed);
    co_return of_code(dns::Rcode::Refused);
  }
  if (lookup.kind == Lookup::Kind::Found) co_return take_records(ruling, type, lookup);
  if (lookup.kind == Lookup::Kind::NoSuchName) co_return dns::Reply{};
  log.refused_unsaid(refuse_upstream("the name could not be asked for"));
  co_return of_code(dns::Rcode::ServFail);
}

Task<dns::Reply> NameService::answer_covered(const NameRuling& ruling, std::uint16_t type, CallLog& log, const Cuttable* asker) {
  if (ruling.kind == NameRuling::Kind::Address) co_return co_await give_address(ruling.name, log);
  if (ruling.kind == NameRuling::Kind::Ask) co_return co_await ask_outside(ruling, type, log, asker);
  co_return dns::Reply{};
}

/// One lookup of a C library's is some questions: A, AAAA, and both once more where they are refused.
bool NameService::is_refused_again(const std::string& name) {
  const std::int64_t now = Loop::now_ms();
  const auto is_over = [now](const auto& each) { return now - each.second > kOneLookupMs; };
  const auto found = refused_.find(name);
  if (found != refused_.end() && !is_over(*found)) return true;
  if (refused_.size() >= kRefusedNamesKept) std::erase_if(refused_, is_over);
  if (refused_.size() < kRefusedNamesKept) refused_.insert_or_assign(name, now);
  return false;
}

Task<dns::Reply> NameService::answer(const dns::Query& query, const Cuttable* asker) {
  NameRuling ruling = table_.rule(query);
  CallLog log(parts_.log, ++parts_.last_call_id);
  log.set_target({"dns", ruling.name, 0});
  if (auto closed = parts_.gate.look(asker)) ruling.refusal = std::move(closed);
  if (ruling.refusal) {
    log.refused_unsaid(*ruling.refusal);
    if (!is_refused_again(ruling.name)) parts_.gate.note_refusal(log, asker);
    co_return reply_to_refused(query);
  }
  dns::Reply reply = co_await answer_covered(ruling, query.type, log, asker);
  log.asked();
  co_return reply;
}

Task<void> NameService::answer_datagram(dns::Query query, Sender sender) {
  ++datagrams_;
  const dns::Reply reply = co_await answer(query, nullptr);
  --datagrams_;
  const std::string packet = dns::write_reply(query, reply, query.udp_bytes);
  // Who asks asks again where the socket was full for a moment.
  static_cast<void>(::sendto(datagrams_socket_->fd(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&sender.address), sender.size));
}

Task<void> NameService::serve_datagrams(UniqueFd fd) {
  Watch& socket = datagrams_socket_.emplace(parts_.loop, std::move(fd));
  std::string packet(dns::kUdpBytesMax + 1, '\0');
  for (int read = 0;; ++read) {
    if (read == kQuestionsPerTurn) {
      co_await Turn(parts_.loop);
      read = 0;
    }
    Sender sender;
    const ssize_t got = ::recvfrom(socket.fd(), packet.data(), packet.size(), MSG_DONTWAIT,
                                   reinterpret_cast<sockaddr*>(&sender.address), &sender.size);
    if (got < 0) {
      const bool would_block = errno == EAGAIN;  // anything else is of one datagram
      if (would_block && co_await socket.readable() == Wake::Cancelled) co_return;
      continue;
    }
    auto query = dns::read_query(std::string_view(packet).substr(0, static_cast<std::size_t>(got)));
    if (query && datagrams_ < kDatagramsAnsweredMax) spawn(answer_datagram(std::move(*query), sender));
  }
}

Task<void> NameService::serve_stream(UniqueFd client) {
  const auto stream = make_plain_stream(parts_.loop, std::move(client));
  std::string bytes;
  for (;;) {
    Deadline idle(parts_.loop, stream.get());
    idle.set(kNamesIdleMs);
    while (bytes.size() < kLengthBytes || bytes.size() < kLengthBytes + number_at(bytes, 0)) {
      const auto room = parts_.loop.buffer().first(dns::kUdpBytesMax);
      const auto got = co_await read_some(*stream, room);
      if (!got || *got == 0) co_return;
      bytes.append(reinterpret_cast<const char*>(room.data()), *got);
    }
    idle.clear();
    const std::size_t size = number_at(bytes, 0);
    const auto query = dns::read_query(std::string_view(bytes).substr(kLengthBytes, size));
    bytes.erase(0, kLengthBytes + size);
    if (!query) co_return;
    const dns::Reply reply = co_await answer(*query, stream->cuttable());
    std::string packet = dns::write_reply(*query, reply, dns::kTcpBytesMax);
    const char length[kLengthBytes] = {static_cast<char>(packet.size() >> 8U), static_cast<char>(packet.size() & 0xffU)};
    packet.insert(0, length, sizeof length);
    idle.set(kNamesIdleMs);
    if (!co_await write_all(*stream, std::as_bytes(std::span(packet.data(), packet.size())))) co_return;
    if (parts_.gate.state() != WireState::Open) co_return;
  }
}

}  // namespace lnk::host
