// SPDX-License-Identifier: Apache-2.0
//
// DNS messages as values: what a program inside asks, what it is answered, and the records that an answer from outside
// holds. Pure. The C library reads (ns_initparse and its kin: bounds, lengths and the loops of compressed names are its
// own), and what goes out is written here anew from values; only the question goes back as the bytes that came.
//
// source: RFC 1035, RFC 2181, RFC 2782 (SRV), RFC 6891 (EDNS)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host::dns {

inline constexpr std::uint16_t kTypeA = 1;
inline constexpr std::uint16_t kTypeTxt = 16;
inline constexpr std::uint16_t kTypeAaaa = 28;
inline constexpr std::uint16_t kTypeSrv = 33;
inline constexpr std::uint16_t kTypeIxfr = 251;
inline constexpr std::uint16_t kTypeAny = 255;
inline constexpr std::uint16_t kClassInternet = 1;

/// What every resolver takes over UDP, and what one that speaks EDNS is sent at most: no fragment on any path
/// (RFC 6891 6.2.3; the number is that of dnsflagday.net/2020).
inline constexpr std::size_t kUdpBytes = 512;
inline constexpr std::size_t kUdpBytesMax = 1232;
/// Over TCP a length stands before each message.
inline constexpr std::size_t kTcpBytesMax = 65535;

enum class Rcode : std::uint8_t { NoError = 0, FormErr = 1, ServFail = 2, NotImp = 4, Refused = 5, BadVers = 16 };

struct Query {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< as they came
  std::string question;     ///< its bytes as they came, 0x20 case included; empty: there is none that can be told
  std::string name;         ///< as text, escaped where a byte is no name's; "." is the root
  std::uint16_t type = 0;
  std::uint16_t klass = 0;
  bool has_edns = false;
  std::size_t udp_bytes = kUdpBytes;  ///< what may be sent to who asks
  Rcode fault = Rcode::NoError;       ///< what it is answered whatever it asks
};

/// Nothing: it is never answered, as it is too short to have a number, or is an answer itself.
[[nodiscard]] std::optional<Query> read_query(std::string_view packet);

struct Record {
  std::uint16_t type = 0;
  std::string data;
};

/// NoError without records is "no data", and says so with an SOA, without which no resolver keeps it (RFC 2308).
struct Reply {
  Rcode code = Rcode::NoError;
  std::vector<Record> records = {};
};

/// Over `bytes_max` no record is sent, and the reply is marked as cut: who asks comes again over TCP.
[[nodiscard]] std::string write_reply(const Query& query, const Reply& reply, std::size_t bytes_max);

struct Srv {
  std::uint16_t priority = 0;
  std::uint16_t weight = 0;
  std::uint16_t port = 0;
  std::string target;  ///< as text, escaped as a query's name; "." is none

  friend bool operator==(const Srv&, const Srv&) = default;
};

/// `target` is a plain name: no escapes. Nothing: it is no name
[[nodiscard]] std::optional<Record> srv_record(const Srv& srv);

/// An answer's records of SRV, or the data of those of TXT; nothing: no answer of that form.
[[nodiscard]] std::optional<std::vector<Srv>> read_srv_records(std::string_view packet);
[[nodiscard]] std::optional<std::vector<std::string>> read_txt_records(std::string_view packet);

/// Whether data is a TXT record's: strings, each behind its length, to the end.
[[nodiscard]] bool is_txt_data(std::string_view data) noexcept;

}  // namespace lnk::host::dns
