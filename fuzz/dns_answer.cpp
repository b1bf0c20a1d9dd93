// SPDX-License-Identifier: Apache-2.0
//
// What a name server answers: the servers and texts that are read of it, written anew, read the same; names are within
// their limits, and no pointer leads in a circle (which the run's time limit tells).
#include <algorithm>
#include <string>

#include "dns/message.hpp"
#include "entry.hpp"

namespace lnk::fuzz {
namespace {

using namespace host::dns;

/// A question of the root, so that records have an owner.
Query any_query() {
  Query query;
  query.question = std::string("\0\0\x21\0\1", 5);
  return query;
}

void hold_servers(const std::vector<Srv>& servers) {
  Reply reply;
  std::vector<Srv> plain;
  for (const Srv& server : servers) {
    LNK_HOLDS(!server.target.empty() && server.target.size() < 1025);
    const auto record = srv_record(server);
    const bool is_escaped = server.target.find('\\') != std::string::npos;
    LNK_HOLDS(record.has_value() || is_escaped || server.target == ".");
    if (!record || is_escaped) continue;
    LNK_HOLDS(record->data.size() <= 6 + 255);
    reply.records.push_back(*record);
    plain.push_back(server);
  }
  if (plain.empty()) return;
  const std::string packet = write_reply(any_query(), reply, kTcpBytesMax);
  if ((packet[2] & 0x02) != 0) return;  // more than a message holds
  LNK_HOLDS(read_srv_records(packet) == plain);
}

void hold_texts(const std::vector<std::string>& texts) {
  Reply reply;
  for (const std::string& text : texts) {
    LNK_HOLDS(is_txt_data(text));
    reply.records.push_back({kTypeTxt, text});
  }
  if (texts.empty()) return;
  const std::string packet = write_reply(any_query(), reply, kTcpBytesMax);
  if ((packet[2] & 0x02) != 0) return;
  LNK_HOLDS(read_txt_records(packet) == texts);
}

}  // namespace

void check(std::string_view input) {
  if (const auto servers = read_srv_records(input)) hold_servers(*servers);
  if (const auto texts = read_txt_records(input)) hold_texts(*texts);
}

}  // namespace lnk::fuzz
