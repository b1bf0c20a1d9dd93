// SPDX-License-Identifier: Apache-2.0
//
// Pipes for splice(2): bytes go from one socket to the other without passing through this process's memory. A pipe is
// borrowed while bulk moves and given back empty, so that what idles holds none.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "lnk/posix/io.hpp"
#include "wire/limits.hpp"

namespace lnk::host {

class PipePool {
 public:
  /// A pipe on loan; it is closed where it isn't given back.
  class Loan {
   public:
    Loan(PipePool& pool, posix::Pipe borrowed) noexcept : pipe(std::move(borrowed)), lent_(&pool.lent_) { ++*lent_; }
    Loan(Loan&& other) noexcept : pipe(std::move(other.pipe)), lent_(std::exchange(other.lent_, nullptr)) {}
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (lent_ != nullptr) --*lent_;
    }
    posix::Pipe pipe;

   private:
    std::size_t* lent_;
  };

  /// So many at once: the other descriptors are the connections', and what the front sends must find room.
  void allow(std::size_t most) noexcept { most_ = most; }
  /// errors: where no pipe can be had; the caller reads and writes instead
  Result<Loan> borrow();
  /// An empty pipe. One that still holds bytes is closed by its owner instead.
  void give_back(Loan loan);

 private:
  std::vector<posix::Pipe> spare_;
  std::size_t most_ = kSparePipes;
  std::size_t lent_ = 0;
};

}  // namespace lnk::host
