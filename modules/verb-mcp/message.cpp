// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "limits.hpp"

namespace lnk::verb_mcp {
namespace {

bool is_whole_number(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

NoMessage invalid(std::string words, std::optional<Id> id = std::nullopt) {
  return {kInvalidRequest, std::move(words), std::move(id)};
}

std::string begin(const std::optional<Id>& id) {
  std::string out = R"({"jsonrpc":"2.0")";
  if (id) out.append(R"(,"id":)").append(id->json());
  return out;
}

std::variant<Message, NoMessage> read_call(Message message, const Json& method, const Json* params) {
  if (!method.is_string()) return invalid("'method' is no text", message.id);
  message.kind = message.id ? Message::Kind::Request : Message::Kind::Notification;
  message.method = method.text();
  if (params != nullptr && !params->is_object()) return NoMessage{kInvalidParams, "'params' is no object", message.id};
  if (params != nullptr) message.params = *params;
  return message;
}

std::variant<Message, NoMessage> read_response(Message message, const Json* result, const Json* error) {
  message.kind = Message::Kind::Response;
  if ((result == nullptr) == (error == nullptr)) return invalid("neither a request, a notification nor a response", message.id);
  if (!message.id) return invalid("a response without an id");
  if (error != nullptr && !error->is_object()) return invalid("'error' is no object", message.id);
  if (result != nullptr && !result->is_object()) return invalid("'result' is no object", message.id);
  if (result != nullptr) message.result = *result;
  if (error != nullptr) message.error = *error;
  return message;
}

}  // namespace

std::optional<Id> Id::read(const Json* value) {
  if (value == nullptr || value->text().size() > kIdBytesMax) return std::nullopt;
  if (value->is_string()) return Id{true, std::string(value->text())};
  if (value->kind() != jsonfilter::Kind::Number || !is_whole_number(value->text())) return std::nullopt;
  return Id{false, std::string(value->text())};
}

std::optional<std::uint64_t> Id::own_number() const noexcept {
  std::uint64_t value = 0;
  if (is_string || text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::variant<Message, NoMessage> read_message(std::string_view text) {
  auto parsed = jsonfilter::parse(text);
  if (!parsed) return NoMessage{kParseError, "the message " + parsed.error().text};
  Message message;
  message.document = std::move(parsed).value();
  const Json& root = message.document.root();
  if (root.is_array()) return invalid("a batch of messages isn't taken: send each in a request of its own");
  if (!root.is_object()) return invalid("the message is no object");
  const Json* id = root.find("id");
  message.id = Id::read(id);
  if (id != nullptr && !message.id) return invalid("'id' is no short text or whole number");
  const Json* version = root.find("jsonrpc");
  if (version == nullptr || !version->is_string() || version->text() != "2.0")
    return invalid("'jsonrpc' is not \"2.0\"", message.id);
  const Json* method = root.find("method");
  const Json* params = root.find("params");
  const Json* result = root.find("result");
  const Json* error = root.find("error");
  if (method == nullptr) return read_response(std::move(message), result, error);
  if (result != nullptr || error != nullptr) return invalid("a request and a response in one", message.id);
  return read_call(std::move(message), *method, params);
}

std::string write_request(const Id& id, std::string_view method, const Json& params) {
  std::string out = begin(id);
  out += R"(,"method":)";
  jsonfilter::append_string(out, method);
  if (params.is_object()) out.append(R"(,"params":)").append(jsonfilter::write(params));
  return out += '}';
}

std::string write_notification(std::string_view method, const Json& params) {
  std::string out = begin(std::nullopt);
  out += R"(,"method":)";
  jsonfilter::append_string(out, method);
  if (params.is_object()) out.append(R"(,"params":)").append(jsonfilter::write(params));
  return out += '}';
}

std::string write_result(const Id& id, const Json& result) {
  return begin(id).append(R"(,"result":)").append(jsonfilter::write(result)) += '}';
}

std::string write_error(const Id& id, const Json& error) {
  return begin(id).append(R"(,"error":)").append(jsonfilter::write(error)) += '}';
}

std::string make_error(const std::optional<Id>& id, int code, std::string_view words, std::string_view data) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id ? id->json() : std::string("null");
  out.append(R"(,"error":{"code":)").append(std::to_string(code)).append(R"(,"message":)");
  jsonfilter::append_string(out, words);
  if (!data.empty()) out.append(R"(,"data":)").append(data);
  return out += "}}";
}

}  // namespace lnk::verb_mcp
