// SPDX-License-Identifier: Apache-2.0
#include "spec/toml_tree.hpp"

#include <algorithm>

// The one place that compiles toml++. Its 3.3 asserts, before it checks, that a table's name begins with a letter of a
// key: on the text "[(" a debug build ends there, and clang's release build takes the assertion for a fact and may
// leave the check out. Without either, the check that follows refuses the text.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

static_assert(lnk::host::kMaxNestedValues == TOML_MAX_NESTED_VALUES);

namespace lnk::host {
namespace {

Position position_of(const toml::source_position& at) {
  return {static_cast<std::uint32_t>(at.line), static_cast<std::uint32_t>(at.column)};
}

TomlNode node_of(const toml::node& from);

void add_members(TomlNode& to, const toml::table& from) {
  to.members.reserve(from.size());
  for (const auto& [key, value] : from) {
    to.members.push_back({std::string(key.str()), position_of(key.source().begin), node_of(value)});
  }
  std::stable_sort(to.members.begin(), to.members.end(), [](const TomlMember& a, const TomlMember& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
}

TomlNode node_of(const toml::node& from) {
  TomlNode to;
  to.at = position_of(from.source().begin);
  if (const auto* table = from.as_table()) {
    add_members(to, *table);
  } else if (const auto* list = from.as_array()) {
    to.kind = TomlKind::List;
    to.items.reserve(list->size());
    for (const auto& item : *list) to.items.push_back(node_of(item));
  } else if (const auto* text = from.as_string()) {
    to.kind = TomlKind::String;
    to.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    to.kind = TomlKind::Integer;
    to.integer = integer->get();
  } else if (const auto* real = from.as_floating_point()) {
    to.kind = TomlKind::Float;
    to.real = real->get();
  } else if (const auto* boolean = from.as_boolean()) {
    to.kind = TomlKind::Boolean;
    to.boolean = boolean->get();
  } else {
    to.kind = TomlKind::Date;
  }
  return to;
}

}  // namespace

TomlDocument read_toml(std::string_view text) {
  TomlDocument out;
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    out.error = parsed.error().description();
    out.error_at = position_of(parsed.error().source().begin);
    return out;
  }
  add_members(out.root, parsed.table());
  out.root.at = {1, 1};
  return out;
}

}  // namespace lnk::host
