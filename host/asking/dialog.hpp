// SPDX-License-Identifier: Apache-2.0
//
// A question in a window on the person's screen, by the machine's zenity: plain text that it reads from a memory file,
// so that no command line shows it, and a box to tick before it takes a yes, so that no key that was meant for another
// window is one. An answer that comes within a second of the window is none.
//
// No kdialog: what it reads from standard input it takes for markup, has one button, which Enter presses; what it asks
// yes or no about stands on its command line, which every user of the machine can read. source:
// https://github.com/KDE/kdialog/blob/master/src/widgets.cpp
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Before it nobody has read the question.
inline constexpr std::chrono::seconds kDeadAfterShown{1};

/// Of its text: fewer than its window has, so that it breaks none by itself.
inline constexpr std::size_t kDialogColumns = 76;

class Dialog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State { Open, Yes, No, TooSoon, NotShown };

  /// Ends with this value, and with this process, KILL included.
  /// errors: Unsupported: there is no screen, or no such program that is root's or the person's own
  [[nodiscard]] static Result<Dialog> open(const std::vector<std::string>& lines);

  /// Readable once it has ended.
  [[nodiscard]] int pidfd() const noexcept { return process_.pidfd(); }
  [[nodiscard]] State look(Time now);
  /// It is in its window: from here on only its end is news.
  [[nodiscard]] bool is_shown() const noexcept { return shown_at_.has_value(); }

 private:
  Dialog(posix::ChildProcess process, UniqueFd text, std::size_t size)
      : process_(std::move(process)), text_(std::move(text)), size_(size) {}

  posix::ChildProcess process_;
  UniqueFd text_;  // shares its place with the program's standard input
  std::size_t size_;
  std::optional<Time> shown_at_;
};

}  // namespace lnk::host
