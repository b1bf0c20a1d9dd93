// SPDX-License-Identifier: Apache-2.0
//
// Path shapes: a shape on the first line, a path on the second. A small reader of our own, which tries every way to lay
// the path over the shape, is the oracle: what it can't lay is not matched, and what it can is.
#include "lnk/route/path_shape.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

/// A path that no server reads in two ways.
bool is_plain(std::string_view path) {
  const auto odd = [](char c) {
    return c <= ' ' || c > '~' || std::string_view("%\\;\"<>^`{|}?#[]").find(c) != std::string_view::npos;
  };
  if (std::any_of(path.begin(), path.end(), odd)) return false;
  const auto parts = parts_of(path);
  return std::none_of(parts.begin(), parts.end(),
                      [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool lays_part(std::string_view shape, std::string_view part) {
  const std::size_t open = shape.find('{');
  if (open == std::string_view::npos) return shape == part;
  const std::size_t close = shape.find('}', open);
  const std::string_view before = shape.substr(0, open);
  const std::string_view behind = shape.substr(close + 1);
  if (part.size() < before.size() + behind.size() || !part.starts_with(before) || !part.ends_with(behind)) return false;
  const std::string_view middle = part.substr(before.size(), part.size() - before.size() - behind.size());
  const auto variable = shape.substr(open, close - open + 1);
  return variable == "{secret}" || (variable == "{part}" ? !middle.empty() : is_name(middle));
}

bool lays(std::string_view shape, std::string_view path) {
  if (!is_plain(path)) return false;
  const auto shapes = parts_of(shape);
  const auto parts = parts_of(path);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i] == "{path}") return parts.size() > i;
    if (i >= parts.size() || !lays_part(shapes[i], parts[i])) return false;
  }
  return parts.size() == shapes.size();
}

void check_captures(std::string_view path, const route::Match& match) {
  std::size_t at = 0;
  for (const route::Capture& capture : match.captures) {
    LNK_HOLDS(capture.at >= at && capture.at + capture.size <= path.size());
    const std::string_view text = path.substr(capture.at, capture.size);
    if (capture.kind != route::Kind::Path) LNK_HOLDS(text.find('/') == std::string_view::npos);
    if (capture.kind == route::Kind::Name) LNK_HOLDS(is_name(text));
    if (capture.kind == route::Kind::Path) LNK_HOLDS(is_plain(text));
    at = capture.at + capture.size;
  }
}

}  // namespace

void check(std::string_view input) {
  const std::size_t line = input.find('\n');
  const std::string_view text = input.substr(0, line);
  const std::string_view path = line == std::string_view::npos ? std::string_view() : input.substr(line + 1);
  LNK_HOLDS(route::is_plain_path(path) == is_plain(path));
  const auto shape = route::PathShape::compile(text);
  if (!shape) {
    LNK_HOLDS(!shape.error().text.empty());
    return;
  }
  LNK_HOLDS(shape->text() == text);
  LNK_HOLDS(shape->has_secret() == (text.find("{secret}") != std::string_view::npos));
  const auto match = shape->match(path);
  LNK_HOLDS(match.has_value() == lays(text, path));
  if (match) {
    check_captures(path, *match);
    LNK_HOLDS(shape->match(path, route::Letters::AnyCase).has_value());
  }
}

}  // namespace lnk::fuzz
