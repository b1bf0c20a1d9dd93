// SPDX-License-Identifier: Apache-2.0
//
// Compares a text with a kept file. LNK_UPDATE_GOLDEN=1 writes the file instead, to be read as a difference.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace lnk::test {

inline std::string golden_path(const std::string& name) { return std::string(LNK_GOLDEN_FOLDER) + "/" + name; }

inline std::string read_golden(const std::string& name) {
  std::ifstream in(golden_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the kept file holds; the text itself where it was just written.
inline std::string expected(const std::string& name, const std::string& text) {
  const char* update = std::getenv("LNK_UPDATE_GOLDEN");
  if (update == nullptr || *update != '1') return read_golden(name);
  std::ofstream(golden_path(name), std::ios::binary) << text;
  return text;
}

}  // namespace lnk::test
