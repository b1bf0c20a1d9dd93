// SPDX-License-Identifier: Apache-2.0
#include "lnk/http/address.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lnk::http {
namespace {

constexpr std::string_view kMetadata = kMetadataService;
constexpr std::string_view kLoopback = "loopback";
constexpr std::string_view kPrivate = "a private range";
constexpr std::string_view kCarrier = "a carrier's range";
constexpr std::string_view kReserved = "a reserved range";
constexpr std::string_view kDocumentation = "a documentation range";
constexpr std::string_view kMulticast = "a multicast range";
constexpr std::string_view kLinkLocal = "a link-local range";

struct Range4 {
  std::array<std::uint8_t, 4> prefix;
  unsigned bits;
  std::string_view kind;
};

/// The first that holds decides, so single addresses stand before the ranges around them.
constexpr std::array<Range4, 28> kClosed4 = {{
    {{169, 254, 169, 254}, 32, kMetadata},  // AWS, GCP, Azure, Oracle, OpenStack, DigitalOcean, Hetzner and more
    {{169, 254, 170, 2}, 32, kMetadata},    // AWS ECS
    {{169, 254, 170, 23}, 32, kMetadata},   // AWS EKS
    {{169, 254, 42, 42}, 32, kMetadata},    // Scaleway
    {{169, 254, 0, 23}, 32, kMetadata},     // Tencent
    {{169, 254, 10, 10}, 32, kMetadata},    // Tencent
    {{100, 100, 100, 200}, 32, kMetadata},  // Alibaba
    {{192, 0, 0, 192}, 32, kMetadata},      // Oracle classic
    {{168, 63, 129, 16}, 32, kMetadata},    // Azure's WireServer, in a public range
    {{0, 0, 0, 0}, 8, kThisMachine},
    {{10, 0, 0, 0}, 8, kPrivate},
    {{100, 64, 0, 0}, 10, kCarrier},
    {{127, 0, 0, 0}, 8, kLoopback},
    {{169, 254, 0, 0}, 16, kLinkLocal},
    {{172, 16, 0, 0}, 12, kPrivate},
    {{192, 0, 0, 0}, 24, kReserved},
    {{192, 0, 2, 0}, 24, kDocumentation},
    {{192, 31, 196, 0}, 24, kReserved},  // AS112
    {{192, 52, 193, 0}, 24, kReserved},  // AMT
    {{192, 88, 99, 0}, 24, kReserved},   // 6to4 relays
    {{192, 168, 0, 0}, 16, kPrivate},
    {{192, 175, 48, 0}, 24, kReserved},  // AS112
    {{198, 18, 0, 0}, 15, "a benchmark range"},
    {{198, 51, 100, 0}, 24, kDocumentation},
    {{203, 0, 113, 0}, 24, kDocumentation},
    {{224, 0, 0, 0}, 4, kMulticast},
    {{255, 255, 255, 255}, 32, "broadcast"},
    {{240, 0, 0, 0}, 4, kReserved},
}};

struct Range6 {
  std::array<std::uint8_t, 16> prefix;
  unsigned bits;
  std::string_view kind;
};

constexpr std::string_view kTeredo = "a Teredo form of an address";
constexpr std::string_view kSixToFour = "a 6to4 form of an address";
constexpr std::string_view kNat64 = "a NAT64 form of an address";

/// Named so that a refusal can say what they are; whatever else lies outside 2000::/3 is closed as reserved.
constexpr std::array<Range6, 26> kClosed6 = {{
    {{0xfd, 0x00, 0x0e, 0xc2}, 32, kMetadata},                                                   // AWS
    {{0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, kMetadata},        // GCP
    {{0xfd, 0x00, 0x00, 0xc1, 0, 0, 0, 0, 0, 0, 0, 0, 0xa9, 0xfe, 0xa9, 0xfe}, 128, kMetadata},  // Oracle
    {{0xfd, 0x00, 0x01, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x00, 0x02, 0x00}, 128, kMetadata},  // Alibaba
    {{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa9, 0xfe, 0xa9, 0xfe}, 128, kMetadata},        // OpenStack
    {{0xfd, 0x00, 0xa9, 0xfe, 0xa9, 0xfe}, 48, kMetadata},                                       // Akamai
    {{0xfd, 0x00, 0x00, 0x42, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x42}, 128, kMetadata},           // Scaleway
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, kLoopback},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 128, kThisMachine},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 96, "an IPv4-compatible address"},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, "an IPv4-mapped address"},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, "an IPv4-translated address"},
    {{0x00, 0x64, 0xff, 0x9b}, 32, kNat64},  // 64:ff9b::/96 and 64:ff9b:1::/48 among it
    {{0x01, 0x00}, 16, kReserved},           // discard and dummy prefixes
    {{0x20, 0x01, 0x00, 0x00}, 32, kTeredo},
    {{0x20, 0x01, 0x00, 0x00}, 23, kReserved},  // IETF protocol assignments: anycasts, benchmarking, AMT, ORCHID, DRIP
    {{0x20, 0x01, 0x0d, 0xb8}, 32, kDocumentation},
    {{0x20, 0x02}, 16, kSixToFour},
    {{0x26, 0x20, 0x00, 0x4f, 0x80, 0x00}, 48, kReserved},  // AS112
    {{0x3f, 0xff}, 20, kDocumentation},
    {{0x5f, 0x00}, 16, kReserved},  // SRv6
    {{0xfc, 0x00}, 7, kPrivate},
    {{0xfe, 0x80}, 10, "a link-local range of IPv6"},
    {{0xfe, 0xc0}, 10, kPrivate},
    {{0xff, 0x00}, 8, kMulticast},
    {{0x3f, 0xfe}, 16, kReserved},  // 6bone, given back (RFC 3701)
}};

/// Names that mean a metadata service or this machine whatever they resolve to.
constexpr std::array<std::string_view, 17> kMetadataNames = {"instance-data",
                                                             "instance-data.ec2.internal",
                                                             "metadata",
                                                             "metadata.google.internal",
                                                             "metadata.goog",
                                                             "metadata.google.com",
                                                             "metadata.azure.internal",
                                                             "metadata.azure.com",
                                                             "metadata.oraclecloud.com",
                                                             "metadata.digitalocean.com",
                                                             "metadata.tencentyun.com",
                                                             "metadata.platformequinix.com",
                                                             "metadata.packet.net",
                                                             "metadata.aliyun.internal",
                                                             "metadata.ec2.internal",
                                                             "metadata.scaleway.internal",
                                                             "metadata.exoscale.internal"};

/// Domains that no public name is in: by their registries' word, or because homes and firms have used them for so long that none
/// will be (RFC 6761, 6762, 8375; ICANN on .internal, and on .corp and .home as names that collide).
constexpr auto kNetworksOwn = std::to_array<std::string_view>(
    {".local", ".internal", ".home.arpa", ".lan", ".home", ".corp", ".intranet", ".private"});

bool has_prefix(const std::uint8_t* address, const std::uint8_t* prefix, unsigned bits) noexcept {
  const unsigned whole = bits / 8;
  if (std::memcmp(address, prefix, whole) != 0) return false;
  if (bits % 8 == 0) return true;
  const unsigned mask = 0xffU << (8 - bits % 8);
  return ((address[whole] ^ prefix[whole]) & mask) == 0;
}

std::string_view closed_kind4(const std::uint8_t* bytes) noexcept {
  const auto* range = std::find_if(kClosed4.begin(), kClosed4.end(), [bytes](const Range4& each) {
    return has_prefix(bytes, each.prefix.data(), each.bits);
  });
  return range == kClosed4.end() ? std::string_view{} : range->kind;
}

/// An interface id ::0:5efe:a.b.c.d or ::200:5efe:a.b.c.d carries an IPv4 address (ISATAP, RFC 5214 6.1).
bool is_isatap(const std::uint8_t* bytes) noexcept {
  return (bytes[8] == 0x00 || bytes[8] == 0x02) && bytes[9] == 0x00 && bytes[10] == 0x5e && bytes[11] == 0xfe;
}

/// A form that carries a metadata address is named as one, so that asks for it can be counted.
bool carries_metadata(const std::uint8_t* bytes) noexcept {
  const bool is_six_to_four = bytes[0] == 0x20 && bytes[1] == 0x02;
  return closed_kind4(bytes + (is_six_to_four ? 2 : 12)) == kMetadata;
}

std::string_view closed_kind6(const std::uint8_t* bytes) noexcept {
  const auto* range = std::find_if(kClosed6.begin(), kClosed6.end(), [bytes](const Range6& each) {
    return has_prefix(bytes, each.prefix.data(), each.bits);
  });
  if (range != kClosed6.end()) return carries_metadata(bytes) ? kMetadata : range->kind;
  const bool is_global = (bytes[0] & 0xe0U) == 0x20;
  if (!is_global) return kReserved;
  return is_isatap(bytes) ? "an ISATAP form of an address" : std::string_view{};
}

}  // namespace

std::string_view closed_kind(const Address& address) noexcept {
  return address.is_ipv6 ? closed_kind6(address.bytes.data()) : closed_kind4(address.bytes.data());
}

bool is_opened_by_lan(std::string_view kind) noexcept {
  return kind == kPrivate || kind == kCarrier || kind == kLinkLocal || kind == kNeighbour;
}

std::string_view closed_lan_kind(const Address& address) noexcept {
  const std::string_view kind = closed_kind(address);
  return is_opened_by_lan(kind) ? std::string_view{} : kind;
}

std::string_view closed_kind(std::string_view folded_name) noexcept {
  if (folded_name == "localhost" || folded_name.ends_with(".localhost")) return kThisMachine;
  const bool is_metadata = std::find(kMetadataNames.begin(), kMetadataNames.end(), folded_name) != kMetadataNames.end();
  return is_metadata ? kMetadata : std::string_view{};
}

std::string_view own_kind(const Host& host) noexcept {
  if (host.kind != HostKind::Name) return closed_kind(Address{host.kind == HostKind::Ipv6, host.address});
  const std::string_view name = host.text;
  if (const auto kind = closed_kind(name); !kind.empty()) return kind;
  if (name.find('.') == std::string_view::npos) return "a name of one label, which is this network's own";
  const bool is_own = std::any_of(kNetworksOwn.begin(), kNetworksOwn.end(), [name](auto end) { return name.ends_with(end); });
  return is_own ? std::string_view("a name of this network's own") : std::string_view();
}

bool is_link_name(std::string_view folded_name) noexcept { return folded_name.ends_with(".local"); }

bool is_this_machine(std::string_view kind) noexcept { return kind == kThisMachine || kind == kLoopback; }

std::string to_text(const Address& address) {
  return address.is_ipv6 ? format_ipv6(address.bytes) : format_ipv4(address.bytes);
}

}  // namespace lnk::http
