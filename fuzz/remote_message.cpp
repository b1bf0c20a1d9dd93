// SPDX-License-Identifier: Apache-2.0
//
// Messages that mcp-remote carries: one that is taken is one line that holds the same JSON; what of it goes into a head makes no
// field of its own, and says the same there; an error of ours is a line too.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "entry.hpp"
#include "lnk/http/head.hpp"
#include "mcp_remote/limits.hpp"
#include "mcp_remote/message.hpp"
#include "mcp_remote/request_head.hpp"
#include "mcp_remote/tool_file.hpp"
#include "mcp_remote/tool_headers.hpp"

namespace lnk::fuzz {
namespace {

using namespace host::remote;
namespace json = boost::json;

json::value parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::error_code error;
  auto value = json::parse(text, error, {}, options);
  LNK_HOLDS(!error);
  return value;
}

bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

std::string decoded(std::string_view value) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (!value.starts_with("=?base64?")) return std::string(value);
  LNK_HOLDS(value.ends_with("?="));
  value = value.substr(9, value.size() - 11);
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : value.substr(0, value.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(kDigits.find(digit));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += static_cast<char>(bits >> count & 0xffU);
  }
  return text;
}

void check_head(const Message& message) {
  const auto url = read_url("https://example.com/mcp");
  LNK_HOLDS(url.has_value());
  ToolHeaders tools;
  tools.learn(message.line);
  RequestParts parts;
  const std::string method = field_text(message.method);
  parts.body_bytes = message.line.size();
  parts.mcp_method = method;
  parts.mcp_name = message.name;
  // A message that is a list of tools and a call of one at once.
  parts.mirrored = tools.of(message.name, message.line);
  LNK_HOLDS(parts.mirrored.size() <= kMirrorsMax);
  const std::string head = request_head(*url, {}, parts);
  LNK_HOLDS(!head.empty());
  const auto read = http::parse_request(head);
  if (http::is_refused(read)) {
    LNK_HOLDS(std::get<http::Refusal>(read).status == 431);  // too large is all that it may be
    return;
  }
  const auto& fields = std::get<0>(read).fields;
  LNK_HOLDS(fields.size() == 5 + (method.empty() ? 0U : 1U) + (message.name.empty() ? 0U : 1U) + parts.mirrored.size());
  LNK_HOLDS(decoded(http::find_field(fields, "mcp-name").value_or("")) == message.name);
  LNK_HOLDS(decoded(http::find_field(fields, "mcp-method").value_or("")) == message.method);
  LNK_HOLDS(std::get<0>(read).authority.host.text == "example.com");
}

void check_lines(const Message& message, std::string_view input) {
  for (const auto& ids : {message.request_ids, message.response_ids}) {
    LNK_HOLDS(ids.size() <= kBatchMax);
    for (const auto& id : ids) {
      const auto error = error_line(id, "words");
      LNK_HOLDS(is_one_line(error) && parse(error).at("id") == parse(id));
    }
  }
  const auto passed = error_line_of(input, "1");
  LNK_HOLDS(passed.empty() || (is_one_line(passed) && parse(passed).at("id") == 1 &&
                               parse(passed).at("error").at("message") == parse(input).at("error").at("message")));
  const auto again = initialize_again(message.line, 7);
  if (again.empty()) return;
  const auto renewed = read_message(again);
  LNK_HOLDS(!renewed || message.is_batch || message.method.empty() || renewed->request_ids.front() == renewal_id(7));
  LNK_HOLDS(is_one_line(negotiated_version(input)));
}

}  // namespace

void check(std::string_view input) {
  if (const auto headers = headers_of_tool(input, "https://example.com/"); headers) LNK_HOLDS(check_headers(*headers).has_value());
  const auto message = read_message(std::string(input));
  if (!message) {
    LNK_HOLDS(!message.error().text.empty());
    return;
  }
  LNK_HOLDS(is_one_line(message->line) && message->line.size() == input.size());
  LNK_HOLDS(json::serialize(parse(message->line)) == json::serialize(parse(input)));  // as text, since 0e999 is read as no number
  LNK_HOLDS(message->request_ids.empty() || message->is_batch || !message->method.empty() || message->request_ids.size() == 1);
  check_head(*message);
  check_lines(*message, input);
}

}  // namespace lnk::fuzz
