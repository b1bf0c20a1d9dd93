// SPDX-License-Identifier: Apache-2.0
#include "snapshot/canonical.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <vector>

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kDepthMax = 32;

void write(const json::value& value, std::string& out);

void write_object(const json::object& object, std::string& out) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](auto* left, auto* right) { return left->key() < right->key(); });
  out += '{';
  for (const auto* member : members) {
    if (member != members.front()) out += ',';
    out += json::serialize(json::string(member->key()));
    out += ':';
    write(member->value(), out);
  }
  out += '}';
}

void write_array(const json::array& array, std::string& out) {
  out += '[';
  for (const auto& element : array) {
    if (&element != &array.front()) out += ',';
    write(element, out);
  }
  out += ']';
}

void write(const json::value& value, std::string& out) {
  if (value.is_object()) return write_object(value.get_object(), out);
  if (value.is_array()) return write_array(value.get_array(), out);
  out += json::serialize(value);
}

}  // namespace

std::string canonical_json(const json::value& value) {
  std::string out;
  write(value, out);
  return out;
}

Result<json::value> parse_canonical_json(std::string_view text) {
  json::parse_options options;
  options.max_depth = kDepthMax;
  json::error_code error;
  auto value = json::parse({text.data(), text.size()}, error, {}, options);
  if (error) return fail(Code::Invalid, "is not JSON: " + error.message());
  // A duplicate key or another spelling does not survive being written again.
  if (canonical_json(value) != text) return fail(Code::Invalid, "is not canonical JSON");
  return value;
}

}  // namespace lnk::host
