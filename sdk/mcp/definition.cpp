// SPDX-License-Identifier: Apache-2.0
#include "lnk/mcp/definition.hpp"

#include <algorithm>
#include <vector>

#include "lnk/digest/sha256.hpp"

namespace lnk::mcp {
namespace {

using jsonfilter::Item;
using jsonfilter::Value;

void append(std::string& out, const Value& value);

void append_object(std::string& out, const Value& object) {
  std::vector<const Item*> members;
  members.reserve(object.items().size());
  for (const Item& item : object.items()) members.push_back(&item);
  std::sort(members.begin(), members.end(), [](const Item* a, const Item* b) { return a->key < b->key; });
  out += '{';
  for (const Item* member : members) {
    if (member != members.front()) out += ',';
    jsonfilter::append_string(out, member->key);
    out += ':';
    append(out, member->value);
  }
  out += '}';
}

void append_array(std::string& out, const Value& array) {
  out += '[';
  bool is_first = true;
  for (const Item& item : array.items()) {
    if (!is_first) out += ',';
    is_first = false;
    append(out, item.value);
  }
  out += ']';
}

/// Recursion ends at the depth that the parser let in.
void append(std::string& out, const Value& value) {
  if (value.is_object()) return append_object(out, value);
  if (value.is_array()) return append_array(out, value);
  out += jsonfilter::write(value);
}

}  // namespace

std::string canonical(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

std::string definition_sha256(const Value& tool) { return digest::sha256_hex(canonical(tool)); }

}  // namespace lnk::mcp
