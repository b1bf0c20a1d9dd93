// SPDX-License-Identifier: Apache-2.0
#include "launch/other_names.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

/// Some ten times what a large repository has beside its objects.
constexpr std::size_t kNamesMax = 200'000;

bool is_linked(const struct stat& entry) { return !S_ISDIR(entry.st_mode) && entry.st_nlink > 1; }

/// gitrepository-layout(5): they lie beside HEAD.
bool is_objects_of_git(const std::filesystem::path& folder) {
  struct stat head {};
  return folder.filename() == "objects" && ::lstat((folder.parent_path() / "HEAD").c_str(), &head) == 0;
}

}  // namespace

Result<std::optional<std::string>> with_another_name(const std::string& path) {
  struct stat entry {};
  if (::lstat(path.c_str(), &entry) != 0) return std::optional<std::string>();
  if (is_linked(entry)) return std::optional<std::string>(path);
  if (!S_ISDIR(entry.st_mode)) return std::optional<std::string>();
  std::error_code failed;
  std::size_t names = 0;
  std::filesystem::recursive_directory_iterator below(path, failed);
  for (; !failed && below != std::filesystem::recursive_directory_iterator(); below.increment(failed)) {
    const auto& one = below->path();
    if (++names > kNamesMax) return fail(Code::Limit, "more than " + std::to_string(kNamesMax) + " names are in it");
    if (::lstat(one.c_str(), &entry) != 0 && errno != ENOENT) return posix::os_fail(Code::Gone, "look at", one.native(), errno);
    if (is_linked(entry)) return std::optional<std::string>(one.native());
    if (S_ISDIR(entry.st_mode) && is_objects_of_git(one)) below.disable_recursion_pending();
  }
  if (failed) return posix::os_fail(Code::Gone, "look into", path, failed.value());
  return std::optional<std::string>();
}

}  // namespace lnk::host
