// SPDX-License-Identifier: Apache-2.0
//
// What a program inside asks: it is dropped, or has a reply that a resolver takes for its own: the same number, a reply's
// flag, the question byte for byte (so that 0x20 case is kept), within the size that was asked for, and whole as the C
// library reads it.
#include <arpa/nameser.h>

#include <string>

#include "dns/message.hpp"
#include "entry.hpp"

namespace lnk::fuzz {
namespace {

using namespace host::dns;

void hold_reply(std::string_view input, const Query& query, const Reply& reply, std::size_t bytes_max) {
  const std::string packet = write_reply(query, reply, bytes_max);
  LNK_HOLDS(packet.size() >= 12 && packet.size() <= bytes_max);
  LNK_HOLDS(packet.substr(0, 2) == input.substr(0, 2));
  LNK_HOLDS((packet[2] & 0x80) != 0);
  LNK_HOLDS(!read_query(packet));  // no reply is ever answered
  ns_msg message{};
  LNK_HOLDS(::ns_initparse(reinterpret_cast<const unsigned char*>(packet.data()), static_cast<int>(packet.size()), &message) == 0);
  LNK_HOLDS(ns_msg_count(message, ns_s_qd) == (query.question.empty() ? 0 : 1));
  LNK_HOLDS(packet.substr(12, query.question.size()) == query.question);
  LNK_HOLDS(query.question.empty() || input.substr(12, query.question.size()) == query.question);
  ns_rr record{};
  for (int section = ns_s_qd; section < ns_s_max; ++section)
    for (int index = 0; index < ns_msg_count(message, static_cast<ns_sect>(section)); ++index)
      LNK_HOLDS(::ns_parserr(&message, static_cast<ns_sect>(section), index, &record) == 0);
  LNK_HOLDS(ns_msg_count(message, ns_s_ar) == (query.has_edns ? 1 : 0));
}

}  // namespace

void check(std::string_view input) {
  const auto query = read_query(input);
  LNK_HOLDS(query.has_value() || input.size() < 12 || (input[2] & 0x80) != 0);
  if (!query) return;
  LNK_HOLDS(query->question.size() <= 255 + 4);
  LNK_HOLDS(query->udp_bytes >= kUdpBytes && query->udp_bytes <= kUdpBytesMax);
  LNK_HOLDS(query->fault != Rcode::NoError || !query->question.empty());
  for (const std::size_t bytes_max : {query->udp_bytes, kTcpBytesMax}) {
    for (const Rcode code : {Rcode::NoError, Rcode::Refused, query->fault}) hold_reply(input, *query, {code, {}}, bytes_max);
    Reply reply;
    for (int count = 0; count < 40; ++count) reply.records.push_back({kTypeA, std::string(4, '\x7f')});
    hold_reply(input, *query, reply, bytes_max);
  }
}

}  // namespace lnk::fuzz
