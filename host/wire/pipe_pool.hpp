// SPDX-License-Identifier: Apache-2.0
//
// Pipes for splice(2): bytes go from one socket to the other without passing through this process's memory. A pipe is
// borrowed while bulk moves and given back empty, so that what idles holds none.
#pragma once

#include <vector>

#include "lnk/posix/io.hpp"

namespace lnk::host {

class PipePool {
 public:
  /// errors: where no pipe can be made; the caller reads and writes instead
  Result<posix::Pipe> borrow();
  /// An empty pipe. One that still holds bytes is closed by its owner instead.
  void give_back(posix::Pipe pipe);

 private:
  std::vector<posix::Pipe> spare_;
};

}  // namespace lnk::host
