// SPDX-License-Identifier: Apache-2.0
#include "resolve/tool_place.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "lnk/posix/io.hpp"
#include "resolve/check.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kLinksMax = 40;  // the kernel's own limit (path_resolution(7))

const GrantedFile* write_grant_over(const std::string& place, const std::vector<GrantedFile>& files) {
  const auto* nearest = nearest_grant(place, files);
  return nearest != nullptr && nearest->access == Access::Write ? nearest : nullptr;
}

}  // namespace

const GrantedFile* changeable_by(const std::string& path, const std::vector<GrantedFile>& files) {
  std::string at = "/";
  std::string rest = path;
  for (std::size_t links = 0; links <= kLinksMax;) {
    rest.erase(0, rest.find_first_not_of('/'));
    if (rest.empty()) return nullptr;
    const auto part = rest.substr(0, rest.find('/'));
    rest.erase(0, part.size());
    if (part == ".") continue;
    if (part == "..") {
      at = at.substr(0, std::max<std::size_t>(at.rfind('/'), 1));
      continue;
    }
    const auto next = (at == "/" ? "" : at) + "/" + part;
    struct stat entry {};
    const bool is_there = ::lstat(next.c_str(), &entry) == 0;
    const auto* grant = write_grant_over(next, files);
    const bool is_held = grant != nullptr && grant->target == next && is_there && S_ISDIR(entry.st_mode);
    if (grant != nullptr && !is_held) return grant;
    if (!is_there || !S_ISLNK(entry.st_mode)) {
      at = next;
      continue;
    }
    std::error_code error;
    const auto leads = std::filesystem::read_symlink(next, error).native();
    if (error) return nullptr;
    if (leads.starts_with('/')) at = "/";
    rest = leads + "/" + rest;
    ++links;
  }
  return nullptr;  // a circle, which nothing is started by
}

std::vector<std::string> paths_in(const std::string& value) {
  constexpr std::string_view kBetween = ":;, =\"'";
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < value.size();) {
    const auto end = std::min(value.find_first_of(kBetween, at), value.size());
    if (value[at] == '/') paths.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

std::string path_of_word(const std::string& word, const std::string& home) {
  if (word.starts_with('/')) return word;
  if (word.empty()) return {};
  auto path = home + "/" + word;
  // An option, or a package that is fetched: a name of which nothing is there is taken for a path only where it looks like one.
  const bool is_path = posix::is_there(path) || (word.find('/') != std::string::npos && word.front() != '-' && word.front() != '@');
  return is_path ? path : std::string();
}

}  // namespace lnk::host
