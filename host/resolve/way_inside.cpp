// SPDX-License-Identifier: Apache-2.0
#include "resolve/way_inside.hpp"

#include <algorithm>
#include <filesystem>

#include "resolve/check.hpp"
#include "resolve/resolve.hpp"

namespace lnk::host {
namespace {

/// The kernel's own limit (path_resolution(7)); and one for each grant that is passed by its link.
constexpr std::size_t kLinksMax = 40;

std::string below(const std::string& folder, std::string_view rest) {
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return rest.empty() ? folder : (folder == "/" ? "" : folder) + "/" + std::string(rest);
}

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// The longest grant that was written by a link and holds the path, of those that stand below `at`.
const GrantedFile* granted_link(const std::string& path, const std::string& at, const Grants& grants) {
  const GrantedFile* found = nullptr;
  for (const auto& file : grants.files)
    if (file.access != Access::Hide && file.path != file.target && is_within(path, file.path) && file.path != at &&
        is_within(file.path, at) && (found == nullptr || file.path.size() > found->path.size()))
      found = &file;
  return found;
}

/// The sandbox has a folder of its own there, whatever the machine has.
bool is_own_place(const std::string& path, const Grants& grants) {
  return path == grants.home || std::find(kEmptyFolders.begin(), kEmptyFolders.end(), path) != kEmptyFolders.end();
}

}  // namespace

std::optional<UnseenLink> unseen_link(const std::string& path, const Grants& grants,
                                      const std::function<bool(const std::string&)>& is_seen) {
  std::string at = "/";
  std::string rest = path;
  for (std::size_t links = 0; links < kLinksMax + grants.files.size();) {
    rest.erase(0, rest.find_first_not_of('/'));
    if (rest.empty()) return std::nullopt;
    const auto whole = below(at, rest);
    if (const auto* grant = granted_link(whole, at, grants); grant != nullptr) {
      at = grant->target;
      rest = whole.substr(grant->path.size());
      ++links;
      continue;
    }
    const auto part = rest.substr(0, rest.find('/'));
    rest.erase(0, part.size());
    if (part == ".") continue;
    if (part == "..") {
      at = parent_of(at);
      continue;
    }
    const auto next = below(at, part);
    std::error_code error;
    const auto leads = std::filesystem::read_symlink(next, error).native();
    if (error || is_own_place(next, grants)) {
      at = next;
      continue;
    }
    if (!is_seen(next)) return UnseenLink{next, parent_of(whole)};
    rest = leads + "/" + rest;
    if (leads.starts_with('/')) at = "/";
    ++links;
  }
  return std::nullopt;  // a circle, which is refused as one
}

}  // namespace lnk::host
