// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/echo_watch.hpp"

#include <string.h>

#include <algorithm>
#include <utility>

#include "lnk/secret/base64.hpp"

namespace lnk::host {
namespace {

/// In base64 a part this long is no chance find: 2^-48 at each place.
constexpr std::size_t kEncodedBytesMin = 8;

bool is_unreserved(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

secret::SecretBytes percent_encoded(std::string_view text, std::string_view digits) {
  auto out = secret::SecretBytes::with_capacity(3 * text.size());
  for (const char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const char encoded[] = {'%', digits[byte >> 4U], digits[byte & 15U]};
    static_cast<void>(is_unreserved(c) ? out.append({&c, 1}) : out.append({encoded, sizeof encoded}));
  }
  return out;
}

/// What JSON must escape, and '/', which many writers do.
secret::SecretBytes json_escaped(std::string_view text) {
  auto out = secret::SecretBytes::with_capacity(2 * text.size());
  for (const char& c : text) {
    if (c == '"' || c == '\\' || c == '/') static_cast<void>(out.append("\\"));
    static_cast<void>(out.append({&c, 1}));
  }
  return out;
}

/// The characters of base64 that depend on `text` alone, where `before` bytes modulo 3 stand in front of it.
secret::SecretBytes base64_core(std::string_view text, std::size_t before) {
  auto shifted = secret::SecretBytes::with_capacity(before + text.size());
  static_cast<void>(shifted.append(std::string(before, '\0')));
  static_cast<void>(shifted.append(text));
  const auto whole = secret::base64_encode(shifted.reveal());
  const std::size_t skip = (before * 8 + 5) / 6;           // the first characters hold bits of what stands before
  const std::size_t end = (before + text.size()) * 8 / 6;  // the last one may hold bits of what follows
  return secret::SecretBytes(end > skip ? whole.reveal().substr(skip, end - skip) : std::string_view{});
}

secret::SecretBytes url_alphabet(std::string_view text) {
  auto out = secret::SecretBytes::with_capacity(text.size());
  for (const char c : text) {
    const char other = c == '+' ? '-' : c == '/' ? '_' : c;
    static_cast<void>(out.append({&other, 1}));
  }
  return out;
}

bool contains(std::string_view text, std::string_view part) noexcept {
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

}  // namespace

void EchoWatch::add_pattern(std::string_view text) {
  const auto known = [&](const secret::SecretBytes& p) { return p.reveal() == text; };
  if (text.empty() || std::any_of(patterns_.begin(), patterns_.end(), known)) return;
  patterns_.emplace_back(text);
  longest_ = std::max(longest_, text.size());
}

void EchoWatch::add(const secret::SecretBytes& secret) {
  const auto raw = secret.reveal();
  add_pattern(raw);
  add_pattern(percent_encoded(raw, "0123456789ABCDEF").reveal());
  add_pattern(percent_encoded(raw, "0123456789abcdef").reveal());
  add_pattern(json_escaped(raw).reveal());
  for (std::size_t before = 0; before < 3; ++before) {
    const auto core = base64_core(raw, before);
    if (core.size() < kEncodedBytesMin) continue;
    add_pattern(core.reveal());
    add_pattern(url_alphabet(core.reveal()).reveal());
  }
}

bool EchoWatch::is_in(std::string_view text) const noexcept {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& p) { return contains(text, p.reveal()); });
}

std::size_t EchoWatch::beginning_size(std::string_view text) const noexcept {
  for (std::size_t size = std::min(text.size(), longest_ == 0 ? 0 : longest_ - 1); size > 0; --size) {
    const auto end = text.substr(text.size() - size);
    if (std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& p) { return p.reveal().starts_with(end); }))
      return size;
  }
  return 0;
}

bool EchoWatch::next(std::string_view piece, std::string& passed) {
  passed = std::exchange(held_, {});
  passed.append(piece);
  if (is_in(passed)) {
    passed.clear();
    return false;
  }
  const std::size_t hold = beginning_size(passed);
  held_ = passed.substr(passed.size() - hold);
  passed.resize(passed.size() - hold);
  return true;
}

std::string EchoWatch::take_held() noexcept { return std::exchange(held_, {}); }

}  // namespace lnk::host
