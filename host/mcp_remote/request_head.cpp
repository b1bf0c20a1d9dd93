// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/request_head.hpp"

#include <algorithm>
#include <array>

#include "lnk/http/write.hpp"
#include "mcp_remote/limits.hpp"
#include "mcp_remote/message.hpp"
#include "spec/shown.hpp"

namespace lnk::host::remote {
namespace {

constexpr std::array<std::string_view, 16> kOwnFields = {
    "host",   "content-length", "content-type",   "transfer-encoding", "connection",           "accept",     "accept-encoding",
    "expect", "last-event-id",  "mcp-session-id", "upgrade",           "mcp-protocol-version", "mcp-method", "mcp-name",
    "te",     "trailer"};

constexpr std::string_view kMirrored = "mcp-param-";

bool is_own(std::string_view name) {
  if (http::equals_folded(name.substr(0, kMirrored.size()), kMirrored)) return true;
  return std::any_of(kOwnFields.begin(), kOwnFields.end(), [name](auto own) { return http::equals_folded(own, name); });
}

/// Tabs and bytes over ASCII are left to nobody's reading.
bool is_value(std::string_view value) {
  return !value.empty() && value.front() != ' ' && value.back() != ' ' &&
         std::all_of(value.begin(), value.end(), [](char byte) { return byte >= 0x20 && byte < 0x7f; });
}

}  // namespace

Status check_headers(const Headers& headers) {
  if (headers.size() > kHeadersMax) return fail(Code::Limit, "more than " + std::to_string(kHeadersMax) + " headers");
  for (const auto& [name, value] : headers) {
    const std::string which = "the header " + host::quoted(name);
    if (!http::is_token(name)) return fail(Code::Invalid, which + " is no header's name");
    if (is_own(name)) return fail(Code::Invalid, which + " is set by the transport and can't be given");
    if (value.size() > kHeaderBytesMax)
      return fail(Code::Limit, which + " has a value of more than " + std::to_string(kHeaderBytesMax) + " bytes");
    if (!is_value(value)) return fail(Code::Invalid, which + " has a value that is empty, or holds more than printable ASCII");
  }
  return {};
}

std::string request_head(const Url& url, const Headers& headers, const RequestParts& parts) {
  const bool is_get = parts.method == "GET";
  const std::string host = url.host_field();
  const std::string name = field_text(parts.mcp_name);
  http::HeadWriter head;
  head.request(parts.method, url.target).field("Host", host).field("Connection", "close");
  if (is_get) head.field("Accept", "text/event-stream");
  if (parts.body_bytes) head.field("Content-Type", "application/json").field("Accept", "application/json, text/event-stream");
  if (!parts.session.empty()) head.field("Mcp-Session-Id", parts.session);
  if (!parts.version.empty()) head.field("MCP-Protocol-Version", parts.version);
  if (!parts.last_event_id.empty()) head.field("Last-Event-ID", parts.last_event_id);
  if (!parts.mcp_method.empty()) head.field("Mcp-Method", parts.mcp_method);
  if (!parts.mcp_name.empty()) head.field("Mcp-Name", name);
  for (const auto& [field, value] : parts.mirrored) head.field(field, value);
  for (const auto& [field, value] : headers) head.field(field, value);
  if (parts.body_bytes) head.framing({http::Framing::Length, *parts.body_bytes});
  return head.finish();
}

}  // namespace lnk::host::remote
