// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/placeholder.hpp"

#include <algorithm>

namespace lnk::secret {
namespace {

constexpr std::string_view kId = "{id}";
constexpr std::size_t kIdBytesMax = 64;

bool is_id_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// The text before the first ':', empty where there is none that could be an id.
std::string_view id_of(std::string_view value) noexcept {
  const auto colon = value.find(':');
  const auto id = value.substr(0, colon == std::string_view::npos ? 0 : colon);
  return id.size() <= kIdBytesMax && std::all_of(id.begin(), id.end(), is_id_byte) ? id : std::string_view{};
}

Failure bad_value(std::string_view words) { return fail(Code::Invalid, "the secret's value " + std::string(words)); }

bool asks_id(const Rule& rule) noexcept { return rule.placeholder_form.find(kId) != std::string::npos; }

void replace_once(std::string& text, std::string_view from, std::string_view to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

}  // namespace

Result<void> check_value(const Rule& rule, std::string_view value) {
  if (value.size() < kValueBytesMin) return bad_value("is shorter than 6 bytes");
  if (value.size() > kValueBytesMax) return bad_value("is over 4096 bytes");
  // A control character would end the field or the request line it is written into.
  // Bytes beyond ASCII are above it where char has no sign, and below where it has one.
  if (std::any_of(value.begin(), value.end(), [](char c) { return c < 0x20 || c >= 0x7f; })) {
    return bad_value("has a control character or a byte beyond ASCII");
  }
  if (value.front() == ' ' || value.back() == ' ') return bad_value("has a space at its start or end");
  if (rule.place == Place::Path && (value.find('/') != std::string_view::npos || !route::is_plain_path(value))) {
    return bad_value("can't stand in a path: letters, digits and -._~!$&'()*+,=:@ can");
  }
  if (rule.place == Place::Basic && rule.secret_is_user && value.find(':') != std::string_view::npos) {
    return bad_value("has a ':', which ends the user of a basic field");
  }
  if (asks_id(rule) && id_of(value).empty())
    return bad_value("has no id before a ':', as this rule's placeholder needs");
  return {};
}

Result<std::string> make_placeholder(const Rule& rule, std::string_view value, std::string_view random) {
  std::string made = rule.placeholder_form;
  if (asks_id(rule)) {
    const auto id = id_of(value);
    if (id.empty()) return bad_value("has no id before a ':', as this rule's placeholder needs");
    replace_once(made, kId, id);
  }
  replace_once(made, "{placeholder}", random);
  return made;
}

}  // namespace lnk::secret
