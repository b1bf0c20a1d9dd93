// SPDX-License-Identifier: Apache-2.0
#include "dot_files/git_settings.hpp"

#include <algorithm>
#include <filesystem>

#include "spec/shown.hpp"

namespace lnk::host {

std::string GitSettingsReader::path_of(std::string_view value, const std::string& folder) const {
  if (value.empty()) return {};
  std::filesystem::path path(value);
  if (value == "~" || value.starts_with("~/"))
    path = std::filesystem::path(person_.home) / value.substr(std::min<std::size_t>(2, value.size()));
  std::string clean = (std::filesystem::path(folder) / path).lexically_normal().native();
  while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  return clean;
}

Status GitSettingsReader::add(const std::string& file, unsigned depth, GitSettings& into) {
  if (std::find(into.files.begin(), into.files.end(), file) != into.files.end()) return {};
  if (into.files.size() == LookLimits::kSettingsFiles)
    return fail(Code::Limit, host::quoted(file) + " is one of more than " + std::to_string(LookLimits::kSettingsFiles) + " files of git's settings");
  into.files.push_back(file);
  auto known = texts_.find(file);
  if (known == texts_.end()) {
    LNK_TRY(const auto text, budget_.read(file, LookLimits::kSettingsFileBytes, Links::Followed));
    known = texts_.emplace(file, text ? read_git_text(*text) : GitText{}).first;
  }
  const auto folder = std::filesystem::path(file).parent_path().native();
  for (const auto& setting : known->second.settings) {
    if (!budget_.take(file)) return {};
    into.settings.push_back(setting);
    const bool is_include = is_git_key(setting.key, "include", "path") || is_git_key(setting.key, "includeif", "path");
    if (!is_include || !setting.value) continue;
    if (depth == LookLimits::kIncludeDepth) return fail(Code::Limit, host::quoted(file) + " includes deeper than git does");
    if (const auto included = path_of(*setting.value, folder); !included.empty()) LNK_CHECK(add(included, depth + 1, into));
  }
  return {};
}

Result<GitSettings> GitSettingsReader::read(const std::string& file) {
  GitSettings out;
  LNK_CHECK(add(file, 0, out));
  return out;
}

}  // namespace lnk::host
