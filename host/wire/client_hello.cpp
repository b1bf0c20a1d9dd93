// SPDX-License-Identifier: Apache-2.0
#include "wire/client_hello.hpp"

#include <algorithm>

#include "lnk/http/authority.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kRecordHead = 5;
constexpr std::size_t kRecordBytesMax = 1U << 14U;
constexpr std::size_t kHandshakeHead = 4;
constexpr std::uint8_t kHandshakeRecord = 22;
constexpr std::uint8_t kClientHello = 1;
constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kSessionBytesMax = 32;
constexpr std::size_t kNameBytesMax = 253;
constexpr std::uint16_t kServerName = 0;
constexpr std::uint16_t kPreSharedKey = 41;
constexpr std::uint16_t kEncryptedHello = 0xfe0d;

/// Takes from the front. Once anything is missing all that follows is empty, and `is_short` says so.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) noexcept : bytes_(bytes) {}

  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) {
      is_short_ = true;
      bytes_ = {};
      return {};
    }
    const auto taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  /// Big-endian.
  std::size_t number(std::size_t size) {
    std::size_t value = 0;
    for (const char byte : take(size)) value = value << 8U | static_cast<unsigned char>(byte);
    return value;
  }
  /// What a length of so many bytes stands before.
  std::string_view vector(std::size_t length_bytes) { return take(number(length_bytes)); }

  [[nodiscard]] bool is_end() const noexcept { return bytes_.empty(); }
  [[nodiscard]] bool is_short() const noexcept { return is_short_; }

 private:
  std::string_view bytes_;
  bool is_short_ = false;
};

/// 3.1 to 3.3, as TLS 1.0 to 1.3 write it (RFC 8446 5.1); an earlier one is no client's of today.
bool is_known_version(std::size_t version) { return version >= 0x0301 && version <= 0x0303; }

}  // namespace

ClientHello::State ClientHello::refuse(std::string_view fault) {
  fault_ = fault;
  return state_ = State::Refused;
}

ClientHello::State ClientHello::read(std::string_view bytes) {
  if (state_ != State::Incomplete) return state_;
  if (const State state = take_records(bytes); state != State::Incomplete) return state_ = state;
  return bytes.size() >= kHelloBytesMax ? refuse("is longer than 64 KiB") : State::Incomplete;
}

ClientHello::State ClientHello::take_records(std::string_view bytes) {
  while (at_ < bytes.size()) {
    Cursor cursor(bytes.substr(at_));
    const auto type = cursor.number(1);
    if (type != kHandshakeRecord) return refuse("is no TLS handshake");
    const auto version = cursor.number(2);
    const auto size = cursor.number(2);
    if (cursor.is_short()) return State::Incomplete;
    if (!is_known_version(version)) return refuse("is of a version of TLS that isn't known");
    if (size == 0 || size > kRecordBytesMax) return refuse("has a record of no length, or of too much");
    const auto content = cursor.take(size);
    if (cursor.is_short()) return State::Incomplete;
    if (++records_ > kHelloRecordsMax) return refuse("comes in more than 32 records");
    handshake_ += content;
    at_ += kRecordHead + size;
    if (const State state = take_hello(); state != State::Incomplete) return state;
  }
  return State::Incomplete;
}

ClientHello::State ClientHello::take_hello() {
  if (static_cast<unsigned char>(handshake_.front()) != kClientHello) return refuse("is no ClientHello");
  if (handshake_.size() < kHandshakeHead) return State::Incomplete;
  Cursor head(handshake_);
  head.take(1);
  const auto size = head.number(3);
  if (size > kHelloBytesMax) return refuse("is longer than 64 KiB");
  if (handshake_.size() < kHandshakeHead + size) return State::Incomplete;
  if (handshake_.size() > kHandshakeHead + size) return refuse("is followed by another message");
  Cursor body(head.take(size));
  const auto version = body.number(2);
  body.take(kRandomBytes);
  const auto session = body.vector(1);
  const auto suites = body.vector(2);
  const auto compressions = body.vector(1);
  if (body.is_short() || !is_known_version(version) || session.size() > kSessionBytesMax || suites.empty() || suites.size() % 2 != 0 ||
      compressions.empty())
    return refuse("is malformed");
  if (body.is_end()) return State::Whole;  // none at all, as TLS 1.2 allows
  const auto extensions = body.vector(2);
  if (body.is_short() || !body.is_end()) return refuse("has extensions of another length than it says");
  return take_extensions(extensions);
}

ClientHello::State ClientHello::take_extensions(std::string_view extensions) {
  Cursor cursor(extensions);
  while (!cursor.is_end()) {
    const auto type = static_cast<std::uint16_t>(cursor.number(2));
    const auto body = cursor.vector(2);
    if (cursor.is_short()) return refuse("has an extension that is cut");
    if (std::find(types_.begin(), types_.end(), type) != types_.end()) return refuse("has an extension twice");
    types_.push_back(type);
    if (take_extension(type, body, cursor.is_end()) == State::Refused) return State::Refused;
  }
  return State::Whole;
}

ClientHello::State ClientHello::take_extension(std::uint16_t type, std::string_view body, bool is_last) {
  if (type == kServerName) return take_server_name(body);
  if (type == kPreSharedKey && !is_last) return refuse("has its pre-shared key before other extensions");
  // An outer one is what a client without such a key sends too (GREASE); which, nobody can tell. An inner one is a server's alone.
  if (type == kEncryptedHello && (body.empty() || body.front() != 0)) return refuse("is an inner hello of another");
  return State::Whole;
}

ClientHello::State ClientHello::take_server_name(std::string_view body) {
  Cursor list(body);
  Cursor entry(list.vector(2));
  const auto kind = entry.number(1);
  const auto name = entry.vector(2);
  if (list.is_short() || !list.is_end() || entry.is_short() || !entry.is_end() || kind != 0)
    return refuse("names its server in no known form, or more than one");
  if (name.empty() || name.size() > kNameBytesMax || name.ends_with('.')) return refuse("has a server name of no known form");
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  if (!std::all_of(name.begin(), name.end(), is_plain)) return refuse("has a server name of no known form");
  const auto host = http::parse_host(name);
  const auto* parsed = std::get_if<http::Host>(&host);
  if (parsed == nullptr || parsed->kind != http::HostKind::Name) return refuse("names its server by an address");
  name_ = parsed->text;
  return State::Whole;
}

}  // namespace lnk::host
