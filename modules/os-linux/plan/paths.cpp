// SPDX-License-Identifier: Apache-2.0
#include "plan/paths.hpp"

#include <algorithm>

namespace lnk::os_linux {

bool is_clean_path(std::string_view path) noexcept {
  if (path == "/") return true;
  if (!path.starts_with('/') || path.find('\0') != std::string_view::npos) return false;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    path.remove_prefix(part.size());
  }
  return true;
}

bool is_within(std::string_view path, std::string_view folder) noexcept {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool comes_before(std::string_view a, std::string_view b) noexcept {
  const auto weight = [](char c) { return c == '/' ? 0U : static_cast<unsigned char>(c); };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return weight(x) < weight(y); });
}

}  // namespace lnk::os_linux
