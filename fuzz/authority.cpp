// SPDX-License-Identifier: Apache-2.0
//
// Authorities: what is accepted is one host to every reader, and is written as it is read.
#include "lnk/http/authority.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

bool is_address_to_libc(const std::string& name) {
  in_addr address{};
  return ::inet_aton(name.c_str(), &address) != 0;
}

void check_host(const http::Host& host) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  http::AddressBytes address{};
  switch (host.kind) {
    case http::HostKind::Name:
      LNK_HOLDS(!host.text.empty() && host.text.size() <= 253);
      LNK_HOLDS(std::all_of(host.text.begin(), host.text.end(), fits));
      LNK_HOLDS(!host.text.starts_with('.') && !host.text.ends_with('.'));
      LNK_HOLDS(!is_address_to_libc(host.text));
      return;
    case http::HostKind::Ipv4:
      LNK_HOLDS(::inet_pton(AF_INET, host.text.c_str(), address.data()) == 1);
      LNK_HOLDS(std::memcmp(address.data(), host.address.data(), 4) == 0);
      return;
    case http::HostKind::Ipv6:
      LNK_HOLDS(::inet_pton(AF_INET6, host.text.c_str(), address.data()) == 1);
      LNK_HOLDS(address == host.address);
      return;
  }
}

}  // namespace

void check(std::string_view input) {
  const auto parsed = http::parse_authority(input);
  if (const auto host = http::parse_host(input); !http::is_refused(host)) check_host(std::get<http::Host>(host));
  if (http::is_refused(parsed)) return;
  const auto& authority = std::get<http::Authority>(parsed);
  LNK_HOLDS(input.find_first_of("@%/?#\\ \t\r\n") == std::string_view::npos);
  check_host(authority.host);
  const auto again = http::parse_authority(authority.to_text(0));
  LNK_HOLDS(!http::is_refused(again));
  LNK_HOLDS(std::get<http::Authority>(again) == authority);
}

}  // namespace lnk::fuzz
