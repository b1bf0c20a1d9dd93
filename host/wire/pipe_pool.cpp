// SPDX-License-Identifier: Apache-2.0
#include "wire/pipe_pool.hpp"

#include <fcntl.h>

#include <cerrno>

#include "wire/limits.hpp"

namespace lnk::host {

Result<posix::Pipe> PipePool::borrow() {
  if (!spare_.empty()) {
    posix::Pipe pipe = std::move(spare_.back());
    spare_.pop_back();
    return pipe;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return fail(Code::Limit, "pipe2", errno);
  posix::Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // Where the person's pipes hold too much already the kernel's own size stays (pipe(7), pipe-user-pages-soft).
  static_cast<void>(::fcntl(pipe.write.get(), F_SETPIPE_SZ, static_cast<int>(kPipeBytes)));
  return pipe;
}

void PipePool::give_back(posix::Pipe pipe) {
  if (spare_.size() < kSparePipes) spare_.push_back(std::move(pipe));
}

}  // namespace lnk::host
