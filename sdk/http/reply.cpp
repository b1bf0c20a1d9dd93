// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ascii.hpp"
#include "fields.hpp"

namespace lnk::http {
namespace {

Refusal bad(std::string_view what) { return refuse_head(Side::Reply, 502, what); }

/// "HTTP/1.1 200 OK"; the phrase may be empty, and so may the space before it.
bool parse_status_line(std::string_view line, ReplyHead& head) noexcept {
  constexpr std::size_t kVersionSize = 8;
  constexpr std::size_t kStatusSize = 3;
  constexpr std::size_t kReasonStart = kVersionSize + 1 + kStatusSize;
  if (line.size() < kReasonStart || line[kVersionSize] != ' ') return false;
  head.minor_version = parse_minor_version(line.substr(0, kVersionSize));
  const std::string_view digits = line.substr(kVersionSize + 1, kStatusSize);
  if (head.minor_version < 0 || !std::all_of(digits.begin(), digits.end(), is_digit)) return false;
  head.status = static_cast<std::uint16_t>((digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0'));
  if (head.status < 100 || head.status > 599) return false;
  if (line.size() == kReasonStart) return true;
  if (line[kReasonStart] != ' ') return false;
  const std::string_view reason = line.substr(kReasonStart + 1);
  const bool is_plain =
      std::all_of(reason.begin(), reason.end(), [](char byte) { return byte == ' ' || is_visible(byte); });
  if (is_plain) head.reason = reason;
  return true;
}

bool has_no_body(std::uint16_t status, std::string_view request_method) noexcept {
  return request_method == "HEAD" || status < 200 || status == 204 || status == 304;
}

}  // namespace

Checked<ReplyHead> parse_reply(std::string_view bytes, std::string_view request_method) {
  ReplyHead head;
  head.storage = std::make_unique<char[]>(bytes.size());
  std::memcpy(head.storage.get(), bytes.data(), bytes.size());
  std::string_view rest(head.storage.get(), bytes.size());
  if (!rest.ends_with("\r\n\r\n")) return bad("no end");
  rest.remove_suffix(2);
  if (!parse_status_line(take_line(rest), head)) return bad("a status line that can't be read");
  FieldTally tally;
  if (const auto words = parse_fields(rest, head.fields, tally); !words.empty()) return bad(words);
  auto body = decide_framing(tally, head.minor_version, Side::Reply);
  if (is_refused(body)) return std::get<Refusal>(std::move(body));
  head.body = std::get<Body>(body);
  if (head.body.framing == Framing::Length) head.told_length = head.body.length;
  if (has_no_body(head.status, request_method)) head.body = Body{};
  head.is_websocket = head.status == 101 && head.minor_version == 1 && tally.is_websocket() &&
                      tally.length_count + tally.coding_count == 0;
  head.wants_keep_alive = head.body.framing != Framing::UntilClose && !tally.asks_close &&
                          (head.minor_version == 1 || tally.asks_keep_alive);
  return head;
}

}  // namespace lnk::http
