// SPDX-License-Identifier: Apache-2.0
#include "launch/broker.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <utility>

#include "environment/environment.hpp"
#include "lnk/cpp/barrier.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kVerbIdBytesMax = 64;  // as a note's id
constexpr std::int64_t kIdMax = std::int64_t{1} << 53;  // what any reader of JSON keeps whole
constexpr std::size_t kRequestKeys = 4;

Failure bad() { return fail(Code::Invalid, "the wire asked what its front doesn't know"); }

bool is_verb_id(std::string_view id) noexcept {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !id.empty() && id.size() <= kVerbIdBytesMax && std::all_of(id.begin(), id.end(), fits);
}

const json::object* table_under(const json::value& value, std::string_view key, std::size_t keys) {
  const auto* object = value.if_object();
  if (object == nullptr || object->size() != 1) return nullptr;
  const auto* under = object->if_contains(key);
  const auto* table = under == nullptr ? nullptr : under->if_object();
  return table == nullptr || table->size() != keys ? nullptr : table;
}

/// 0: none, or out of bounds.
std::int64_t number_under(const json::object& table, std::string_view key, std::int64_t most) {
  const auto* value = table.if_contains(key);
  const auto* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr || *number < 1 || *number > most ? 0 : *number;
}

std::string text_under(const json::object& table, std::string_view key) {
  const auto* value = table.if_contains(key);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::string packet_of(std::uint64_t id, lnk_status status) {
  const auto word = status_word(status);
  return json::serialize(json::object{{"answer", json::object{{"id", id}, {"status", json::string_view(word.data(), word.size())}}}});
}

}  // namespace

Result<BrokerRequest> read_broker_request(std::string_view packet) {
  json::error_code error;
  const auto value = json::parse({packet.data(), packet.size()}, error);
  const auto* table = error ? nullptr : table_under(value, "ask", kRequestKeys);
  if (table == nullptr || text_under(*table, "what") != "connect-inside") return bad();
  BrokerRequest request{static_cast<std::uint64_t>(number_under(*table, "id", kIdMax)), text_under(*table, "verb"),
                        BrokerWish::ConnectInside, static_cast<std::uint16_t>(number_under(*table, "port", 65535))};
  if (request.id == 0 || request.port == 0 || !is_verb_id(request.verb)) return bad();
  return request;
}

/// The wire's own port is never one: a call there would come back to it.
bool Broker::is_granted(const BrokerRequest& request) const {
  const auto ports = granted_.find(request.verb);
  return ports != granted_.end() && request.port != kWirePort &&
         std::find(ports->second.begin(), ports->second.end(), request.port) != ports->second.end();
}

BrokerAnswer Broker::answer(const BrokerRequest& request) const {
  if (!is_granted(request)) return {packet_of(request.id, LNK_E_DENIED), {}};
  auto fd = connect_(request.port);
  if (fd) return {packet_of(request.id, LNK_OK), std::move(*fd)};
  // connect(2) under a time: what takes no more connections is told so. What failed else is not the wire's to know.
  const bool is_late = fd.error().os_errno == EINPROGRESS || fd.error().os_errno == EAGAIN;
  return {packet_of(request.id, is_late ? LNK_E_TIMEOUT : LNK_E_UPSTREAM), {}};
}

}  // namespace lnk::host
