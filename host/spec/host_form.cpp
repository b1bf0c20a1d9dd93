// SPDX-License-Identifier: Apache-2.0
#include "spec/host_form.hpp"

#include <algorithm>
#include <cstddef>

#include "spec/shown.hpp"

namespace lnk::host {
namespace {

// RFC 1035, 2.3.4, less the length bytes and the root.
constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;
/// A name, a port and brackets; longer is refused before it is looked at.
constexpr std::size_t kMaxWrittenBytes = 300;

Failure refuse(std::string_view text, std::string_view words) {
  return fail(Code::Invalid, quoted(text) + " " + std::string(words));
}

/// What can't be in any host, each with the words for the slip it most likely is.
Result<void> check_characters(std::string_view text) {
  const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto outside_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (text.empty()) return fail(Code::Invalid, "a host can't be empty");
  if (text.size() > kMaxWrittenBytes) return refuse(text, "is longer than any host's name");
  if (std::any_of(text.begin(), text.end(), outside_ascii))
    return refuse(text, "isn't ASCII; write its punycode (xn--…)");
  if (std::any_of(text.begin(), text.end(), blank)) return refuse(text, "holds a space or control character");
  if (has("://")) return refuse(text, "has a scheme; write the host alone (example.com, or example.com:8443)");
  if (text.find_first_of("/?#\\") != std::string_view::npos)
    return refuse(text, "has a path; a grant is of a whole host");
  if (has("@")) return refuse(text, "has a user name; write the host alone");
  if (has("%")) return refuse(text, "has a percent sign (an encoded name or a zone); write it plain");
  return {};
}

Result<std::uint16_t> read_port(std::string_view text, std::string_view port) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  unsigned value = 0;
  if (port.size() <= 5 && std::all_of(port.begin(), port.end(), digit)) {
    for (const char c : port) value = value * 10 + static_cast<unsigned>(c - '0');
  }
  const bool fits = value >= 1 && value <= 65535 && port.front() != '0';
  if (!fits) return refuse(text, "has a port that isn't a number from 1 to 65535");
  return static_cast<std::uint16_t>(value);
}

Result<void> check_labels(std::string_view text, std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (name.empty()) return refuse(text, "names no host");
  if (name.size() > kMaxHostBytes) return refuse(text, "is longer than 253 bytes");
  while (true) {
    const std::size_t end = std::min(name.find('.'), name.size());
    const std::string_view label = name.substr(0, end);
    if (label.empty()) return refuse(text, "has an empty part between its dots");
    if (label.size() > kMaxLabelBytes) return refuse(text, "has a part of more than 63 bytes");
    if (!std::all_of(label.begin(), label.end(), fits))
      return refuse(text, "isn't a host's name (letters, digits, - and dots)");
    if (label.front() == '-' || label.back() == '-') return refuse(text, "has a part that begins or ends with -");
    if (end == name.size()) return {};
    name.remove_prefix(end + 1);
  }
}

Result<HostForm> read_bracketed(std::string_view text) {
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos) return refuse(text, "has a [ without its ]");
  HostForm out;
  const auto address = read_ipv6(text.substr(1, end - 1));
  if (!address) return refuse(text, "isn't an IPv6 address in hexadecimal groups");
  out.kind = HostKind::Ipv6;
  out.ipv6 = *address;
  out.name = ipv6_text(*address);
  const std::string_view rest = text.substr(end + 1);
  if (rest.empty()) return out;
  if (rest.front() != ':') return refuse(text, "has something other than a port after its ]");
  LNK_TRY(out.port, read_port(text, rest.substr(1)));
  return out;
}

Result<void> read_name_into(HostForm& out, std::string_view text, std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  if (name.ends_with('.') && name != "*.") name.pop_back();
  if (name == "*") {
    out.kind = HostKind::Any;
  } else if (name.starts_with("*.")) {
    out.kind = HostKind::Below;
    if (name.find('*', 1) != std::string::npos) return refuse(text, "has a * that isn't its first part");
    LNK_CHECK(check_labels(text, std::string_view(name).substr(2)));
    if (ends_in_number(name)) return refuse(text, "has a * over an address; only names have parts below them");
  } else if (name.find('*') != std::string::npos) {
    return refuse(text, "has a * that isn't its first part (*.example.com covers all below example.com)");
  } else if (ends_in_number(name)) {
    const auto address = read_ipv4(name);
    if (!address) return refuse(text, "is an address in an odd form; write four decimal numbers without leading zeros");
    out.kind = HostKind::Ipv4;
    out.ipv4 = *address;
  } else {
    LNK_CHECK(check_labels(text, name));
  }
  out.name = std::move(name);
  return {};
}

}  // namespace

Result<HostForm> read_host_form(std::string_view text) {
  LNK_CHECK(check_characters(text));
  if (text.front() == '[') return read_bracketed(text);
  HostForm out;
  const std::size_t colon = text.find(':');
  if (colon != text.rfind(':')) return refuse(text, "has several colons; write an IPv6 address in brackets");
  if (colon != std::string_view::npos) {
    if (colon + 1 == text.size()) return refuse(text, "has a : without its port");
    LNK_TRY(out.port, read_port(text, text.substr(colon + 1)));
  }
  LNK_CHECK(read_name_into(out, text, std::string(text.substr(0, colon))));
  return out;
}

}  // namespace lnk::host
