// SPDX-License-Identifier: Apache-2.0
#include "spec/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lnk::host {
namespace {

constexpr std::size_t kMaxNameBytes = 64;

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

/// Edits from one to the other, where two neighbours changing places is one edit (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view written, std::span<const std::string_view> known) {
  if (written.empty() || written.size() > kMaxNameBytes) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string_view name : known) {
    const std::size_t edits = distance(written, name);
    if (edits < least) {
      least = edits;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view written, std::span<const std::string_view> known) {
  const std::string_view name = nearest_name(written, known);
  if (name.empty()) return {};
  return "; did you mean \"" + std::string(name) + "\"?";
}

}  // namespace lnk::host
