// SPDX-License-Identifier: Apache-2.0
#include "lnk/cpp/ascii.hpp"
#include "lnk/secret/held_field.hpp"

#include <algorithm>

namespace lnk::secret {
namespace {

bool is_letter_or_digit(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_name_byte(char c) noexcept { return is_letter_or_digit(to_lower(c)) || c == '_' || c == '-'; }

/// The name's letters whole, then those of each of its parts.
std::vector<std::string> spellings(std::string_view name) {
  constexpr std::string_view kEnds = "[].";
  std::vector<std::string> out = {letters_and_digits(name)};
  for (std::size_t at = 0; at < name.size();) {
    const auto part = name.substr(at, std::min(name.find_first_of(kEnds, at), name.size()) - at);
    if (part.size() != name.size()) out.push_back(letters_and_digits(part));
    at += part.size() + 1;
  }
  return out;
}

template <class Takes>
bool all_take(const std::vector<HeldField>& fields, std::string_view name, Takes takes) {
  if (fields.empty()) return true;
  const auto names = spellings(name);
  return std::all_of(fields.begin(), fields.end(), [&](const HeldField& field) {
    return std::find(names.begin(), names.end(), field.letters) == names.end() || takes(field);
  });
}

bool fits(const ValueShape& shape, std::string_view text) noexcept {
  if (!shape.has_name) return text == shape.before;
  if (text.size() <= shape.before.size() + shape.after.size()) return false;
  if (!text.starts_with(shape.before) || !text.ends_with(shape.after)) return false;
  text.remove_prefix(shape.before.size());
  text.remove_suffix(shape.after.size());
  return std::all_of(text.begin(), text.end(), is_name_byte);
}

bool holds_word(std::string_view text, std::string_view word) noexcept {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return to_lower(a) == b; }) != text.end();
}

Held hold_one(const HeldField& field, std::string_view text) {
  if (field.is_refused()) return Held::Refused;
  if (std::any_of(field.holds.begin(), field.holds.end(), [&](const auto& word) { return holds_word(text, word); })) return Held::Refused;
  if (text.empty() || (field.values.empty() && !field.is_json)) return Held::Passes;
  if (std::any_of(field.values.begin(), field.values.end(), [&](const auto& shape) { return fits(shape, text); })) return Held::Passes;
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool opens = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return field.is_json && opens ? Held::Json : Held::Refused;
}

}  // namespace

std::string letters_and_digits(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(), to_lower);
  std::erase_if(out, [](char c) { return !is_letter_or_digit(c); });
  return out;
}

Held hold_text(const std::vector<HeldField>& fields, std::string_view name, std::string_view text) {
  auto held = Held::Passes;
  all_take(fields, name, [&](const HeldField& field) {
    held = std::max(held, hold_one(field, text));
    return true;
  });
  return held;
}

bool is_held(const std::vector<HeldField>& fields, std::string_view name) {
  return !all_take(fields, name, [](const HeldField&) { return false; });
}

bool may_stand(const std::vector<HeldField>& fields, std::string_view name) {
  return all_take(fields, name, [](const HeldField& field) { return !field.is_refused(); });
}

bool may_contain(const std::vector<HeldField>& fields, std::string_view name) {
  return all_take(fields, name, [](const HeldField& field) { return field.is_json; });
}

bool may_be_file(const std::vector<HeldField>& fields, std::string_view name) {
  return all_take(fields, name, [](const HeldField& field) { return !field.values.empty(); });
}

}  // namespace lnk::secret
