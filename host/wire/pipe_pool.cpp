// SPDX-License-Identifier: Apache-2.0
#include "wire/pipe_pool.hpp"

#include <fcntl.h>

#include <cerrno>

namespace lnk::host {

Result<PipePool::Loan> PipePool::borrow() {
  if (lent_ >= most_) return fail(Code::Limit, "as many pipes as may be are in use");
  if (!spare_.empty()) {
    Loan loan(*this, std::move(spare_.back()));
    spare_.pop_back();
    return loan;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return fail(Code::Limit, "pipe2", errno);
  posix::Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // Where the person's pipes hold too much already the kernel's own size stays (pipe(7), pipe-user-pages-soft).
  static_cast<void>(::fcntl(pipe.write.get(), F_SETPIPE_SZ, static_cast<int>(kPipeBytes)));
  return Loan(*this, std::move(pipe));
}

void PipePool::give_back(Loan loan) {
  if (spare_.size() < kSparePipes) spare_.push_back(std::move(loan.pipe));
}

}  // namespace lnk::host
