// SPDX-License-Identifier: Apache-2.0
//
// Server-sent events: however the bytes are cut, the same events, id and time come out, and they are those that a plain reading of
// the whole text gives.
#include "mcp_remote/event_stream.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "entry.hpp"
#include "mcp_remote/limits.hpp"

namespace lnk::fuzz {
namespace {

using host::remote::EventStream;

/// Small, so that inputs go over it.
constexpr std::size_t kBytesMax = 64;

struct Read {
  std::vector<std::string> events;  ///< kind and data, with a NUL between
  std::string id;
  std::int64_t retry_ms = -1;
  bool is_too_long = false;
  friend bool operator==(const Read&, const Read&) = default;
};

Read read_by_steps(std::string_view input, std::size_t step, std::size_t bytes_max) {
  EventStream stream(bytes_max);
  Read out;
  while (!input.empty() && !out.is_too_long) {
    std::string_view piece = input.substr(0, step);
    input.remove_prefix(piece.size());
    for (;;) {
      const auto before = piece.size();
      const auto got = stream.next(piece);
      LNK_HOLDS(stream.held() <= 3 * bytes_max);
      if (got == EventStream::Step::NeedMore) break;
      out.is_too_long = got == EventStream::Step::TooLong;
      if (out.is_too_long) break;
      LNK_HOLDS(piece.size() < before);
      const auto event = stream.take_event();
      LNK_HOLDS(event.data.size() <= bytes_max);
      out.events.push_back(event.kind + '\0' + event.data);
    }
    if (!out.is_too_long) LNK_HOLDS(piece.empty());
  }
  out.id = stream.last_id();
  out.retry_ms = stream.retry_ms().value_or(-1);
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_pair = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (text[at] == '\r' || text[at] == '\n') {
      lines.emplace_back();
      at += is_pair ? 1U : 0U;
    } else {
      lines.back() += text[at];
    }
  }
  lines.pop_back();  // what no line end follows is no line
  return lines;
}

/// As the standard has it, a line at a time, with no limit.
Read read_plainly(std::string_view text) {
  Read out;
  std::string kind;
  std::string id;
  std::string data;
  auto lines = lines_of(text);
  if (!lines.empty() && lines[0].starts_with("\xEF\xBB\xBF")) lines[0].erase(0, 3);
  for (const std::string& line : lines) {
    if (line.empty()) {
      out.id = id;
      if (!data.empty()) out.events.push_back(kind + '\0' + data.substr(0, data.size() - 1));
      data.clear();
      kind.clear();
      continue;
    }
    const auto colon = line.find(':');
    const std::string name = line.substr(0, colon);
    std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (!value.empty() && value[0] == ' ') value.erase(0, 1);
    if (name == "data") data += value + "\n";
    if (name == "event") kind = value;
    if (name == "id" && value.find('\0') == std::string::npos) id = value;
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    if (name != "retry" || !is_number) continue;
    const auto first = value.find_first_not_of('0');
    const std::string digits = first == std::string::npos ? "0" : value.substr(first);
    const auto most = host::remote::kRetryMsMax;
    out.retry_ms = digits.size() > 9 ? most : std::min<std::int64_t>(std::stol(digits), most);
  }
  return out;
}

}  // namespace

void check(std::string_view input) {
  const std::size_t room = input.size() + 1;
  const Read whole = read_by_steps(input, room, room);
  LNK_HOLDS(!whole.is_too_long);
  for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{7}})
    LNK_HOLDS(read_by_steps(input, step, room) == whole);
  LNK_HOLDS(read_plainly(input) == whole);
  const Read limited = read_by_steps(input, room, kBytesMax);
  LNK_HOLDS(read_by_steps(input, 1, kBytesMax).is_too_long == limited.is_too_long);
  if (!limited.is_too_long) LNK_HOLDS(limited == whole);
}

}  // namespace lnk::fuzz
