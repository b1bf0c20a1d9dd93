// SPDX-License-Identifier: Apache-2.0
#include "spec/host_form.hpp"

#include <algorithm>
#include <cstddef>

#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// A name, a port and brackets; longer is refused before it is looked at.
constexpr std::size_t kMaxWrittenBytes = 300;

Failure refuse(std::string_view text, const std::string& words) {
  return fail(Code::Invalid, quoted(text) + " " + words);
}

/// What can't be in any host, each with the words for the slip it most likely is.
Result<void> check_characters(std::string_view text) {
  const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto outside_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (text.empty()) return fail(Code::Invalid, "a host can't be empty");
  if (text.front() != '[' && text.find(':') != text.rfind(':') && !has("://")) {
    return refuse(text, "has several colons; write an IPv6 address in brackets");
  }
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

HostKind kind_of(http::HostKind kind) {
  switch (kind) {
    case http::HostKind::Ipv4:
      return HostKind::Ipv4;
    case http::HostKind::Ipv6:
      return HostKind::Ipv6;
    case http::HostKind::Name:
      break;
  }
  return HostKind::Name;
}

Result<HostForm> read_authority(std::string_view text, std::string_view authority) {
  auto parsed = http::parse_authority(authority);
  if (http::is_refused(parsed)) return refuse(text, "can't be read: " + std::get<http::Refusal>(parsed).words);
  auto& [host, port] = std::get<http::Authority>(parsed);
  HostForm out;
  out.kind = kind_of(host.kind);
  out.name = std::move(host.text);
  out.address = host.address;
  if (port != 0) out.port = port;
  return out;
}

}  // namespace

Result<HostForm> read_host_form(std::string_view text) {
  LNK_CHECK(check_characters(text));
  const std::string_view host = text.substr(0, text.find(':'));
  if (host == "*") {
    // Any name serves to have the port read by the same rule.
    LNK_TRY(HostForm any, read_authority(text, "a" + std::string(text.substr(1))));
    any.kind = HostKind::Any;
    any.name = "*";
    return any;
  }
  const bool below = text.starts_with("*.");
  const std::string_view rest = below ? text.substr(2) : text;
  if (rest.find('*') != std::string_view::npos) {
    return refuse(text, "has a * that isn't its first part (*.example.com covers all below example.com)");
  }
  LNK_TRY(HostForm out, read_authority(text, rest));
  if (!below) return out;
  if (out.kind != HostKind::Name) return refuse(text, "has a * over an address; only names have parts below them");
  out.kind = HostKind::Below;
  out.name.insert(0, "*.");
  return out;
}

}  // namespace lnk::host
