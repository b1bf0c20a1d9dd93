// SPDX-License-Identifier: Apache-2.0
//
// A sandbox's terminal as a job of the person's shell: in front it has the terminal, a Ctrl-Z inside stops the front as
// well, and `fg` and `bg` mean what they mean for any program.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "asking/asking.hpp"
#include "launch/supervise.hpp"
#include "launch/terminal.hpp"
#include "launch/terminal_relay.hpp"
#include "launch/wall.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// LNK_TERMINAL_… to start a wall with.
[[nodiscard]] std::uint32_t terminal_to_ask_for(const Terminal& terminal);

class TerminalJob final : public AskingTerminal {
 public:
  /// The sandbox's terminal gets settings and size. `target` gives up its end of it.
  [[nodiscard]] static Result<std::unique_ptr<TerminalJob>> make(Wall& wall, Target& target, Terminal& persons);

  ~TerminalJob() override { relay_.reset_modes(); }

  /// The target runs.
  [[nodiscard]] Status begin();
  /// What to poll for a stop of the target; -1: nothing.
  [[nodiscard]] int events() const noexcept { return events_; }
  /// The target may have stopped. errors: the wall's
  [[nodiscard]] Status look();
  /// True where the signal is dealt with, and needn't reach the target's group by other means. errors: the wall's
  [[nodiscard]] Result<bool> take_signal(int signal);
  bool lend(Events events) override;
  [[nodiscard]] TerminalSize size() const override;
  void print(std::string_view bytes) override { relay_.print(bytes); }
  void give_back(bool stop) override;
  [[nodiscard]] TerminalRelay& relay() noexcept { return relay_; }
  /// The target has ended: the last of its output, and no answer left. A signal that would end the front ends the wait.
  void finish(const HeldSignals& signals);

 private:
  TerminalJob(Wall& wall, Terminal& persons, const Target& target, TerminalRelay relay)
      : wall_(wall), persons_(persons), target_(target.pid), relay_(std::move(relay)), events_(target.events) {}
  Status go_on();
  Status take_terminal();

  Wall& wall_;
  Terminal& persons_;
  pid_t target_;
  TerminalRelay relay_;
  int events_;
  bool wants_front_ = false;  // it is to have the person's terminal whenever this job is in front
  bool was_in_front_ = false;
  std::function<void()> resized_;  // of who has it lent
};

}  // namespace lnk::host
