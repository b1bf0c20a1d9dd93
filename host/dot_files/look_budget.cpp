// SPDX-License-Identifier: Apache-2.0
#include "dot_files/look_budget.hpp"

#include <algorithm>

namespace lnk::host {

bool LookBudget::take(std::string_view place, std::size_t steps) {
  if (is_spent()) return false;
  if (steps > steps_) {
    spent_at_ = place;
    return false;
  }
  steps_ -= steps;
  return true;
}

Result<std::optional<std::string>> LookBudget::read(const std::string& path, std::size_t bytes_max, Links links) {
  if (!take(path)) return std::optional<std::string>();
  auto text = read_plain(path, bytes_max, links);
  if (!text || !*text) return text;
  const std::size_t size = (*text)->size();
  if (size > bytes_) {
    spent_at_ = path;
    return std::optional<std::string>();
  }
  bytes_ -= size;
  return text;
}

Result<std::vector<std::string>> LookBudget::names(const std::string& path, std::size_t names_max, Links links) {
  if (!take(path)) return std::vector<std::string>();
  auto names = names_in(path, names_max, links);
  if (names && !take(path, names->size())) return std::vector<std::string>();
  return names;
}

}  // namespace lnk::host
