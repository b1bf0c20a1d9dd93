// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

#include "spec/contradictions.hpp"
#include "spec/shown.hpp"
#include "spec/spec.hpp"
#include "spec/tables.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kMaxNameBytes = 40;

/// Sorted by place, each once (both systems' tables are checked, and share the common ones), and not without end.
void settle(std::vector<Diagnostic>& list, std::string_view file_name) {
  const auto key = [](const Diagnostic& one) { return std::tie(one.at.line, one.at.column, one.words); };
  std::stable_sort(list.begin(), list.end(), [key](const auto& a, const auto& b) { return key(a) < key(b); });
  list.erase(std::unique(list.begin(), list.end(), [key](const auto& a, const auto& b) { return key(a) == key(b); }),
             list.end());
  if (list.size() > kMaxDiagnostics) {
    const std::string rest = std::to_string(list.size() - kMaxDiagnostics + 1);
    list.resize(kMaxDiagnostics);
    list.back().words = "and " + rest + " more from here on";
  }
  for (Diagnostic& one : list) one.file = file_name;
}

/// The library's words name an escape as it is written (\\q) and escape what can't be shown, so that a backslash is as it should
/// be.
std::string shown_once(std::string_view words) {
  std::string text = shown(words);
  for (auto at = text.find(R"(\\)"); at != std::string::npos; at = text.find(R"(\\)", at + 1)) text.erase(at, 1);
  return text;
}

/// Tables of another system's: their form was looked at, and nothing else.
std::vector<Diagnostic> tables_of_others(const TomlNode& root, Os os) {
  std::vector<Diagnostic> tables;
  for (const auto& member : root.members) {
    if (member.key != (os == Os::Linux ? "macos" : "linux")) continue;
    for (const auto& table : member.value.members)
      tables.push_back({{},
                        table.at,
                        "[" + member.key + "." + shown(table.key) + "] is for " + (os == Os::Linux ? "macOS" : "Linux") +
                            " alone; here its form is looked at and nothing else"});
  }
  return tables;
}

ParseResult refused(std::string_view file_name, Position at, std::string words) {
  ParseResult out;
  out.errors.push_back({std::string(file_name), at, std::move(words)});
  return out;
}

}  // namespace

std::string Diagnostic::text() const {
  return shown(file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + words;
}

std::string default_name(std::string_view file_name) {
  std::string_view stem = file_name.substr(file_name.rfind('/') + 1);
  if (const std::size_t dot = stem.rfind('.'); dot != std::string_view::npos && dot != 0) stem = stem.substr(0, dot);
  std::string out;
  for (const char c : stem) {
    const char folded = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool fits = (folded >= 'a' && folded <= 'z') || (folded >= '0' && folded <= '9');
    if (fits) {
      out += folded;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == kMaxNameBytes) break;
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? std::string(kNoName) : out;
}

ParseResult parse_spec(std::string_view text, std::string_view file_name, Os os) {
  if (text.size() > kMaxSpecBytes) {
    return refused(file_name, {1, 1}, "the file is larger than 8 MiB, which is no spec");
  }
  if (const Position deep = find_deep_key(text); deep != Position{}) {
    return refused(file_name, deep,
                   "a key has more than " + std::to_string(kMaxKeyParts) + " parts, which none of a spec has");
  }
  const TomlDocument document = read_toml(text);
  if (!document.error.empty())
    return refused(file_name, document.error_at, "this isn't TOML: " + shown_once(document.error));

  Reader reader;
  const SpecTables tables = read_tables(reader, document.root);
  const Spec on_linux = add_tables(reader, tables.common, tables.linux_only);
  const Spec on_macos = add_tables(reader, tables.common, tables.macos_only);
  refuse_contradictions(reader, on_linux);
  refuse_contradictions(reader, on_macos);
  ParseResult out;
  out.spec = os == Os::Linux ? on_linux : on_macos;
  if (out.spec.name.at == Position{}) out.spec.name.value = default_name(file_name);
  out.errors = std::move(reader.errors());
  out.notes = std::move(reader.notes());
  settle(out.errors, file_name);
  out.skipped = tables_of_others(document.root, os);
  settle(out.notes, file_name);
  settle(out.skipped, file_name);
  return out;
}

}  // namespace lnk::host
