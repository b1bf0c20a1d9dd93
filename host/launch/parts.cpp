// SPDX-License-Identifier: Apache-2.0
#include "launch/parts.hpp"

namespace lnk::host {

Result<Parts> Parts::of_this_program() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || !program.is_absolute())
    return fail(Code::Internal, "this program's own file can't be found at /proc/self/exe: " + error.message(), error.value());
  const auto library = program.parent_path().parent_path() / "lib" / "lnk-sandbox";
  return Parts{program,          library, library / "modules", library / "wire", library / "resolver", library / "mcp-remote",
               library / "tool-keeper",
               program.parent_path().parent_path() / "share" / "lnk-sandbox"};
}

}  // namespace lnk::host
