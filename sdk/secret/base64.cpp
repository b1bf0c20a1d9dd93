// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/base64.hpp"

#include <array>
#include <cstdint>

namespace lnk::secret {
namespace {

constexpr std::string_view kStandard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The four characters of up to three bytes; the unused ones are '='.
std::array<char, 4> encode_group(std::string_view group, std::string_view alphabet) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    bits = (bits << 8) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
  }
  std::array<char, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = i <= group.size() ? alphabet[(bits >> (18 - 6 * i)) & 63U] : '=';
  }
  return out;
}

std::optional<std::uint32_t> value_of(char c) {
  const auto at = kStandard.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

/// The bytes of one group of four characters, of which the last `padding` are '='.
bool decode_group(std::string_view group, std::size_t padding, SecretBytes& out) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = i < 4 - padding ? value_of(group[i]) : std::optional<std::uint32_t>(0U);
    if (!value) return false;
    bits = (bits << 6) | *value;
  }
  // The bits that padding leaves over must be zero, or two texts would mean the same bytes.
  if (padding == 1 && (bits & 0xffU) != 0) return false;
  if (padding == 2 && (bits & 0xffffU) != 0) return false;
  const std::array<char, 3> bytes{static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
  return out.append({bytes.data(), 3 - padding});
}

}  // namespace

SecretBytes base64_encode(std::string_view bytes) {
  auto out = SecretBytes::with_capacity((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto group = encode_group(bytes.substr(at, 3), kStandard);
    static_cast<void>(out.append({group.data(), group.size()}));
  }
  return out;
}

std::string base64url_encode(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto piece = bytes.substr(at, 3);
    const auto group = encode_group(piece, kUrl);
    out.append(group.data(), piece.size() + 1);
  }
  return out;
}

std::optional<SecretBytes> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  auto out = SecretBytes::with_capacity(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const auto group = text.substr(at, 4);
    const bool last = at + 4 == text.size();
    const std::size_t padding = !last ? 0 : group.ends_with("==") ? 2 : group.ends_with('=') ? 1 : 0;
    if (!decode_group(group, padding, out)) return std::nullopt;
  }
  return out;
}

}  // namespace lnk::secret
