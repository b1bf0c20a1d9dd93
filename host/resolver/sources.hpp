// SPDX-License-Identifier: Apache-2.0
//
// The files by which the C library resolves a name, as they are at one moment. Landlock opens files as they are, and
// not by their names: one that was replaced is another, which only a process that opened it anew may read.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

class Sources {
 public:
  /// Followed to where each leads; one that isn't there is none.
  static Sources open();

  /// A name leads elsewhere than it did when this was opened. What was written anew in place has not changed in this
  /// sense.
  [[nodiscard]] bool have_moved() const noexcept;

  /// O_PATH, those that are there.
  [[nodiscard]] std::vector<int> fds() const;
  void close() noexcept;

 private:
  static constexpr std::size_t kCount = 4;
  using Identity = std::optional<std::pair<dev_t, ino_t>>;

  std::array<UniqueFd, kCount> files_;
  std::array<Identity, kCount> identities_;
};

}  // namespace lnk::host
