// SPDX-License-Identifier: Apache-2.0
//
// Run while building: writes the compiled filter as C++ initialisers, so that a start compiles none.
#include <cstdio>
#include <string_view>

#include "filter/target_filter.hpp"

int main(int argc, char** argv) {
  using lnk::seccomp::Architecture;
  if (argc != 3) return 2;
  const auto architecture = std::string_view(argv[1]) == "aarch64" ? Architecture::Aarch64 : Architecture::X86_64;
  auto program = lnk::seccomp::compile(lnk::os_linux::target_policy(architecture));
  if (!program) {
    std::fprintf(stderr, "%s\n", program.error().text.c_str());
    return 1;
  }
  std::FILE* out = std::fopen(argv[2], "we");
  if (out == nullptr) return 1;
  for (const sock_filter& one : *program) std::fprintf(out, "{%#x, %u, %u, %#x},\n", one.code, one.jt, one.jf, one.k);
  return std::fclose(out) == 0 ? 0 : 1;
}
