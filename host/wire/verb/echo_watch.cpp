// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/echo_watch.hpp"

#include <algorithm>
#include <utility>

#include "lnk/secret/base64.hpp"
#include "wire/limits.hpp"
#include "wire/verb/spelled.hpp"

namespace lnk::host {
namespace {

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

/// Where the bytes begin that are held until more has come: behind the last that stands in no spelling of any secret. It depends on
/// nothing but the text. Were it where a secret may begin, the sizes of the pieces would tell a program that has a service
/// send it guesses which of them are right so far, one character after another.
std::size_t kept_from(std::string_view text) noexcept {
  const auto can_stand = [](char c) { return c >= 0x20 && c < 0x7f; };
  std::size_t from = text.size();
  while (from > 0 && text.size() - from < kHeldBytesMax && can_stand(text[from - 1])) --from;
  return from;
}

}  // namespace

void EchoWatch::add_pattern(std::string_view text) {
  const auto known = [&](const secret::SecretBytes& p) { return p.reveal() == text; };
  if (text.empty() || std::any_of(patterns_.begin(), patterns_.end(), known)) return;
  patterns_.emplace_back(text);
  for (std::size_t byte = 0; byte < begins_.size(); ++byte)
    if (may_begin(static_cast<char>(byte), text.front())) begins_[byte] = true;
}

void EchoWatch::add(const secret::SecretBytes& secret) {
  const auto raw = secret.reveal();
  add_pattern(raw);
  for (std::size_t before = 0; before < 3; ++before) {
    const auto core = base64_core(raw, before);
    if (core.size() < kEncodedBytesMin) continue;
    add_pattern(core.reveal());
    add_pattern(url_alphabet(core.reveal()).reveal());
  }
}

EchoWatch::Seen EchoWatch::look(std::string_view text, std::size_t from) const {
  Seen seen{false, text.size()};
  for (std::size_t at = from; at < text.size(); ++at) {
    if (!begins_[static_cast<unsigned char>(text[at])]) continue;
    for (const auto& pattern : patterns_) {
      const auto found = spelled(text.substr(at), pattern.reveal());
      if (found == Spelled::Whole) return {true, at};
      if (found == Spelled::Begun) seen.begins = std::min(seen.begins, at);
    }
  }
  return seen;
}

bool EchoWatch::is_in(std::string_view text) const { return look(text, 0).is_whole; }

bool EchoWatch::next(std::string_view piece, std::string& passed) {
  passed = std::exchange(held_, {});
  passed.append(piece);
  const auto seen = look(passed, begins_at_);
  const std::size_t kept = kept_from(passed);
  // What goes on may be no beginning of one, nor may it show by how far it goes that it isn't.
  if (seen.is_whole || seen.begins < kept) {
    passed.clear();
    return false;
  }
  held_ = passed.substr(kept);
  begins_at_ = seen.begins - kept;
  passed.resize(kept);
  return true;
}

std::string EchoWatch::take_held() noexcept {
  begins_at_ = 0;
  return std::exchange(held_, {});
}

}  // namespace lnk::host
