// SPDX-License-Identifier: Apache-2.0
//
// What would leave the wire for each request head of standard input: a line of hex in, a line out. "-" where the
// request is refused or asks for no plain proxying; else the method, target, Host, framing, length and number of fields
// as the wire understood them, and the head that goes out, texts in hex.
#include <iostream>
#include <optional>
#include <string>

#include "lnk/http/write.hpp"
#include "wire/decision.hpp"

namespace {

using namespace lnk::http;

std::optional<unsigned> digit_of(char byte) {
  if (byte >= '0' && byte <= '9') return static_cast<unsigned>(byte - '0');
  if (byte >= 'a' && byte <= 'f') return static_cast<unsigned>(byte - 'a' + 10);
  return std::nullopt;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const auto high = digit_of(text[at]);
    const auto low = digit_of(text[at + 1]);
    if (!high || !low) return std::nullopt;
    bytes += static_cast<char>(*high << 4U | *low);
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4U];
    text += kDigits[value & 0xfU];
  }
  return text;
}

std::string describe(const std::string& bytes, const lnk::host::HostList& hosts) {
  constexpr std::uint16_t kOwnPort = 40781;
  HeadScanner scanner(Side::Request);
  if (scanner.scan(bytes) != HeadScanner::Outcome::Whole) return "-";
  const auto parsed = parse_request(std::string_view(bytes).substr(0, scanner.size()));
  if (is_refused(parsed)) return "-";
  const auto& head = std::get<RequestHead>(parsed);
  const auto decision = lnk::host::decide(head, hosts, kOwnPort);
  if (decision.refusal || decision.road != lnk::host::Road::Plain) return "-";
  const std::string target = std::string(head.path) + (head.has_query ? "?" + std::string(head.query) : "");
  constexpr std::string_view kFramings[] = {"none", "length", "chunked"};
  const std::size_t framing = static_cast<std::size_t>(head.body.framing);
  const std::size_t count =
      1 + end_to_end_fields(head.fields).size() + (framing == 0 ? 0 : 1) + (head.asks_websocket ? 2 : 0);
  return std::string(head.method) + ' ' + to_hex(target) + ' ' + to_hex(head.authority.to_text(80)) + ' ' +
         std::string(kFramings[framing]) + ' ' + std::to_string(head.body.length) + ' ' + std::to_string(count) + ' ' +
         to_hex(write_origin_request(head, 80));
}

}  // namespace

int main() {
  auto hosts = lnk::host::HostList::make({{"*", {80, 8080}}});
  if (!hosts) return 1;
  for (std::string line; std::getline(std::cin, line);) {
    const auto bytes = from_hex(line);
    if (!bytes) {
      std::cerr << "written_heads: a line that isn't hex\n";
      return 1;
    }
    std::cout << describe(*bytes, *hosts) << '\n';
  }
  return 0;
}
