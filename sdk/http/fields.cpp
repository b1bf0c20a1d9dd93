// SPDX-License-Identifier: Apache-2.0
#include "fields.hpp"

#include <algorithm>
#include <utility>

#include "ascii.hpp"

namespace lnk::http {
namespace {

/// Empty, or what is wrong with the field's value.
std::string_view tally_connection(std::string_view value, FieldTally& tally) {
  for (std::size_t start = 0; start <= value.size();) {
    const std::size_t end = std::min(value.find(',', start), value.size());
    const std::string_view option = trimmed(value.substr(start, end - start));
    start = end + 1;
    if (option.empty()) continue;
    if (!is_token(option)) return "a Connection option that isn't a token";
    if (equals_folded(option, "close")) tally.asks_close = true;
    if (equals_folded(option, "keep-alive")) tally.asks_keep_alive = true;
    if (equals_folded(option, "upgrade")) tally.names_upgrade = true;
  }
  return {};
}

std::string_view tally_field(const Field& field, FieldTally& tally) {
  if (std::any_of(field.value.begin(), field.value.end(), is_high)) tally.has_high_bytes = true;
  if (equals_folded(field.name, "host")) {
    ++tally.host_count;
    tally.host = field.value;
  } else if (equals_folded(field.name, "content-length")) {
    ++tally.length_count;
    tally.length = field.value;
  } else if (equals_folded(field.name, "transfer-encoding")) {
    ++tally.coding_count;
    tally.coding = field.value;
  } else if (equals_folded(field.name, "expect")) {
    if (tally.has_expect) return "two Expect fields";
    tally.has_expect = true;
    tally.expect = field.value;
  } else if (equals_folded(field.name, "upgrade")) {
    ++tally.upgrade_count;
    tally.upgrade = field.value;
  } else if (equals_folded(field.name, "connection")) {
    return tally_connection(field.value, tally);
  }
  return {};
}

}  // namespace

bool FieldTally::is_websocket() const noexcept {
  return upgrade_count == 1 && names_upgrade && equals_folded(upgrade, "websocket");
}

bool equals_folded(std::string_view left, std::string_view right) noexcept {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(), [](char a, char b) { return to_lower(a) == to_lower(b); });
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::optional<std::string_view> find_field(const std::vector<Field>& fields, std::string_view name) noexcept {
  for (const Field& field : fields) {
    if (equals_folded(field.name, name)) return field.value;
  }
  return std::nullopt;
}

Refusal refuse_head(Side side, std::uint16_t status, std::string_view what) {
  if (side == Side::Reply) return Refusal{502, "upstream", "the host's reply has " + std::string(what)};
  const bool is_size = status == 413 || status == 414 || status == 431;
  return Refusal{status, is_size ? "too-large" : "bad-request",
                 "the request has " + std::string(what) + "; such a request is refused whatever the spec allows"};
}

std::string_view take_line(std::string_view& head) noexcept {
  const std::size_t end = head.find("\r\n");
  if (end == std::string_view::npos) return std::exchange(head, {});
  const std::string_view line = head.substr(0, end);
  head.remove_prefix(end + 2);
  return line;
}

int parse_minor_version(std::string_view text) noexcept {
  if (text == "HTTP/1.1") return 1;
  return text == "HTTP/1.0" ? 0 : -1;
}

std::string_view parse_fields(std::string_view lines, std::vector<Field>& fields, FieldTally& tally) {
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return "a field line without a colon";
    const Field field{line.substr(0, colon), trimmed(line.substr(colon + 1))};
    if (!is_token(field.name)) return "a field's name that isn't a token";
    if (const auto words = tally_field(field, tally); !words.empty()) return words;
    fields.push_back(field);
  }
  return {};
}

}  // namespace lnk::http
