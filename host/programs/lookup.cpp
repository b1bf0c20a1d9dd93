// SPDX-License-Identifier: Apache-2.0
#include "programs/lookup.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace lnk::host {
namespace {

bool is_program(const std::string& path) {
  struct stat entry {};
  return ::stat(path.c_str(), &entry) == 0 && S_ISREG(entry.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> places_of_name(const std::string& name, const std::string& path_variable) {
  if (name.find('/') != std::string::npos) return {std::filesystem::absolute(name).native()};
  std::vector<std::string> candidates;
  for (std::size_t begin = 0; begin <= path_variable.size();) {
    const std::size_t end = std::min(path_variable.find(':', begin), path_variable.size());
    const auto folder = path_variable.substr(begin, end - begin);
    if (folder.starts_with('/'))
      candidates.push_back((std::filesystem::path(folder) / name).lexically_normal().native());
    begin = end + 1;
  }
  return candidates;
}

std::vector<std::string> names_on_path(const std::string& path_variable) {
  std::vector<std::string> names;
  for (const auto& folder : places_of_name(".", path_variable)) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      names.push_back(at->path().filename().native());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> programs_of_name(const std::string& name, const std::string& path_variable) {
  auto programs = places_of_name(name, path_variable);
  programs.erase(std::remove_if(programs.begin(), programs.end(), [](const auto& path) { return !is_program(path); }),
                 programs.end());
  return programs;
}

std::string find_on_path(const std::string& name, const std::string& path_variable,
                         const std::function<bool(const std::string&)>& is_open) {
  const auto programs = programs_of_name(name, path_variable);
  const auto found = std::find_if(programs.begin(), programs.end(), is_open);
  if (found != programs.end()) return *found;
  return programs.empty() ? std::string() : programs.front();
}

}  // namespace lnk::host
