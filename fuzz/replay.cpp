// SPDX-License-Identifier: Apache-2.0
//
// Runs a target over kept inputs without libFuzzer: each file, and each beginning of it, which is what a peer that
// stops in the middle sends.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "property.hpp"

namespace {

/// Beginnings longer than this add time and little else.
constexpr std::size_t kMaxBeginningBytes = 1024;

void run(const std::string& input) {
  // A copy of the exact size, so that a sanitizer sees a read past the end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void run_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string input{std::istreambuf_iterator<char>(stream), {}};
  run(input);
  for (std::size_t size = 0; size < std::min(input.size(), kMaxBeginningBytes); ++size) run(input.substr(0, size));
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code gone;  // a target without crashes has no folder for them
    for (const auto& entry : std::filesystem::directory_iterator(argv[i], gone)) {
      if (!entry.is_regular_file()) continue;
      run_file(entry.path());
      ++files;
    }
  }
  std::printf("%zu inputs replayed\n", files);
  return files == 0 ? 1 : 0;
}
