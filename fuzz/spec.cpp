// SPDX-License-Identifier: Apache-2.0
//
// Specs: errors stand in the file and are safe to show; what is accepted breaks no rule that spec_model.cpp states by
// itself, and says the same when it is printed and read again.
#include "spec/spec.hpp"

#include <algorithm>
#include <string>

#include "entry.hpp"
#include "spec_model.hpp"

namespace lnk::fuzz {
namespace {

constexpr std::string_view kFile = "fuzz.toml";

void check_diagnostics(std::string_view input, const std::vector<host::Diagnostic>& list) {
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')) + 1;
  LNK_HOLDS(list.size() <= host::kMaxDiagnostics);
  host::Position last;
  for (const host::Diagnostic& one : list) {
    LNK_HOLDS(one.at.line >= 1 && one.at.line <= lines && one.at.column >= 1);
    LNK_HOLDS(one.at.line > last.line || (one.at.line == last.line && one.at.column >= last.column));
    LNK_HOLDS(!one.words.empty() && one.file == kFile);
    const std::string text = one.text();
    LNK_HOLDS(std::none_of(text.begin(), text.end(),
                           [](char c) { return (static_cast<unsigned char>(c) < 0x20) || c == 0x7f; }));
    last = one.at;
  }
}

bool same(const std::vector<host::Diagnostic>& a, const std::vector<host::Diagnostic>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.text() == y.text(); });
}

}  // namespace

void check(std::string_view input) {
  const auto result = host::parse_spec(input, kFile, host::Os::Linux);
  check_diagnostics(input, result.errors);
  check_diagnostics(input, result.notes);
  LNK_HOLDS(same(result.errors, host::parse_spec(input, kFile, host::Os::Linux).errors));
  if (!result.ok()) return;
  check_spec(result.spec);
  const std::string printed = printed_spec(result.spec);
  const auto again = host::parse_spec(printed, kFile, host::Os::Linux);
  LNK_HOLDS(again.ok());
  LNK_HOLDS(printed_spec(again.spec) == printed);
}

}  // namespace lnk::fuzz
