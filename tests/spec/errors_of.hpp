// SPDX-License-Identifier: Apache-2.0
//
// What the parser says of a text, as lines that a test can compare.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "spec/spec.hpp"

namespace lnk::test {

/// A slip, where and how it is refused, and the text nearest to it that isn't refused.
struct Twin {
  std::string_view refused;
  std::string_view error;  ///< "line:col: words", the words as they begin or all
  std::string_view allowed;
};

inline std::vector<std::string> errors_of(std::string_view text, host::Os os = host::Os::Linux) {
  std::vector<std::string> out;
  for (const host::Diagnostic& one : host::parse_spec(text, "s", os).errors) out.push_back(one.text().substr(2));
  return out;
}

/// The same less what only says that a table is of a later version.
inline std::vector<std::string> form_errors_of(std::string_view text, host::Os os = host::Os::Linux) {
  std::vector<std::string> out = errors_of(text, os);
  std::erase_if(out, [](const std::string& line) { return line.find("is not in this version") != std::string::npos; });
  return out;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& one : lines) out += one + "\n";
  return out;
}

}  // namespace lnk::test

/// The refused text has exactly one error of form, the one named; its twin has none.
#define LNK_TEST_TWIN(twin)                                                                         \
  do {                                                                                              \
    const auto found = lnk::test::form_errors_of((twin).refused);                                   \
    BOOST_TEST_CONTEXT("refused: " << (twin).refused << "\nsaid: " << lnk::test::joined(found)) {   \
      BOOST_TEST(found.size() == 1U);                                                               \
      if (!found.empty()) BOOST_TEST(found.front().substr(0, (twin).error.size()) == (twin).error); \
    }                                                                                               \
    const auto none = lnk::test::form_errors_of((twin).allowed);                                    \
    BOOST_TEST_CONTEXT("allowed: " << (twin).allowed << "\nsaid: " << lnk::test::joined(none)) {    \
      BOOST_TEST(none.empty());                                                                     \
    }                                                                                               \
  } while (false)
