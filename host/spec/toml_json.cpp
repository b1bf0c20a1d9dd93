// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "spec/toml_tree.hpp"

namespace lnk::host {
namespace {

void add_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

void add_real(std::string& out, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void add_json(std::string& out, const TomlNode& node);

void add_json_table(std::string& out, const TomlNode& node) {
  std::vector<const TomlMember*> sorted;
  for (const TomlMember& member : node.members) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key < b->key; });
  out += '{';
  for (const TomlMember* member : sorted) {
    if (out.back() != '{') out += ',';
    add_json_string(out, member->key);
    out += ':';
    add_json(out, member->value);
  }
  out += '}';
}

void add_json(std::string& out, const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::String:
      add_json_string(out, node.text);
      return;
    case TomlKind::Integer:
      out += std::to_string(node.integer);
      return;
    case TomlKind::Float:
      add_real(out, node.real);
      return;
    case TomlKind::Boolean:
      out += node.boolean ? "true" : "false";
      return;
    case TomlKind::Date:
      out += "null";
      return;
    case TomlKind::Table:
      add_json_table(out, node);
      return;
    case TomlKind::List:
      break;
  }
  out += '[';
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i != 0) out += ',';
    add_json(out, node.items[i]);
  }
  out += ']';
}

}  // namespace

std::string canonical_json(const TomlNode& node) {
  std::string out;
  add_json(out, node);
  return out;
}

std::string_view kind_name(TomlKind kind) {
  switch (kind) {
    case TomlKind::String:
      return "a string";
    case TomlKind::Integer:
      return "a number";
    case TomlKind::Float:
      return "a number with a fraction";
    case TomlKind::Boolean:
      return "true or false";
    case TomlKind::Date:
      return "a date";
    case TomlKind::List:
      return "a list";
    case TomlKind::Table:
      return "a table";
  }
  return "a value";
}

}  // namespace lnk::host
