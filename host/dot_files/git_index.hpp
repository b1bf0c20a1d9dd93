// SPDX-License-Identifier: Apache-2.0
//
// The gitlinks of a git index: the folders in which git runs itself when the repository around them is looked at, whether
// .gitmodules names them or not. Pure; takes any bytes.
// source: gitformat-index(5), versions 2 to 4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

inline constexpr std::size_t kSha1Bytes = 20;
inline constexpr std::size_t kSha256Bytes = 32;

struct GitIndex {
  std::vector<std::string> gitlinks;  ///< paths below the work tree, as the index has them
  std::string shared;                 ///< hex: most entries are in sharedindex.<this>; empty: all are here
};

/// complexity: linear in `bytes`. errors: Invalid where it isn't an index of a known version
[[nodiscard]] Result<GitIndex> read_git_index(std::string_view bytes, std::size_t hash_bytes);

}  // namespace lnk::host
