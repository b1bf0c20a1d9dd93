// SPDX-License-Identifier: Apache-2.0
//
// Run while building: writes the compiled filters as C++ arrays, so that a start compiles none.
#include <cstdio>
#include <string>
#include <string_view>

#include "filter/list_filter.hpp"
#include "filter/target_filter.hpp"

namespace {

bool write_array(std::FILE* out, std::string_view name, const lnk::seccomp::Policy& policy) {
  const auto program = lnk::seccomp::compile(policy);
  if (!program) {
    std::fprintf(stderr, "%s\n", program.error().text.c_str());
    return false;
  }
  std::fprintf(out, "constexpr sock_filter k_%.*s[] = {\n", static_cast<int>(name.size()), name.data());
  for (const sock_filter& one : *program) std::fprintf(out, "{%#x, %u, %u, %#x},\n", one.code, one.jt, one.jf, one.k);
  std::fprintf(out, "};\n");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using lnk::seccomp::Architecture;
  if (argc != 3) return 2;
  const auto architecture = std::string_view(argv[1]) == "aarch64" ? Architecture::Aarch64 : Architecture::X86_64;
  std::FILE* out = std::fopen(argv[2], "we");
  if (out == nullptr) return 1;
  bool is_whole = write_array(out, "target", lnk::os_linux::target_policy(architecture));
  for (const auto& filter : lnk::os_linux::kListFilters)
    is_whole = is_whole && write_array(out, filter.name, lnk::os_linux::list_policy(filter, architecture));
  return std::fclose(out) == 0 && is_whole ? 0 : 1;
}
