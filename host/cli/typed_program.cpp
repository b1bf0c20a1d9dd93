// SPDX-License-Identifier: Apache-2.0
#include "cli/typed_program.hpp"

#include <cstdlib>
#include <filesystem>

#include "programs/lookup.hpp"
#include "spec/shown.hpp"

namespace lnk::host {

Result<std::string> typed_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  const auto found = find_on_path(name, path == nullptr ? "" : path, [](const std::string&) { return true; });
  if (found.empty()) return fail(Code::Gone, "the program " + host::quoted(name) + " was not found");
  std::error_code error;
  const auto absolute = std::filesystem::absolute(found, error).lexically_normal();
  if (error) return fail(Code::Gone, "the current folder is gone or closed to you");
  return absolute.native();
}

}  // namespace lnk::host
