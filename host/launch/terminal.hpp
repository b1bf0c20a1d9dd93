// SPDX-License-Identifier: Apache-2.0
//
// The person's terminal, whose place in the sandbox a terminal of its own takes: which of the streams it is, and whose
// turn it is there. Its settings are as they were found whenever this process doesn't hold it, and when this value goes.
#pragma once

#include <termios.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

class Terminal {
 public:
  /// Nothing where none of this process's three streams is a terminal.
  /// errors: Denied where two of them are different terminals, or one has hung up
  [[nodiscard]] static Result<std::unique_ptr<Terminal>> of_streams();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { give_back(); }

  /// LNK_TERMINAL_STDIN and its kin.
  [[nodiscard]] std::uint32_t streams() const noexcept { return streams_; }
  /// Whether the program is likely to be alone at the terminal: it is its input, and no other program reads its output.
  /// In a pipeline another (a pager, say) may be the one that reads it, and this process takes it only when asked to.
  [[nodiscard]] bool is_for_us_alone() const noexcept { return is_for_us_alone_; }
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  /// Bytes that may be written at once where it said that it takes some: it isn't always ours alone to make non-blocking.
  [[nodiscard]] std::size_t write_max() const noexcept { return write_max_; }

  /// Whether it is the controlling terminal of this process: then who is in front, and stopping, mean something.
  [[nodiscard]] bool has_jobs() const;
  /// Whether this process may read and set it: its group is the foreground, or the terminal does no job control here.
  [[nodiscard]] bool is_in_front() const;

  /// What it is set to when nobody holds it. errors: Gone
  [[nodiscard]] Result<termios> settings() const;
  /// Every byte passes as it is, from now until give_back; only where it is in front. errors: Gone
  [[nodiscard]] Status take();
  void give_back() noexcept;
  [[nodiscard]] bool is_taken() const noexcept { return is_taken_; }
  /// Does something that prints lines for a person while the terminal may be taken.
  void with_line_ends(const std::function<void()>& print);
  /// From now on with_line_ends waits: a question has the screen.
  void hold_prints() noexcept { are_prints_held_ = true; }
  void release_prints();

 private:
  Terminal(UniqueFd fd, std::size_t write_max) : fd_(std::move(fd)), write_max_(write_max) {}

  UniqueFd fd_;
  std::size_t write_max_;
  std::uint32_t streams_ = 0;
  bool is_for_us_alone_ = false;
  bool is_taken_ = false;
  bool are_prints_held_ = false;
  std::vector<std::function<void()>> held_prints_;
  termios before_{};
};

}  // namespace lnk::host
