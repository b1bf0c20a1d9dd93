// SPDX-License-Identifier: Apache-2.0
//
// git's index: any bytes give gitlinks or words, never more gitlinks than there are entries, and no name with a NUL byte.
#include "dot_files/git_index.hpp"

#include "entry.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  for (const auto hash_bytes : {host::kSha1Bytes, host::kSha256Bytes}) {
    const auto index = host::read_git_index(input, hash_bytes);
    if (!index) {
      LNK_HOLDS(!index.error().text.empty());
      continue;
    }
    LNK_HOLDS(input.starts_with("DIRC"));
    LNK_HOLDS(index->gitlinks.size() * (hash_bytes + 40) <= input.size());
    for (const auto& path : index->gitlinks) LNK_HOLDS(path.find('\0') == std::string::npos);
    LNK_HOLDS(index->shared.empty() || index->shared.size() == 2 * hash_bytes);
  }
}

}  // namespace lnk::fuzz
