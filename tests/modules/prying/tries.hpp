// SPDX-License-Identifier: Apache-2.0
//
// What a hostile module would try from inside the process that loaded it. Each try undoes what it did where it worked.
#pragma once

#include <string>
#include <vector>

namespace prying {

struct Outcome {
  std::string name;
  int os_errno = 0;  ///< 0: it worked
};

/// `files` are opened for reading beside the fixed ones.
[[nodiscard]] std::vector<Outcome> try_all(const std::vector<std::string>& files);

}  // namespace prying
