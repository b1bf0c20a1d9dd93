// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "spec/shown.hpp"
#include "verb_tables/schema_rule.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kShownBytes = 60;  // a line of an error has a place, a path and words besides

bool same_arrays(const json::array& left, const json::array& right, std::size_t& steps) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!is_equal(left[i], right[i], steps)) return false;
  return true;
}

bool same_objects(const json::object& left, const json::object& right, std::size_t& steps) {
  if (left.size() != right.size()) return false;
  for (const auto& member : left) {
    const auto* other = right.if_contains(member.key());
    if (other == nullptr || !is_equal(member.value(), *other, steps)) return false;
  }
  return true;
}

}  // namespace

unsigned types_of(const json::value& value) noexcept {
  switch (value.kind()) {
    case json::kind::null:
      return kNull;
    case json::kind::bool_:
      return kBoolean;
    case json::kind::object:
      return kObject;
    case json::kind::array:
      return kArray;
    case json::kind::string:
      return kString;
    case json::kind::int64:
    case json::kind::uint64:
      return kNumber | kInteger;
    case json::kind::double_:
      break;
  }
  const double number = value.get_double();
  return std::isfinite(number) && std::trunc(number) == number ? kNumber | kInteger : kNumber;
}

long double number_of(const json::value& value) noexcept {
  if (value.is_int64()) return static_cast<long double>(value.get_int64());
  if (value.is_uint64()) return static_cast<long double>(value.get_uint64());
  return value.is_double() ? static_cast<long double>(value.get_double()) : 0;
}

bool is_equal(const json::value& left, const json::value& right, std::size_t& steps) {
  ++steps;
  const unsigned types = types_of(left);
  if (types != types_of(right)) return false;
  if ((types & kNumber) != 0) return number_of(left) == number_of(right);
  if (types == kArray) return same_arrays(left.get_array(), right.get_array(), steps);
  if (types == kObject) return same_objects(left.get_object(), right.get_object(), steps);
  if (types == kString) steps += left.get_string().size() / 256;
  return left == right;
}

std::size_t length_of(std::string_view text) noexcept {
  std::size_t length = 0;
  for (const char c : text) length += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : 1;
  return length;
}

std::string below(std::string_view path, std::string_view key) {
  std::string out(path);
  out += '/';
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

std::string below(std::string_view path, std::size_t place) { return std::string(path) + "/" + std::to_string(place); }

std::string in_short(const json::value& value) {
  if (const auto* text = value.if_string()) return quoted({text->data(), text->size()});
  const std::string text = json::serialize(value);
  return shown(std::string_view(text).substr(0, kShownBytes)) + (text.size() > kShownBytes ? "…" : "");
}

}  // namespace lnk::host
