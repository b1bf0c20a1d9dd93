// SPDX-License-Identifier: Apache-2.0
//
// Standard input and output as lines, without setting a flag on what other programs may hold open too.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host::remote {

/// One end of what a client started us with.
class StandardStream {
 public:
  enum class Kind : std::uint8_t {
    Waits,        ///< a description of our own of a pipe or a terminal, that doesn't block
    Socket,       ///< never blocks where each call says so
    NeverBlocks,  ///< a file, or a device that is always ready
  };
  /// errors: Denied, Invalid
  [[nodiscard]] static Result<StandardStream> open(int number, bool for_writing);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] UniqueFd take() noexcept { return std::move(fd_); }

 private:
  StandardStream(UniqueFd fd, Kind kind) noexcept : fd_(std::move(fd)), kind_(kind) {}
  UniqueFd fd_;
  Kind kind_;
};

/// A descriptor that is waited for, or needs no waiting.
class WaitedFd : public Cancellable {
 public:
  WaitedFd(Loop& loop, StandardStream stream);
  void cancel() noexcept override;

 protected:
  [[nodiscard]] int fd() const noexcept { return watch_ ? watch_->fd() : plain_.get(); }
  StandardStream::Kind kind_;
  Loop& loop_;
  UniqueFd plain_;
  std::optional<Watch> watch_;
  bool is_cancelled_ = false;
};

class LineReader final : public WaitedFd {
 public:
  using WaitedFd::WaitedFd;

  struct Line {
    enum class Kind : std::uint8_t { Whole, TooLong, Ended } kind = Kind::Ended;
    std::string text;
  };
  /// A line without its end. One that is too long is skipped to its end, and told. What the end of input cuts off is no line.
  Task<Line> next();

 private:
  /// False: the end.
  Task<bool> read_more();
  [[nodiscard]] std::optional<Line> take_line();

  std::string kept_;
  std::size_t looked_at_ = 0;
  bool skips_ = false;
};

class LineWriter final : public WaitedFd {
 public:
  using WaitedFd::WaitedFd;

  /// The whole line, in the order of the calls; a line end is added. False: nobody reads.
  Task<bool> write(std::string line);

 private:
  Task<bool> write_all(std::string bytes);

  std::deque<Signal*> waiting_;
  bool is_busy_ = false;
  bool is_broken_ = false;
};

}  // namespace lnk::host::remote
