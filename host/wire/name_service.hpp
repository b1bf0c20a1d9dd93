// SPDX-License-Identifier: Apache-2.0
//
// Answers the names of [tcp] endpoints to the programs inside, on 127.0.0.1:53 there.
//
// Guarantees: nobody is asked for a name that no endpoint covers; outside, SRV and TXT of a mongodb+srv name alone are asked,
// and at most kNamesAskedMax at a time; each question is a line of the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "dns/message.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/endpoint_listeners.hpp"
#include "wire/endpoint_table.hpp"
#include "wire/resolver_client.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

class NameService {
 public:
  NameService(WireParts& parts, EndpointTable table, ResolverClient& resolver, EndpointListeners::AskFront ask_front, std::size_t sockets_max)
      : parts_(parts), table_(std::move(table)), resolver_(resolver), listeners_(parts.loop, std::move(ask_front), sockets_max) {}

  /// Questions over UDP, to the end of the run.
  Task<void> serve_datagrams(UniqueFd socket);
  /// Those of one connection over TCP (RFC 7766), one at a time.
  Task<void> serve_stream(UniqueFd client);

  [[nodiscard]] EndpointListeners& listeners() noexcept { return listeners_; }

 private:
  struct Sender;

  Task<dns::Reply> answer(const dns::Query& query, const Cuttable* asker);
  Task<dns::Reply> answer_covered(const NameRuling& ruling, std::uint16_t type, CallLog& log, const Cuttable* asker);
  Task<dns::Reply> give_address(const std::string& name, CallLog& log);
  Task<dns::Reply> ask_outside(const NameRuling& ruling, std::uint16_t type, CallLog& log, const Cuttable* asker);
  dns::Reply take_records(const NameRuling& ruling, std::uint16_t type, const Lookup& lookup);
  Task<void> answer_datagram(dns::Query query, Sender sender);
  [[nodiscard]] bool is_refused_again(const std::string& name);

  WireParts& parts_;
  EndpointTable table_;
  ResolverClient& resolver_;
  EndpointListeners listeners_;
  std::size_t asked_outside_ = 0;
  std::size_t datagrams_ = 0;  ///< that are being answered
  std::optional<Watch> datagrams_socket_;  ///< the answers outlive who reads the questions
  std::unordered_map<std::string, std::int64_t> refused_;  ///< name → when it was counted
};

}  // namespace lnk::host
