// SPDX-License-Identifier: Apache-2.0
//
// Bytes between the person's terminal and the sandbox's. What one side doesn't take yet is not read from the other, so
// nothing grows and nothing is lost. The person's terminal is read only while it is taken.
#pragma once

#include <poll.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "launch/terminal.hpp"
#include "launch/terminal_queries.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

class TerminalRelay {
 public:
  /// `sandboxs` is the other end of the sandbox's terminal, which nobody else holds.
  [[nodiscard]] static Result<TerminalRelay> make(Terminal& persons, UniqueFd sandboxs);

  /// The person's settings become the sandbox's. Behind another job its output isn't ended by CR: the person's terminal,
  /// not taken, does that.
  void copy_settings(bool in_front);
  /// True where the size is another than before; the kernel then tells the programs inside.
  bool copy_size();

  /// What to poll: the person's, then the sandbox's.
  [[nodiscard]] std::array<pollfd, 2> wanted();
  /// Moves what can be moved, after a poll of what was wanted.
  void move(const pollfd& persons, const pollfd& sandboxs);
  /// Waits until all that was written inside up to now is out, for a second at most: others inside may go on writing.
  void flush();
  /// From here on the person's terminal is read: its answers go inside, as do typed bytes.
  void begin_reading();
  /// No byte passes any more, and the programs inside find their terminal hung up.
  void hang_up();
  [[nodiscard]] bool has_hung_up() const noexcept { return !sandboxs_.is_open(); }
  [[nodiscard]] bool is_empty() const noexcept { return out_.is_empty() && own_.empty(); }

  /// Nothing passes between the two from now on: the person's terminal is ours, cleared of what the program set there and of what
  /// was typed. `typed` is given each byte that is; `lost` is called where it ends by itself. False: it isn't in front now.
  bool hold(std::function<void(std::string_view)> typed, std::function<void()> lost);
  [[nodiscard]] bool is_held() const noexcept { return static_cast<bool>(typed_); }
  void print(std::string_view bytes);
  /// Gives the screen back, and what was typed meanwhile to nobody. `keys`: are typed to the program.
  void release(std::string_view keys = {});
  /// As release, where it isn't its holder who ends it.
  void lose();

  /// Turns off what the program left on by which the terminal would send to the person's shell.
  void reset_modes();
  /// Takes from the person's terminal what it may still answer to what was printed.
  void drain_answers();

 private:
  using Clock = std::chrono::steady_clock;

  /// What was read and not written yet.
  class Held {
   public:
    [[nodiscard]] bool is_empty() const noexcept { return begin_ == end_; }
    [[nodiscard]] std::string_view bytes() const noexcept { return {space_.data() + begin_, end_ - begin_}; }
    /// Reads into it, empty as it is. False at the end of what is read.
    bool fill(int fd);
    void drop(std::size_t size) noexcept { begin_ += size; }
    void clear() noexcept { begin_ = end_ = 0; }

   private:
    std::array<char, 16384> space_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
  };

  TerminalRelay(Terminal& persons, UniqueFd sandboxs) : persons_(&persons), sandboxs_(std::move(sandboxs)) {}
  void write_out();
  [[nodiscard]] bool write_own();
  void read_typed();
  void set_height_apart();
  void write_in();
  [[nodiscard]] bool may_be_answered() const;

  Terminal* persons_;
  UniqueFd sandboxs_;
  Held out_;
  std::string own_;  // of a question, goes before out_
  std::function<void(std::string_view)> typed_;
  std::function<void()> lost_;
  bool is_poll_stale_ = false;  // what was polled was wanted before a question came or went
  Held in_;
  bool is_persons_gone_ = false;
  TerminalQueries queries_;
  bool are_modes_reset_ = false;
  bool asked_unread_ = false;  // and the terminal has not been read since
  Clock::time_point asked_at_{};
};

}  // namespace lnk::host
