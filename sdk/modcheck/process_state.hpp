// SPDX-License-Identifier: Apache-2.0
//
// What a module must leave as it found it in the process that loads it.
#pragma once

#include <string>
#include <vector>

namespace lnk::modcheck {

struct ProcessState {
  std::vector<std::string> descriptors;  ///< "3 -> /dev/null"
  std::size_t threads = 0;
  std::string folder;
  unsigned file_mask = 0;
  std::vector<std::string> handlers;  ///< signals that are not at their default
  std::vector<std::string> environment;

  [[nodiscard]] static ProcessState of_this_process();
  /// What differs in `after`, in words; empty: nothing.
  [[nodiscard]] std::string change_to(const ProcessState& after) const;
};

}  // namespace lnk::modcheck
