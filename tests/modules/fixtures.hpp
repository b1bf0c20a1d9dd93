// SPDX-License-Identifier: Apache-2.0
//
// Where the broken modules of these tests lie.
#pragma once

#include <filesystem>
#include <string_view>

namespace lnk::test {

[[nodiscard]] inline std::filesystem::path fixture(std::string_view name, std::string_view file = "verb-fixture.so") {
  return std::filesystem::path(LNK_FIXTURES_DIR) / name / file;
}

}  // namespace lnk::test
