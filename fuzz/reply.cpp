// SPDX-License-Identifier: Apache-2.0
//
// Reply heads, which come from outside: the same rules, and what is passed inside is read as the same reply.
#include <algorithm>
#include <string>

#include "entry.hpp"
#include "lnk/http/head.hpp"
#include "lnk/http/write.hpp"

namespace lnk::fuzz {
namespace {

using Outcome = http::HeadScanner::Outcome;

void check_reply(std::string_view head, std::string_view method) {
  const auto parsed = http::parse_reply(head, method);
  if (http::is_refused(parsed)) {
    LNK_HOLDS(std::get<http::Refusal>(parsed).status == 502);
    return;
  }
  const auto& reply = std::get<http::ReplyHead>(parsed);
  LNK_HOLDS(reply.status >= 100 && reply.status <= 599);
  const bool no_body = method == "HEAD" || reply.status < 200 || reply.status == 204 || reply.status == 304;
  if (no_body) LNK_HOLDS(reply.body.framing == http::Framing::None);
  const auto bad = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
  for (const http::Field& field : reply.fields) {
    LNK_HOLDS(http::is_token(field.name));
    LNK_HOLDS(std::none_of(field.value.begin(), field.value.end(), bad));
  }
  http::HeadWriter writer;
  writer.reply(reply.status, reply.reason).fields(http::end_to_end_fields(reply.fields)).framing(reply.body);
  const std::string text = writer.finish();
  LNK_HOLDS(!text.empty());
  const auto again = http::parse_reply(text, method);
  LNK_HOLDS(!http::is_refused(again));
  const auto& second = std::get<http::ReplyHead>(again);
  LNK_HOLDS(second.status == reply.status && second.reason == reply.reason && second.body == reply.body);
}

}  // namespace

void check(std::string_view input) {
  http::HeadScanner scanner(http::Side::Reply);
  if (scanner.scan(input) != Outcome::Whole) return;
  LNK_HOLDS(scanner.size() <= input.size());
  const std::string_view head = input.substr(0, scanner.size());
  for (const std::string_view method : {"GET", "HEAD"}) check_reply(head, method);
}

}  // namespace lnk::fuzz
