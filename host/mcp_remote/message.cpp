// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/message.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "mcp_remote/limits.hpp"

namespace lnk::host::remote {
namespace {

namespace json = boost::json;

/// In the range of JSON-RPC that is a server's own.
constexpr int kErrorCode = -32000;

Failure invalid(std::string_view words) { return fail(Code::Invalid, std::string(words)); }

Result<json::value> parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (error) return invalid("is no JSON");
  return value;
}

const json::value* member(const json::value& of, std::string_view name) {
  const auto* object = of.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

std::string text_of(const json::value* value) {
  return value == nullptr || !value->is_string() ? std::string() : std::string(value->get_string());
}

/// A fraction would not be told apart, nor written, as it came.
bool is_id(const json::value& value) { return value.is_string() || value.is_int64() || value.is_uint64(); }

/// Inside a text JSON has line breaks escaped, so that these are white space.
void make_one_line(std::string& text) {
  std::replace_if(
      text.begin(), text.end(), [](char byte) { return byte == '\n' || byte == '\r'; }, ' ');
}

/// What only a message that stands alone has.
void read_params(const json::value& params, Message& into) {
  into.name = text_of(member(params, "name"));
  if (into.name.empty()) into.name = text_of(member(params, "uri"));
  if (const auto* meta = member(params, "_meta")) into.version = text_of(member(*meta, "io.modelcontextprotocol/protocolVersion"));
  const auto* cancelled = member(params, "requestId");
  if (into.method == "notifications/cancelled" && cancelled != nullptr && is_id(*cancelled))
    into.cancelled = json::serialize(*cancelled);
}

Status read_one(const json::value& value, Message& into) {
  if (!value.is_object()) return invalid("is no object");
  const auto* method = member(value, "method");
  const auto* id = member(value, "id");
  if (method != nullptr && !method->is_string()) return invalid("has a method that is no text");
  if (method == nullptr) {
    const bool is_error = member(value, "error") != nullptr;
    if (!is_error && member(value, "result") == nullptr) return invalid("is neither a request nor an answer");
    into.is_error = is_error;
    into.response_ids.push_back(id == nullptr || !is_id(*id) ? "null" : json::serialize(*id));
    return {};
  }
  if (id != nullptr && !is_id(*id)) return invalid("has an id that is neither a whole number nor text");
  if (id != nullptr) into.request_ids.push_back(json::serialize(*id));
  return {};
}

Status read_batch(const json::array& values, Message& into) {
  if (values.empty() || values.size() > kBatchMax) return invalid("is a batch of none or of too many messages");
  into.is_batch = true;
  for (const auto& value : values) LNK_CHECK(read_one(value, into));
  return {};
}

bool is_field_text(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char byte) { return byte >= 0x20 && byte < 0x7f; });
  const bool is_trimmed = text.empty() || (text.front() != ' ' && text.back() != ' ');
  return is_plain && is_trimmed && !text.starts_with("=?base64?");
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t index = 0; index < 3; ++index)
      bits = bits << 8 | (index < group.size() ? static_cast<unsigned char>(group[index]) : 0U);
    for (std::size_t index = 0; index < 4; ++index) text += index <= group.size() ? kDigits[bits >> (18 - 6 * index) & 0x3fU] : '=';
  }
  return text;
}

}  // namespace

Result<Message> read_message(std::string text) {
  LNK_TRY(const auto value, parse(text));
  Message message;
  if (const auto* batch = value.if_array()) {
    LNK_CHECK(read_batch(*batch, message));
  } else {
    LNK_CHECK(read_one(value, message));
    message.method = text_of(member(value, "method"));
    if (const auto* params = member(value, "params")) read_params(*params, message);
  }
  make_one_line(text);
  message.line = std::move(text);
  return message;
}

std::string negotiated_version(std::string_view answer) {
  const auto value = parse(answer);
  const auto* result = value ? member(*value, "result") : nullptr;
  auto version = result == nullptr ? std::string() : text_of(member(*result, "protocolVersion"));
  return is_field_text(version) && version.size() <= kIdBytesMax ? version : std::string();
}

std::string renewal_id(std::uint64_t number) { return "\"lnk-sandbox-renewal-" + std::to_string(number) + "\""; }

std::string initialize_again(std::string_view initialize, std::uint64_t number) {
  auto value = parse(initialize);
  auto* object = value ? value->if_object() : nullptr;
  if (object == nullptr) return {};
  (*object)["id"] = parse(renewal_id(number)).value_or(json::value());
  return json::serialize(*object);
}

std::string error_line(std::string_view id, std::string_view words) {
  const json::object error{{"code", kErrorCode}, {"message", words}};
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":)" + json::serialize(error) + "}";
}

std::string error_line_of(std::string_view answer, std::string_view id) {
  const auto value = parse(answer);
  const auto* error = value ? member(*value, "error") : nullptr;
  const auto* code = error == nullptr ? nullptr : member(*error, "code");
  const auto* words = error == nullptr ? nullptr : member(*error, "message");
  if (code == nullptr || !code->is_number() || words == nullptr || !words->is_string()) return {};
  const auto* own = member(*value, "id");
  if (own != nullptr && is_id(*own) && json::serialize(*own) == id) {
    std::string line(answer);
    make_one_line(line);
    return line;
  }
  auto line = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":)" + json::serialize(*error) + "}";
  return parse(line) ? line : std::string();  // a number that is too large to be read can't be written again
}

std::string field_text(std::string_view text) {
  return is_field_text(text) ? std::string(text) : "=?base64?" + base64(text) + "?=";
}

}  // namespace lnk::host::remote
