// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/authority.hpp"

#include <algorithm>
#include <charconv>

#include "ascii.hpp"
#include "lnk/http/limits.hpp"

namespace lnk::http {
namespace {

Refusal bad(std::string_view words) { return Refusal{400, "bad-request", std::string(words)}; }

bool is_name_char(char byte) noexcept { return is_alphanumeric(byte) || byte == '-' || byte == '_'; }

std::string_view last_label(std::string_view name) noexcept { return name.substr(name.rfind('.') + 1); }

/// Some reader would take a name that ends so for an IPv4 address (WHATWG URL 3.5, "ends in a number checker").
bool ends_in_a_number(std::string_view name) noexcept {
  const std::string_view label = last_label(name);
  if (std::all_of(label.begin(), label.end(), is_digit)) return true;
  if (label.size() < 2 || label[0] != '0' || (label[1] != 'x' && label[1] != 'X')) return false;
  return std::all_of(label.begin() + 2, label.end(), is_hex_digit);
}

/// Empty, or what is wrong with it.
std::string_view check_label(std::string_view label) noexcept {
  if (label.empty()) return "a host with an empty label";
  if (label.size() > kLabelBytesMax) return "a host with a label over 63 bytes";
  if (label.front() == '-' || label.back() == '-') return "a host with a label that begins or ends with a hyphen";
  if (!std::all_of(label.begin(), label.end(), is_name_char)) return "a host with a byte that no name has";
  return {};
}

std::string_view check_name(std::string_view name) noexcept {
  if (name.empty()) return "an empty host";
  if (name.size() > kHostBytesMax) return "a host over 253 bytes";
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    if (const auto words = check_label(name.substr(start, end - start)); !words.empty()) return words;
    start = end + 1;
  }
  return {};
}

Checked<Host> parse_name(std::string_view text) {
  if (!text.empty() && text.back() == '.') text.remove_suffix(1);
  if (const auto words = check_name(text); !words.empty()) return bad(words);
  Host host;
  if (ends_in_a_number(text)) {
    if (!parse_ipv4(text, host.address)) return bad("an address that isn't in dotted decimal");
    host.kind = HostKind::Ipv4;
    host.text = format_ipv4(host.address);
    return host;
  }
  host.text.resize(text.size());
  std::transform(text.begin(), text.end(), host.text.begin(), to_lower);
  return host;
}

Checked<Host> parse_address6(std::string_view text) {
  Host host;
  if (!parse_ipv6(text, host.address)) return bad("an IPv6 address that can't be read");
  host.kind = HostKind::Ipv6;
  host.text = format_ipv6(host.address);
  return host;
}

/// 1 to 65535, no sign, no leading zero.
bool parse_port(std::string_view text, std::uint16_t& port) noexcept {
  constexpr std::size_t kDigitsMax = 5;
  if (text.empty() || text.size() > kDigitsMax || text.front() == '0') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && is_digit(text.front());
}

std::string_view check_bytes(std::string_view text) noexcept {
  for (const char byte : text) {
    if (byte == '@') return "userinfo in an authority";
    if (byte == '%') return "a percent sign in an authority";
    if (!is_visible(byte)) return "a byte in an authority that isn't visible ASCII";
  }
  return {};
}

}  // namespace

Checked<Host> parse_host(std::string_view text) {
  if (const auto words = check_bytes(text); !words.empty()) return bad(words);
  return text.find(':') == std::string_view::npos ? parse_name(text) : parse_address6(text);
}

Checked<Authority> parse_authority(std::string_view text) {
  if (const auto words = check_bytes(text); !words.empty()) return bad(words);
  std::size_t host_end = text.find(':');
  const bool is_bracketed = !text.empty() && text.front() == '[';
  if (is_bracketed) {
    host_end = text.find(']');
    if (host_end == std::string_view::npos) return bad("an authority with a bracket that isn't closed");
    ++host_end;
  }
  host_end = std::min(host_end, text.size());
  const std::string_view rest = text.substr(host_end);
  Authority authority;
  if (!rest.empty() && (rest.front() != ':' || !parse_port(rest.substr(1), authority.port))) {
    return bad("a port that isn't 1 to 65535 in digits");
  }
  auto host = is_bracketed ? parse_address6(text.substr(1, host_end - 2)) : parse_name(text.substr(0, host_end));
  if (is_refused(host)) return std::get<Refusal>(std::move(host));
  authority.host = std::get<Host>(std::move(host));
  return authority;
}

std::string Authority::to_text(std::uint16_t default_port) const {
  std::string text = host.kind == HostKind::Ipv6 ? '[' + host.text + ']' : host.text;
  if (port != 0 && port != default_port) text += ':' + std::to_string(port);
  return text;
}

}  // namespace lnk::http
