// SPDX-License-Identifier: Apache-2.0
//
// The wire checks every address again when it connects; what stands here refuses early, at a line of the spec.
#include "spec/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace lnk::host {
namespace {

constexpr std::string_view kLoopback = "this machine's own address";
constexpr std::string_view kPrivate = "in a private range";
constexpr std::string_view kSpecial = "in a range kept for special uses";
constexpr std::string_view kGroup = "a group's or everyone's address";
constexpr std::string_view kMetadata = "a cloud's metadata service";

struct Range4 {
  Ipv4Bytes first;
  unsigned bits;
  std::string_view what;
};

// source: IANA's special-purpose address registry (RFC 6890 and its updates); the clouds' own documents for metadata.
// Metadata services come first, since they lie inside wider ranges.
constexpr std::array<Range4, 25> kClosed4 = {{
    {{169, 254, 169, 254}, 32, kMetadata}, {{169, 254, 170, 2}, 32, kMetadata}, {{169, 254, 170, 23}, 32, kMetadata},
    {{169, 254, 42, 42}, 32, kMetadata},   {{169, 254, 0, 23}, 32, kMetadata},  {{169, 254, 10, 10}, 32, kMetadata},
    {{100, 100, 100, 200}, 32, kMetadata}, {{168, 63, 129, 16}, 32, kMetadata}, {{192, 0, 0, 192}, 32, kMetadata},
    {{0, 0, 0, 0}, 8, kLoopback},          {{127, 0, 0, 0}, 8, kLoopback},      {{10, 0, 0, 0}, 8, kPrivate},
    {{100, 64, 0, 0}, 10, kPrivate},       {{169, 254, 0, 0}, 16, kPrivate},    {{172, 16, 0, 0}, 12, kPrivate},
    {{192, 168, 0, 0}, 16, kPrivate},      {{192, 0, 0, 0}, 24, kSpecial},      {{192, 0, 2, 0}, 24, kSpecial},
    {{192, 31, 196, 0}, 24, kSpecial},     {{192, 52, 193, 0}, 24, kSpecial},   {{192, 88, 99, 0}, 24, kSpecial},
    {{192, 175, 48, 0}, 24, kSpecial},     {{198, 18, 0, 0}, 15, kSpecial},     {{198, 51, 100, 0}, 24, kSpecial},
    {{203, 0, 113, 0}, 24, kSpecial},
}};

struct Range6 {
  std::array<std::uint16_t, 8> first;
  unsigned bits;
  std::string_view what;
};

constexpr std::array<Range6, 8> kMetadata6 = {{
    {{0xfd00, 0xec2}, 32, kMetadata},
    {{0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254}, 128, kMetadata},
    {{0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe}, 128, kMetadata},
    {{0xfd00, 0x100, 0, 0, 0, 0, 0x100, 0x200}, 128, kMetadata},
    {{0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe}, 128, kMetadata},
    {{0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1}, 128, kMetadata},
    {{0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42}, 128, kMetadata},
    {{0xfd00, 0xa9fe, 0xa9fe}, 48, kMetadata},
}};

constexpr std::array<Range6, 5> kSpecial6 = {{
    {{0x2001, 0}, 23, kSpecial},      // protocol assignments: Teredo, benchmarks, AMT, ORCHID among them
    {{0x2001, 0xdb8}, 32, kSpecial},  // documentation
    {{0x2002}, 16, kSpecial},         // 6to4: an IPv4 address inside
    {{0x2620, 0x4f, 0x8000}, 48, kSpecial},
    {{0x3fff, 0}, 20, kSpecial},  // documentation
}};

constexpr std::array<std::string_view, 10> kMetadataNames = {
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
    "metadata.azure.com",
    "metadata.oraclecloud.com",
    "metadata.digitalocean.com",
    "metadata.tencentyun.com",
};

bool starts_with(std::span<const std::uint8_t> address, std::span<const std::uint8_t> first, unsigned bits) {
  const std::size_t whole = bits / 8;
  if (!std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(whole), address.begin())) return false;
  const unsigned rest = bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xFFU << (8 - rest));
  return (address[whole] & mask) == (first[whole] & mask);
}

Ipv6Bytes bytes_of(const std::array<std::uint16_t, 8>& groups) {
  Ipv6Bytes out{};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    out[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8U);
    out[2 * i + 1] = static_cast<std::uint8_t>(groups[i] & 0xFFU);
  }
  return out;
}

std::optional<std::string_view> find(std::span<const Range6> ranges, const Ipv6Bytes& address) {
  for (const Range6& range : ranges) {
    if (starts_with(address, bytes_of(range.first), range.bits)) return range.what;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Ipv4Bytes> read_ipv4(std::string_view text) {
  Ipv4Bytes out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t end = i + 1 < out.size() ? text.find('.') : text.size();
    if (end == std::string_view::npos || end == 0 || end > 3) return std::nullopt;
    if (end > 1 && text.front() == '0') return std::nullopt;  // octal to some readers
    unsigned value = 0;
    for (const char c : text.substr(0, end)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + static_cast<unsigned>(c - '0');
    }
    if (value > 255) return std::nullopt;
    out[i] = static_cast<std::uint8_t>(value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::optional<Ipv6Bytes> read_ipv6(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':';
  };
  if (text.size() > 39 || !std::all_of(text.begin(), text.end(), fits)) return std::nullopt;
  const std::string terminated(text);
  Ipv6Bytes out{};
  if (::inet_pton(AF_INET6, terminated.c_str(), out.data()) != 1) return std::nullopt;
  return out;
}

std::string ipv6_text(const Ipv6Bytes& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

bool ends_in_number(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::string_view label = host.substr(host.rfind('.') + 1);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto hex = [digit](char c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  if (label.empty()) return false;
  if (std::all_of(label.begin(), label.end(), digit)) return true;
  return label.size() >= 2 && label[0] == '0' && (label[1] | 0x20) == 'x' &&
         std::all_of(label.begin() + 2, label.end(), hex);
}

std::optional<std::string_view> closed_range(const Ipv4Bytes& address) {
  if (address[0] >= 224) return kGroup;
  for (const Range4& range : kClosed4) {
    if (starts_with(address, range.first, range.bits)) return range.what;
  }
  return std::nullopt;
}

std::optional<std::string_view> closed_range(const Ipv6Bytes& address) {
  if (const auto what = find(kMetadata6, address)) return what;
  Ipv6Bytes loopback{};
  loopback.back() = 1;
  if (address == Ipv6Bytes{} || address == loopback) return kLoopback;
  if (address[0] == 0xff) return kGroup;
  if ((address[0] & 0xFEU) == 0xfc || (address[0] == 0xfe && (address[1] & 0x80U) != 0)) return kPrivate;
  if ((address[0] & 0xE0U) != 0x20) return kSpecial;  // only 2000::/3 is given out
  return find(kSpecial6, address);
}

std::optional<std::string_view> closed_lan_range(const Ipv4Bytes& address) {
  const auto what = closed_range(address);
  return what == kPrivate ? std::nullopt : what;
}

std::optional<std::string_view> closed_lan_range(const Ipv6Bytes& address) {
  const auto what = closed_range(address);
  return what == kPrivate ? std::nullopt : what;
}

std::optional<std::string_view> closed_name(std::string_view name) {
  if (name == "localhost" || name.ends_with(".localhost")) return "this machine";
  if (std::find(kMetadataNames.begin(), kMetadataNames.end(), name) != kMetadataNames.end()) return kMetadata;
  return std::nullopt;
}

}  // namespace lnk::host
