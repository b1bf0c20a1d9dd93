// SPDX-License-Identifier: Apache-2.0
//
// Schemas of verbs' tables and tables held against them: the text before the first NUL is a schema, the rest a table. Both
// readers end; the same is found twice; an impossible schema takes nothing, an open one everything; what is marked was asked for.
#include <algorithm>
#include <string>

#include "entry.hpp"
#include "verb_tables/schema.hpp"

namespace lnk::fuzz {
namespace {

bool same(const host::TableFindings& left, const host::TableFindings& right) {
  return std::equal(left.faults.begin(), left.faults.end(), right.faults.begin(), right.faults.end(),
                    [](const auto& a, const auto& b) { return a.path == b.path && a.words == b.words; }) &&
         left.marked.size() == right.marked.size();
}

bool is_plain(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

void check(std::string_view input) {
  const auto end = std::min(input.find('\0'), input.size());
  const auto text = input.substr(0, end);
  const auto table = input.substr(std::min(end + 1, input.size()));
  const auto schema = host::TableSchema::read(text);
  if (!schema) {
    LNK_HOLDS(!schema.error().text.empty() && is_plain(schema.error().text));
    return;
  }
  const auto found = schema->check(table);
  LNK_HOLDS(same(found, schema->check(table)));
  LNK_HOLDS(found.faults.size() <= 200);
  for (const auto& fault : found.faults) LNK_HOLDS(!fault.words.empty() && is_plain(fault.words));
  for (const auto& value : found.marked) {
    const bool is_host = value.opens == host::Opens::Host;
    LNK_HOLDS(text.find(is_host ? "host" : "port") != std::string_view::npos || text.find('\\') != std::string_view::npos);
    LNK_HOLDS(is_host || value.port != 0);
  }
  const auto open = host::TableSchema::read("true");
  const auto closed = host::TableSchema::read("false");
  LNK_HOLDS(open && closed);
  LNK_HOLDS(!closed->check(table).faults.empty());
  // A table that fits any schema is one at all; and a schema beside one that is impossible takes nothing.
  if (found.faults.empty()) LNK_HOLDS(open->check(table).faults.empty());
  // What stands in not is the contrary, unless it opens something or takes too long.
  const auto contrary = host::TableSchema::read("{\"not\":" + std::string(text) + "}");
  const bool is_table = open->check(table).faults.empty();
  const auto is_late = [](const host::TableFindings& findings) {
    return std::any_of(findings.faults.begin(), findings.faults.end(),
                       [](const auto& fault) { return fault.words.find("reasonable time") != std::string::npos; });
  };
  if (contrary && is_table && !is_late(found)) {
    const auto other = contrary->check(table);
    LNK_HOLDS(is_late(other) || other.faults.empty() != found.faults.empty());
  }
}

}  // namespace lnk::fuzz
