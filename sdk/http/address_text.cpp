// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "lnk/http/authority.hpp"

namespace lnk::http {
namespace {

constexpr std::size_t kGroups = 8;
using Groups = std::array<std::uint16_t, kGroups>;

std::uint16_t group(const AddressBytes& address, std::size_t index) {
  return static_cast<std::uint16_t>((address[2 * index] << 8U) | address[2 * index + 1]);
}

/// 1 to 4 hex digits at the front of `text`, taken off it.
std::optional<std::uint16_t> take_group(std::string_view& text) noexcept {
  constexpr std::size_t kDigitsMax = 4;
  std::uint16_t value = 0;
  const std::size_t size = std::min(text.find(':'), text.size());
  if (size == 0 || size > kDigitsMax) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + size, value, 16);
  if (error != std::errc() || end != text.data() + size) return std::nullopt;
  text.remove_prefix(size);
  return value;
}

/// Groups divided by colons, a dotted IPv4 address allowed as the last two. The number of groups read, or none.
std::optional<std::size_t> read_groups(std::string_view text, Groups& groups) noexcept {
  if (text.empty()) return 0;
  std::size_t count = 0;
  for (;;) {
    AddressBytes tail{};
    if (text.find(':') == std::string_view::npos && text.find('.') != std::string_view::npos) {
      if (count + 2 > kGroups || !parse_ipv4(text, tail)) return std::nullopt;
      groups[count++] = group(tail, 0);
      groups[count++] = group(tail, 1);
      return count;
    }
    const auto value = take_group(text);
    if (!value || count == kGroups) return std::nullopt;
    groups[count++] = *value;
    if (text.empty()) return count;
    text.remove_prefix(1);  // the colon that ended the group
    if (text.empty()) return std::nullopt;
  }
}

void store(const Groups& groups, AddressBytes& address) noexcept {
  for (std::size_t index = 0; index < kGroups; ++index) {
    address[2 * index] = static_cast<std::uint8_t>(groups[index] >> 8U);
    address[2 * index + 1] = static_cast<std::uint8_t>(groups[index] & 0xffU);
  }
}

struct Run {
  std::size_t start = kGroups;
  std::size_t size = 0;
};

/// The longest run of zero groups, two at least, the first of equals (RFC 5952 4.2).
Run longest_zero_run(const AddressBytes& address) {
  Run best;
  for (std::size_t start = 0; start < kGroups; ++start) {
    std::size_t size = 0;
    while (start + size < kGroups && group(address, start + size) == 0) ++size;
    if (size >= 2 && size > best.size) best = {start, size};
  }
  return best;
}

bool is_mapped(const AddressBytes& address) {
  return std::all_of(address.begin(), address.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) &&
         address[10] == 0xff && address[11] == 0xff;
}

}  // namespace

bool parse_ipv4(std::string_view text, AddressBytes& address) noexcept {
  constexpr std::size_t kParts = 4;
  AddressBytes read{};
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t size = std::min(text.find('.'), text.size());
    if (size == 0 || size > 3 || (size > 1 && text[0] == '0')) return false;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + size, value);
    if (error != std::errc() || end != text.data() + size || value > 0xff) return false;
    read[part] = static_cast<std::uint8_t>(value);
    text.remove_prefix(size);
    if (part + 1 == kParts) break;
    if (text.empty()) return false;
    text.remove_prefix(1);
  }
  if (!text.empty()) return false;
  address = read;
  return true;
}

bool parse_ipv6(std::string_view text, AddressBytes& address) noexcept {
  Groups front{};
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    if (read_groups(text, front) != kGroups) return false;
    store(front, address);
    return true;
  }
  const std::string_view before = text.substr(0, gap);
  const std::string_view behind = text.substr(gap + 2);
  Groups back{};
  if (before.find('.') != std::string_view::npos || behind.substr(0, 1) == ":") return false;
  const auto front_count = read_groups(before, front);
  const auto back_count = read_groups(behind, back);
  if (!front_count || !back_count || *front_count + *back_count >= kGroups) return false;
  std::copy_n(back.begin(), *back_count, front.end() - static_cast<std::ptrdiff_t>(*back_count));
  store(front, address);
  return true;
}

std::string format_ipv4(const AddressBytes& address) {
  std::string text;
  for (std::size_t part = 0; part < 4; ++part) {
    if (part > 0) text += '.';
    text += std::to_string(address[part]);
  }
  return text;
}

std::string format_ipv6(const AddressBytes& address) {
  if (is_mapped(address)) {
    AddressBytes inner{};
    std::copy_n(address.begin() + 12, 4, inner.begin());
    return "::ffff:" + format_ipv4(inner);
  }
  const Run gap = longest_zero_run(address);
  std::string text;
  for (std::size_t index = 0; index < kGroups; ++index) {
    if (index == gap.start) {
      text += "::";
      index += gap.size - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    std::array<char, 5> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), group(address, index), 16).ptr;
    text.append(digits.data(), end);
  }
  return text;
}

}  // namespace lnk::http
