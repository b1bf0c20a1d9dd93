// SPDX-License-Identifier: Apache-2.0
#include "spec/verb_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

/// Verbs of this program, and the table that says what each may do: another way to it would go around that table.
struct OwnVerb {
  std::string_view id;
  std::string_view table;
};
constexpr std::array<OwnVerb, 5> kOwnVerbs = {
    {{"model", "[model]"}, {"secret", "[secrets]"}, {"local", "[model] local"}, {"mcp", "[tools]"}, {"open", "[open]"}}};

void refuse_what_json_lacks(Reader& reader, const TomlNode& node) {
  if (node.kind == TomlKind::Date) reader.refuse(node.at, "a module's table takes no dates; write a string");
  if (node.kind == TomlKind::Float && !std::isfinite(node.real)) reader.refuse(node.at, "a module's table takes no inf or nan");
  for (const TomlNode& item : node.items) refuse_what_json_lacks(reader, item);
  for (const TomlMember& member : node.members) refuse_what_json_lacks(reader, member.value);
}

/// RFC 6901: ~ is ~0, and / is ~1.
std::string pointer_part(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    if (c == '~' || c == '/')
      out += c == '~' ? "~0" : "~1";
    else
      out += c;
  }
  return out;
}

/// Bytes of all the paths of a table, each with what a map keeps besides: far above any table, and small beside the largest spec.
constexpr std::size_t kPlaceBytesMax = 16 * std::size_t{1024} * 1024;
constexpr std::size_t kPlaceBytes = 128;

/// False: the table is too large.
bool add_places(const TomlNode& node, const std::string& path, VerbTable& table, std::size_t& bytes) {
  const auto add = [&](const std::string& below, Position at, const TomlNode& value) {
    bytes += below.size() + kPlaceBytes;
    if (bytes > kPlaceBytesMax) return false;
    table.places.emplace(below, at);
    return add_places(value, below, table, bytes);
  };
  for (std::size_t i = 0; i < node.items.size(); ++i)
    if (!add(path + "/" + std::to_string(i), node.items[i].at, node.items[i])) return false;
  for (const TomlMember& member : node.members)
    if (!add(path + pointer_part(member.key), member.at, member.value)) return false;
  return true;
}

void read_one(Reader& reader, const TomlMember& verb, std::vector<VerbTable>& out) {
  auto id = read_name(verb.key, "a verb's id");
  if (!id) return reader.refuse(verb.at, std::move(id.error().text));
  const auto is_it = [&id](const OwnVerb& own) { return own.id == *id; };
  if (const auto* own = std::find_if(kOwnVerbs.begin(), kOwnVerbs.end(), is_it); own != kOwnVerbs.end())
    return reader.refuse(verb.at, "[verb." + *id + "] is no table: " + *id + " is a verb of this program, and " +
                                      std::string(own->table) + " says what it may do");
  if (verb.value.kind != TomlKind::Table)
    return reader.refuse(verb.at, "verb." + *id + " is a table, written [verb." + *id + "]");
  refuse_what_json_lacks(reader, verb.value);
  VerbTable table{std::move(*id), canonical_json(verb.value), verb.at, {}};
  std::size_t bytes = 0;
  if (!add_places(verb.value, {}, table, bytes))
    return reader.refuse(verb.at, "[verb." + table.id + "] holds more than a table of a spec may");
  out.push_back(std::move(table));
}

}  // namespace

void read_verb_tables(Reader& reader, const TomlMember& verbs, std::vector<VerbTable>& out) {
  if (verbs.value.kind != TomlKind::Table) return reader.refuse(verbs.at, "verb holds tables, as in [verb.example]");
  for (const TomlMember& verb : verbs.value.members) read_one(reader, verb, out);
}

void add_verb_tables(Reader& reader, std::vector<VerbTable>& to, const std::vector<VerbTable>& from) {
  for (const VerbTable& table : from) {
    const auto is_it = [&table](const VerbTable& other) { return other.id == table.id; };
    if (const auto other = std::find_if(to.begin(), to.end(), is_it); other != to.end())
      reader.refuse(table.at, "the verb " + quoted(table.id) + " has a table already (line " + std::to_string(other->at.line) +
                                  "), and one is all that it is given; keep one of the two");
    else
      to.push_back(table);
  }
}

}  // namespace lnk::host
