// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/write.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ascii.hpp"

namespace lnk::http {
namespace {

/// source: RFC 9110 7.6.1; RFC 7540 3.2.1 (HTTP2-Settings); Proxy-Connection is nobody's standard and common
constexpr std::array<std::string_view, 15> kLeftOut = {"connection",
                                                       "keep-alive",
                                                       "proxy-connection",
                                                       "te",
                                                       "trailer",
                                                       "transfer-encoding",
                                                       "upgrade",
                                                       "proxy-authorization",
                                                       "proxy-authenticate",
                                                       "proxy-authentication-info",
                                                       "http2-settings",
                                                       "host",
                                                       "content-length",
                                                       "expect",
                                                       "proxy-status"};

bool is_left_out(std::string_view name) noexcept {
  return std::any_of(kLeftOut.begin(), kLeftOut.end(),
                     [name](std::string_view other) { return equals_folded(name, other); });
}

std::vector<std::string_view> named_by_connection(const std::vector<Field>& fields) {
  std::vector<std::string_view> names;
  for (const Field& field : fields) {
    if (!equals_folded(field.name, "connection")) continue;
    for (std::size_t start = 0; start <= field.value.size();) {
      const std::size_t end = std::min(field.value.find(',', start), field.value.size());
      const std::string_view name = trimmed(field.value.substr(start, end - start));
      if (!name.empty()) names.push_back(name);
      start = end + 1;
    }
  }
  return names;
}

bool is_field_value(std::string_view value) noexcept {
  if (!value.empty() && (is_blank(value.front()) || is_blank(value.back()))) return false;
  return std::none_of(value.begin(), value.end(), [](char byte) { return is_control(byte) && byte != '\t'; });
}

bool is_phrase(std::string_view reason) noexcept {
  return std::all_of(reason.begin(), reason.end(), [](char byte) { return byte == ' ' || is_visible(byte); });
}

bool is_target(std::string_view target) noexcept {
  return !target.empty() && target.size() <= kTargetBytesMax && std::all_of(target.begin(), target.end(), is_visible);
}

}  // namespace

std::vector<Field> end_to_end_fields(const std::vector<Field>& fields) {
  const std::vector<std::string_view> named = named_by_connection(fields);
  std::vector<Field> kept;
  kept.reserve(fields.size());
  for (const Field& field : fields) {
    const bool is_named =
        std::any_of(named.begin(), named.end(), [&](std::string_view name) { return equals_folded(name, field.name); });
    if (!is_named && !is_left_out(field.name)) kept.push_back(field);
  }
  return kept;
}

HeadWriter& HeadWriter::request(std::string_view method, std::string_view target) {
  constexpr std::size_t kUsualHeadBytes = 512;
  text_.reserve(kUsualHeadBytes);
  if (!text_.empty() || !is_token(method) || !is_target(target)) is_unfit_ = true;
  text_.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
  return *this;
}

HeadWriter& HeadWriter::reply(std::uint16_t status, std::string_view reason) {
  if (!text_.empty() || status < 100 || status > 599 || !is_phrase(reason)) is_unfit_ = true;
  text_.append("HTTP/1.1 ").append(std::to_string(status)).append(" ").append(reason).append("\r\n");
  return *this;
}

HeadWriter& HeadWriter::field(std::string_view name, std::string_view value) {
  if (text_.empty() || !is_token(name) || !is_field_value(value)) is_unfit_ = true;
  text_.append(name).append(": ").append(value).append("\r\n");
  return *this;
}

HeadWriter& HeadWriter::fields(const std::vector<Field>& fields) {
  for (const Field& each : fields) field(each.name, each.value);
  return *this;
}

HeadWriter& HeadWriter::framing(const Body& body) {
  if (body.framing == Framing::Length) return field("Content-Length", std::to_string(body.length));
  return body.framing == Framing::Chunked ? field("Transfer-Encoding", "chunked") : *this;
}

HeadWriter& HeadWriter::websocket() { return field("Connection", "Upgrade").field("Upgrade", "websocket"); }

std::string HeadWriter::finish() {
  if (is_unfit_) return {};
  text_ += "\r\n";
  return std::exchange(text_, {});
}

std::string write_origin_request(const RequestHead& head, std::uint16_t default_port) {
  std::string target(head.path);
  if (head.has_query) target.append("?").append(head.query);
  HeadWriter writer;
  writer.request(head.method, target).field("Host", head.authority.to_text(default_port));
  writer.fields(end_to_end_fields(head.fields)).framing(head.body);
  if (head.asks_websocket) writer.websocket();
  return writer.finish();
}

std::string_view reason_phrase(std::uint16_t status) noexcept {
  struct Phrase {
    std::uint16_t status;
    std::string_view words;
  };
  constexpr std::array<Phrase, 24> kPhrases = {{{100, "Continue"},
                                                {200, "OK"},
                                                {204, "No Content"},
                                                {302, "Found"},
                                                {304, "Not Modified"},
                                                {400, "Bad Request"},
                                                {401, "Unauthorized"},
                                                {403, "Forbidden"},
                                                {404, "Not Found"},
                                                {405, "Method Not Allowed"},
                                                {408, "Request Timeout"},
                                                {411, "Length Required"},
                                                {413, "Content Too Large"},
                                                {414, "URI Too Long"},
                                                {415, "Unsupported Media Type"},
                                                {417, "Expectation Failed"},
                                                {426, "Upgrade Required"},
                                                {429, "Too Many Requests"},
                                                {431, "Request Header Fields Too Large"},
                                                {500, "Internal Server Error"},
                                                {501, "Not Implemented"},
                                                {502, "Bad Gateway"},
                                                {503, "Service Unavailable"},
                                                {504, "Gateway Timeout"}}};
  for (const Phrase& phrase : kPhrases) {
    if (phrase.status == status) return phrase.words;
  }
  return {};
}

}  // namespace lnk::http
