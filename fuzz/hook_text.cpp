// SPDX-License-Identifier: Apache-2.0
//
// A hook's text: what is read from it are plain names that stand in it, few and short; and a settings file that is named behind
// anything is found.
#include "dot_files/hook_text.hpp"

#include <string>

#include "entry.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto named = host::settings_named_in(input);
  LNK_HOLDS(named.size() <= 256);
  for (const auto& each : named) {
    LNK_HOLDS(!each.file.empty() && each.file.size() <= 4096 && each.file.front() != '-');
    LNK_HOLDS(each.file.find_first_of(" \t\r\n$=*?\"'") == std::string::npos);
    LNK_HOLDS(input.find(each.file) != std::string_view::npos);
  }
  if (named.size() == 256) return;  // no more are read
  for (const auto* more : {" --config=a.yml", "\n-c a.yml", "; --config 'a.yml'"}) {
    const auto all = host::settings_named_in(std::string(input) + more);
    LNK_HOLDS(!all.empty() && all.back().file == "a.yml" && all.back().is_sure);
  }
}

}  // namespace lnk::fuzz
