// SPDX-License-Identifier: Apache-2.0
#include "lnk/route/path_shape.hpp"

#include <algorithm>
#include <utility>

namespace lnk::route {
namespace {

bool is_name_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// pchar of RFC 3986 less '%' (an encoding) and ';' (servers cut parameters there).
bool is_part_byte(char c) noexcept {
  return is_name_byte(c) || std::string_view(".~!$&'()*+,=:@").find(c) != std::string_view::npos;
}

char fold(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_text(std::string_view a, std::string_view b, Letters letters) noexcept {
  if (letters == Letters::Exact) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return fold(x) == fold(y); });
}

std::string_view part_fault(std::string_view part) noexcept {
  if (part.empty()) return "an empty part";
  if (part == "." || part == "..") return "a relative part";
  for (const char c : part) {
    if (c == '%') return "an encoded character";
    if (c == '\\') return "a backslash";
    if (c == ';') return "a semicolon";
    if (!is_part_byte(c)) return "a character that may not stand in a path";
  }
  return {};
}

/// The part of `path` that begins at `at`.
std::string_view part_at(std::string_view path, std::size_t at) noexcept {
  return path.substr(at, std::min(path.find('/', at), path.size()) - at);
}

std::optional<Kind> kind_of(std::string_view name) noexcept {
  if (name == "name") return Kind::Name;
  if (name == "part") return Kind::Part;
  if (name == "secret") return Kind::Secret;
  if (name == "path") return Kind::Path;
  return std::nullopt;
}

bool is_literal(std::string_view text) noexcept { return std::all_of(text.begin(), text.end(), is_part_byte); }

Failure bad_shape(std::string_view part, std::string_view words) {
  return fail(Code::Invalid, "path shape part '" + std::string(part) + "': " + std::string(words));
}

bool fits(Kind kind, std::string_view text) noexcept {
  if (kind == Kind::Secret) return true;
  // Of a plain path every byte is one that a part may have.
  return !text.empty() && (kind == Kind::Part || std::all_of(text.begin(), text.end(), is_name_byte));
}

}  // namespace

std::string_view path_fault(std::string_view path) noexcept {
  for (std::size_t at = 0;;) {
    const auto part = part_at(path, at);
    if (const auto fault = part_fault(part); !fault.empty()) return fault;
    at += part.size() + 1;
    if (at > path.size()) return {};
  }
}

Result<PathShape::Part> PathShape::compile_part(std::string_view text, bool last) {
  const auto open = text.find('{');
  if (open == std::string_view::npos) {
    if (const auto fault = part_fault(text); !fault.empty()) return bad_shape(text, fault);
    return Part{std::string(text), {}, {}};
  }
  const auto close = text.find('}', open);
  if (close == std::string_view::npos) return bad_shape(text, "'{' without '}'");
  const auto before = text.substr(0, open);
  const auto after = text.substr(close + 1);
  const auto kind = kind_of(text.substr(open + 1, close - open - 1));
  if (!kind) return bad_shape(text, "only {name}, {part}, {path} and {secret} are known");
  if (after.find('{') != std::string_view::npos) return bad_shape(text, "only one {…} may stand in a part");
  if (!is_literal(before) || !is_literal(after)) return bad_shape(text, "a character that may not stand in a path");
  if (*kind == Kind::Path && (!before.empty() || !after.empty() || !last)) {
    return bad_shape(text, "{path} stands alone, as the last part");
  }
  return Part{std::string(before), std::string(after), kind};
}

Result<PathShape> PathShape::compile(std::string_view shape) {
  if (shape.size() > kShapeBytesMax) return fail(Code::Limit, "path shape: over 512 bytes");
  PathShape made;
  made.text_ = shape;
  std::size_t secrets = 0;
  for (std::size_t at = 0; at <= shape.size();) {
    const auto text = part_at(shape, at);
    at += text.size() + 1;
    LNK_TRY(auto part, compile_part(text, at > shape.size()));
    secrets += part.variable == Kind::Secret ? 1U : 0U;
    made.parts_.push_back(std::move(part));
    if (made.parts_.size() > kShapePartsMax) return fail(Code::Limit, "path shape: over 32 parts");
  }
  if (secrets > 1) return fail(Code::Invalid, "path shape '" + made.text_ + "': {secret} may stand in it once");
  return made;
}

bool PathShape::has_secret() const noexcept {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.variable == Kind::Secret; });
}

std::optional<Match> PathShape::match(std::string_view path, Letters letters) const {
  if (!is_plain_path(path)) return std::nullopt;
  Match found;
  std::size_t at = 0;
  for (const Part& part : parts_) {
    if (at > path.size()) return std::nullopt;  // the path has fewer parts
    if (part.variable == Kind::Path) {
      found.captures.push_back({Kind::Path, at, path.size() - at});
      return found;
    }
    const auto text = part_at(path, at);
    const std::size_t around = part.before.size() + part.after.size();
    if (text.size() < around || (!part.variable && text.size() != around)) return std::nullopt;
    if (!same_text(text.substr(0, part.before.size()), part.before, letters)) return std::nullopt;
    if (!same_text(text.substr(text.size() - part.after.size()), part.after, letters)) return std::nullopt;
    if (part.variable) {
      const Capture capture{*part.variable, at + part.before.size(), text.size() - around};
      if (!fits(capture.kind, path.substr(capture.at, capture.size))) return std::nullopt;
      found.captures.push_back(capture);
    }
    at += text.size() + 1;
  }
  if (at <= path.size()) return std::nullopt;  // the path has more parts
  return found;
}

}  // namespace lnk::route
