// SPDX-License-Identifier: Apache-2.0
//
// The watch for a secret's echo: a byte that picks the secret and the size of pieces, then a stream. In pieces as at once;
// what passes is the stream's own beginning, all of it where no secret is found. And the same bytes as choices: however a
// writer that takes one of its ways for each character spells a secret, alone or behind the stream, it is found.
#include <array>
#include <string>
#include <vector>

#include "entry.hpp"
#include "wire/verb/echo_watch.hpp"

namespace lnk::fuzz {
namespace {

constexpr std::array<std::string_view, 3> kSecrets = {"123456:AAF/x+y_z-012345", "\\%25&amp;+ <\\\\u005c\"'>", "aaaaab"};

std::string hex(char c, std::string_view digits) {
  const auto byte = static_cast<unsigned char>(c);
  return {digits[byte >> 4U], digits[byte & 15U]};
}

constexpr std::string_view kLower = "0123456789abcdef";
constexpr std::string_view kUpper = "0123456789ABCDEF";

std::string spelling(char c, unsigned choice) {
  switch (choice % 12) {
    case 0: return "%" + hex(c, kUpper);
    case 1: return "%" + hex(c, kLower);
    case 2: return "%25" + hex(c, kLower);
    case 3: return "\\u00" + hex(c, kLower);
    case 4: return "\\\\u00" + hex(c, kUpper);
    case 5: return "\\x" + hex(c, kLower);
    case 6: return "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
    case 7: return "&amp;#x" + hex(c, kUpper) + ";";
    case 8: return c == '/' ? "\\/" : c == ' ' ? "+" : c == '"' ? "\\\"" : std::string(1, c);
    case 9: return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '\'' ? "&apos;" : std::string(1, c);
    default: return std::string(1, c);
  }
}

host::EchoWatch watch_of(std::string_view secret) {
  host::EchoWatch echo;
  echo.add(secret::SecretBytes(secret));
  return echo;
}

bool is_cut(std::string_view secret, std::string_view stream, std::size_t piece) {
  auto echo = watch_of(secret);
  std::string all;
  std::string passed;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    const bool goes_on = echo.next(stream.substr(at, piece), passed);
    all += passed;
    LNK_HOLDS(stream.starts_with(all) && all.find(secret) == std::string::npos);
    if (!goes_on) return true;
  }
  LNK_HOLDS(all + echo.take_held() == stream);
  return false;
}

/// How far each piece goes on is the same whatever the secret is, as long as it isn't found.
void check_pieces(std::string_view stream, std::size_t piece) {
  std::vector<host::EchoWatch> watches;
  for (const auto secret : kSecrets) watches.push_back(watch_of(secret));
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    std::vector<std::string> passed(watches.size());
    for (std::size_t i = 0; i < watches.size(); ++i)
      if (!watches[i].next(stream.substr(at, piece), passed[i])) return;
    for (const auto& one : passed) LNK_HOLDS(one == passed.front());
  }
}

}  // namespace

void check(std::string_view input) {
  if (input.empty() || input.size() > 512) return;  // each input is watched for thrice, in small pieces
  const auto pick = static_cast<unsigned char>(input.front());
  const auto secret = kSecrets[pick % kSecrets.size()];
  const std::size_t piece = pick / kSecrets.size() + 1;
  const auto stream = input.substr(1);
  const bool whole = watch_of(secret).is_in(stream);
  LNK_HOLDS(is_cut(secret, stream, piece) == whole);
  if (stream.find(secret) != std::string_view::npos) LNK_HOLDS(whole);
  std::string spelled;
  for (std::size_t i = 0; i < secret.size(); ++i)
    spelled += spelling(secret[i], i < stream.size() ? static_cast<unsigned char>(stream[i]) : 11U);
  check_pieces(stream, piece);
  LNK_HOLDS(watch_of(secret).is_in(spelled));
  LNK_HOLDS(is_cut(secret, spelled, piece));
  LNK_HOLDS(is_cut(secret, std::string(stream) + " " + spelled, piece));
}

}  // namespace lnk::fuzz
