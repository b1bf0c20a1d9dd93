// SPDX-License-Identifier: Apache-2.0
#include "body.hpp"

#include <algorithm>
#include <utility>

#include "lnk/cpp/ascii.hpp"

#include "credentials.hpp"
#include "parts.hpp"

namespace lnk::verb_secret {
namespace {

constexpr std::string_view kBadForm = "is no form that every reader reads alike";
constexpr std::string_view kNoFile = "may be no file by the rule's \"refuse_body\"";

/// RFC 2046 5.1.1, less the blank and what would need quoting elsewhere.
bool is_boundary(std::string_view text) noexcept {
  return !text.empty() && text.size() <= kBoundaryBytesMax && std::all_of(text.begin(), text.end(), [](char c) {
    return (to_lower(c) >= 'a' && to_lower(c) <= 'z') || (c >= '0' && c <= '9') || std::string_view("'()+_,-./:=?").find(c) != std::string_view::npos;
  });
}

std::string_view unquoted(std::string_view text) noexcept {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

/// The type's parameters: a charset that is UTF-8, a boundary, each once and nothing else.
bool read_parameters(std::string_view text, BodyType& type) {
  bool has_charset = false;
  while (!text.empty()) {
    text.remove_prefix(1);  // the ';'
    const auto one = text.substr(0, text.find(';'));
    text.remove_prefix(one.size());
    const auto equals = one.find('=');
    if (trimmed(one).empty()) continue;
    if (equals == std::string_view::npos) return false;
    const auto name = trimmed(one.substr(0, equals));
    const auto value = unquoted(trimmed(one.substr(equals + 1)));
    if (same_folded(name, "charset") && !has_charset && same_folded(value, "utf-8")) {
      has_charset = true;
    } else if (same_folded(name, "boundary") && type.boundary.empty() && is_boundary(value)) {
      type.boundary = value;
    } else {
      return false;
    }
  }
  return (type.kind == BodyType::Kind::Parts) != type.boundary.empty();
}

bool is_hex(char c) noexcept { return (c >= '0' && c <= '9') || (to_lower(c) >= 'a' && to_lower(c) <= 'f'); }

/// Visible ASCII, each % with two digits behind it, and no ';', which ends a field for some servers and which clients encode.
bool is_sound_form(std::string_view body) noexcept {
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] <= 0x20 || body[at] >= 0x7f || body[at] == ';') return false;
    if (body[at] == '%' && (at + 2 >= body.size() || !is_hex(body[at + 1]) || !is_hex(body[at + 2]))) return false;
  }
  return true;
}

std::optional<HeldFault> form_fault(const Secret& secret, std::string_view body) {
  if (!is_sound_form(body)) return HeldFault{{}, kBadForm};
  const auto refused = refused_parameter(secret, body);
  if (refused) return HeldFault{std::string(refused->name), refused->why};
  return std::nullopt;
}

std::optional<HeldFault> parts_fault(const Secret& secret, const std::string& boundary, std::string_view body) {
  const auto parts = read_parts(body, boundary, kPartsMax);
  if (!parts) return HeldFault{{}, kBadForm};
  for (const auto& part : *parts) {
    // Words and JSON that the rule holds could be read out of a file.
    if (part.is_file && !secret::may_be_file(secret.rule.held, part.name)) return HeldFault{std::string(part.name), kNoFile};
    // What another holds is no text of the field, but the field is there.
    const auto why = part.is_file ? pair_fault(secret, part.name, {}) : pair_fault(secret, part.name, part.content);
    if (!why.empty()) return HeldFault{std::string(part.name), why};
  }
  return std::nullopt;
}

}  // namespace

std::optional<BodyType> body_type(const Fields& fields) {
  if (fields.count("content-type") != 1 || fields.count("content-encoding") != 0) return std::nullopt;
  const auto text = *fields.first("content-type");
  const auto name = trimmed(text.substr(0, text.find(';')));
  BodyType type;
  if (same_folded(name, "application/x-www-form-urlencoded")) {
    type.kind = BodyType::Kind::Form;
  } else if (same_folded(name, "multipart/form-data")) {
    type.kind = BodyType::Kind::Parts;
  } else if (!same_folded(name, "application/json")) {
    return std::nullopt;
  }
  const auto behind = text.find(';');
  if (!read_parameters(behind == std::string_view::npos ? std::string_view{} : text.substr(behind), type)) return std::nullopt;
  return type;
}

std::optional<HeldFault> body_fault(const Secret& secret, const BodyType& type, std::string_view body) {
  if (body.empty()) return std::nullopt;
  switch (type.kind) {
    case BodyType::Kind::Json: return held_json_fault(secret.rule.held, body);
    case BodyType::Kind::Form: return form_fault(secret, body);
    case BodyType::Kind::Parts: return parts_fault(secret, type.boundary, body);
  }
  return HeldFault{{}, kBadForm};
}

}  // namespace lnk::verb_secret
