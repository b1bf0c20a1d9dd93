// SPDX-License-Identifier: Apache-2.0
//
// Asks the person for one run: in a dialog on the screen where one can be shown, else on the run's terminal, and always
// in the queue, which `answer` answers from anywhere. Whichever answers first counts; the others are closed. Two
// minutes of silence end a question as timed out, which is no.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asking/dialog.hpp"
#include "asking/question.hpp"
#include "asking/questions.hpp"
#include "asking/queue.hpp"
#include "asking/terminal_question.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

/// The run's terminal, lent for a question: nothing of the sandbox is relayed meanwhile, and no typed byte goes inside.
class AskingTerminal {
 public:
  struct Events {
    std::function<void(std::string_view)> typed;
    std::function<void()> resized;
    std::function<void()> lost;  ///< it has been taken back: it hung up, or its job stops or ends
  };

  AskingTerminal() = default;
  AskingTerminal(const AskingTerminal&) = delete;
  AskingTerminal& operator=(const AskingTerminal&) = delete;
  virtual ~AskingTerminal() = default;

  /// False: it can't be used now, since this process isn't in front there.
  virtual bool lend(Events events) = 0;
  [[nodiscard]] virtual TerminalSize size() const = 0;
  virtual void print(std::string_view bytes) = 0;
  /// It is as it was before; `stop`: as if the person had typed Ctrl-Z to the program.
  virtual void give_back(bool stop) = 0;
};

struct AskingOptions {
  const Settings& settings;                      ///< outlives it
  std::string wire;                              ///< the sandbox's name
  AskingTerminal* terminal;                      ///< outlives it; null: the run has none
  std::function<void(std::string_view)> notice;  ///< one line for the person
};

class Asking {
 public:
  using Answered = std::function<void(Outcome)>;
  using Time = Questions::Time;

  [[nodiscard]] static Result<std::unique_ptr<Asking>> make(AskingOptions options);
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking();

  /// `question.wire` is set here. `answered` is called once, by `look`, unless the question is withdrawn.
  /// errors: Limit: too many in a minute, for which the wire is to be paused; Again: too many wait; Invalid; what can't
  /// be written
  [[nodiscard]] Result<std::uint64_t> ask(Question question, Answered answered);
  /// Its call is gone: an answer would be for nobody.
  void withdraw(std::uint64_t id);

  /// Readable where `look` has something to do.
  [[nodiscard]] int fd() const noexcept { return poll_.get(); }
  [[nodiscard]] Status look(Time now = std::chrono::steady_clock::now());

 private:
  struct Waiting {
    QueuedQuestion file;
    Answered answered;
    bool is_told = false;  ///< that only the queue has it
  };
  struct OnTerminal {
    std::uint64_t id;
    TerminalQuestion question;
    Time dead_until;
    std::optional<Outcome> typed;
  };

  explicit Asking(AskingOptions options) : options_(std::move(options)) {}
  [[nodiscard]] Status open();
  void settle(std::uint64_t id, Outcome outcome);
  void look_at_queue();
  void look_at_dialog(Time now);
  void look_at_terminal();
  void close_where_shown(std::uint64_t id, std::string_view why);
  void show_next(Time now);
  [[nodiscard]] bool show_dialog(std::uint64_t id);
  [[nodiscard]] bool show_on_terminal(std::uint64_t id, Time now);
  void take_typed(std::string_view bytes);
  void redraw();
  void tell_of_queue(std::uint64_t id);
  void wake_at(std::optional<Time> at) const;
  void arm(Time now) const;
  [[nodiscard]] std::vector<std::string> lines_of(std::uint64_t id) const;

  AskingOptions options_;
  UniqueFd poll_;
  UniqueFd timer_;
  UniqueFd changes_;  // of the queue's folder
  Questions questions_;
  std::map<std::uint64_t, Waiting> waiting_;
  struct Finished {
    std::uint64_t id;
    Answered answered;
    Outcome outcome;
  };
  std::vector<Finished> finished_;  // and not told yet
  std::optional<Dialog> dialog_;
  std::uint64_t in_dialog_ = 0;
  int shown_again_ = 0;
  bool dialogs_work_ = true;
  std::optional<OnTerminal> on_terminal_;
};

}  // namespace lnk::host
