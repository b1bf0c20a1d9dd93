// SPDX-License-Identifier: Apache-2.0
//
// The wire checks every address again when it connects; what stands here refuses early, at a line of the spec.
#include "spec/address.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lnk::host {
namespace {

constexpr std::string_view kLoopback = "this machine's own address";
constexpr std::string_view kPrivate = "in a private range";
constexpr std::string_view kSpecial = "in a range kept for special uses";
constexpr std::string_view kGroup = "a group's or everyone's address";
constexpr std::string_view kMetadata = "a cloud's metadata service";

struct Range4 {
  std::array<std::uint8_t, 4> first;
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

http::AddressBytes bytes_of(const std::array<std::uint16_t, 8>& groups) {
  http::AddressBytes out{};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    out[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8U);
    out[2 * i + 1] = static_cast<std::uint8_t>(groups[i] & 0xFFU);
  }
  return out;
}

std::optional<std::string_view> find(std::span<const Range6> ranges, const http::AddressBytes& address) {
  for (const Range6& range : ranges) {
    if (starts_with(address, bytes_of(range.first), range.bits)) return range.what;
  }
  return std::nullopt;
}

std::optional<std::string_view> closed_range4(const http::AddressBytes& address) {
  if (address[0] >= 224) return kGroup;
  for (const Range4& range : kClosed4) {
    if (starts_with(address, range.first, range.bits)) return range.what;
  }
  return std::nullopt;
}

std::optional<std::string_view> closed_range6(const http::AddressBytes& address) {
  if (const auto what = find(kMetadata6, address)) return what;
  http::AddressBytes loopback{};
  loopback.back() = 1;
  if (address == http::AddressBytes{} || address == loopback) return kLoopback;
  if (address[0] == 0xff) return kGroup;
  if ((address[0] & 0xFEU) == 0xfc || (address[0] == 0xfe && (address[1] & 0x80U) != 0)) return kPrivate;
  if ((address[0] & 0xE0U) != 0x20) return kSpecial;  // only 2000::/3 is given out
  return find(kSpecial6, address);
}

}  // namespace

std::optional<std::string_view> closed_range(HostKind kind, const http::AddressBytes& address) {
  if (kind == HostKind::Ipv4) return closed_range4(address);
  if (kind == HostKind::Ipv6) return closed_range6(address);
  return std::nullopt;
}

std::optional<std::string_view> closed_lan_range(HostKind kind, const http::AddressBytes& address) {
  const auto what = closed_range(kind, address);
  return what == kPrivate ? std::nullopt : what;
}

std::optional<std::string_view> closed_name(std::string_view name) {
  if (name == "localhost" || name.ends_with(".localhost")) return "this machine";
  if (std::find(kMetadataNames.begin(), kMetadataNames.end(), name) != kMetadataNames.end()) return kMetadata;
  return std::nullopt;
}

}  // namespace lnk::host
