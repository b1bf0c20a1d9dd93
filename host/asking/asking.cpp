// SPDX-License-Identifier: Apache-2.0
#include "asking/asking.hpp"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "asking/code.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// A dialog that isn't in its window yet is looked at so often: what is noted too late only makes it dead for longer.
constexpr milliseconds kDialogLook{100};
/// A terminal that another job has may be in front again by then.
constexpr milliseconds kTerminalLook{1000};
/// A key that is held down would have it shown for ever.
constexpr int kShownAgainMax = 16;

/// What was read is of no use: that there was something is.
void drain(int fd) {
  std::array<char, 4096> space;
  while (posix::retry([&] { return ::read(fd, space.data(), space.size()); }) > 0) {
  }
}

}  // namespace

Result<std::unique_ptr<Asking>> Asking::make(AskingOptions options) {
  std::unique_ptr<Asking> asking(new Asking(std::move(options)));
  LNK_CHECK(asking->open());
  return asking;
}

Status Asking::open() {
  LNK_CHECK(options_.settings.make_folder(kQuestionsFolder));
  poll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  timer_.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  changes_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!poll_.is_open() || !timer_.is_open() || !changes_.is_open())
    return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
  const auto folder = options_.settings.folder() / kQuestionsFolder;
  if (::inotify_add_watch(changes_.get(), folder.c_str(), IN_MOVED_TO | IN_ONLYDIR) < 0)
    return posix::os_fail(Code::Limit, "watch", folder.native(), errno);
  for (const int fd : {timer_.get(), changes_.get()}) {
    epoll_event event{EPOLLIN, {}};
    if (::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
  }
  return {};
}

Asking::~Asking() {
  if (on_terminal_) options_.terminal->give_back(false);
}

Result<std::uint64_t> Asking::ask(Question question, Answered answered) {
  const auto now = Clock::now();
  question.wire = options_.wire;
  LNK_TRY(const auto id, questions_.add(question, now));
  auto file = QueuedQuestion::put(options_.settings, question);
  if (!file) {
    static_cast<void>(questions_.take(id));
    return fail(std::move(file).error());
  }
  waiting_.emplace(id, Waiting{std::move(*file), std::move(answered)});
  show_next(now);
  arm(now);
  return id;
}

void Asking::withdraw(std::uint64_t id) {
  std::erase_if(finished_, [id](const auto& each) { return each.id == id; });
  if (waiting_.erase(id) == 0) return;
  static_cast<void>(questions_.take(id));
  close_where_shown(id, "the call that asked has ended");
  wake_at(Clock::now());  // what waits behind it is shown by the next look
}

Status Asking::look(Time now) {
  drain(timer_.get());
  drain(changes_.get());
  look_at_queue();
  look_at_dialog(now);
  look_at_terminal();
  for (const auto id : questions_.over(now)) settle(id, Outcome::TimedOut);
  show_next(now);
  arm(now);
  // Last, and one by one: each may ask and withdraw.
  while (!finished_.empty()) {
    const auto next = std::move(finished_.front());
    finished_.erase(finished_.begin());
    next.answered(next.outcome);
  }
  return {};
}

/// Ends it with `outcome`, or with what `answer` said before.
void Asking::settle(std::uint64_t id, Outcome outcome) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  const auto counts = found->second.file.end(outcome);
  finished_.push_back({id, std::move(found->second.answered), counts});
  waiting_.erase(found);
  static_cast<void>(questions_.take(id));
  close_where_shown(id,
                    counts == Outcome::TimedOut ? "two minutes are over, which is no" : "it was answered elsewhere");
}

void Asking::look_at_queue() {
  std::vector<std::pair<std::uint64_t, Outcome>> answered;
  for (const auto& [id, waiting] : waiting_)
    if (const auto outcome = waiting.file.answered()) answered.emplace_back(id, *outcome);
  for (const auto& [id, outcome] : answered) settle(id, outcome);
}

void Asking::look_at_dialog(Time now) {
  if (!dialog_) return;
  const auto state = dialog_->look(now);
  if (state == Dialog::State::Open) return;
  dialog_.reset();
  const auto id = std::exchange(in_dialog_, 0);
  if (state == Dialog::State::NotShown || (state == Dialog::State::TooSoon && ++shown_again_ > kShownAgainMax))
    dialogs_work_ = false;
  if (state == Dialog::State::TooSoon || state == Dialog::State::NotShown) return;
  shown_again_ = 0;
  settle(id, state == Dialog::State::Yes ? Outcome::Yes : Outcome::No);
}

void Asking::look_at_terminal() {
  if (!on_terminal_ || !on_terminal_->typed) return;
  const auto [id, outcome] = std::pair(on_terminal_->id, *on_terminal_->typed);
  on_terminal_.reset();
  options_.terminal->give_back(false);
  settle(id, outcome);
}

void Asking::close_where_shown(std::uint64_t id, std::string_view why) {
  if (dialog_ && in_dialog_ == id) dialog_.reset();
  if (!on_terminal_ || on_terminal_->id != id) return;
  on_terminal_.reset();
  options_.terminal->give_back(false);
  options_.notice("the question is no longer open: " + std::string(why));
}

std::vector<std::string> Asking::lines_of(std::uint64_t id) const {
  return shown_question(*questions_.find(id), questions_.equal(id));
}

void Asking::show_next(Time now) {
  const auto id = questions_.first();
  if (!id || dialog_ || on_terminal_) return;
  if (show_dialog(*id) || show_on_terminal(*id, now)) return;
  tell_of_queue(*id);
}

bool Asking::show_dialog(std::uint64_t id) {
  if (!dialogs_work_) return false;
  std::vector<std::string> rows;
  for (const auto& line : lines_of(id))
    for (auto& row : rows_of(line, kDialogColumns)) rows.push_back(std::move(row));
  auto dialog = Dialog::open(rows);
  if (!dialog) {
    dialogs_work_ = false;
    return false;
  }
  dialog_.emplace(std::move(*dialog));
  in_dialog_ = id;
  epoll_event event{EPOLLIN, {}};
  // Without it its end is found by the timer's looks.
  static_cast<void>(::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, dialog_->pidfd(), &event));
  return true;
}

bool Asking::show_on_terminal(std::uint64_t id, Time now) {
  if (options_.terminal == nullptr) return false;
  const bool is_lent =
      options_.terminal->lend({[this](std::string_view bytes) { take_typed(bytes); }, [this] { redraw(); },
                               [this] {
                                 on_terminal_.reset();
                                 wake_at(Clock::now() + kTerminalLook);
                               }});
  if (!is_lent) return false;
  on_terminal_.emplace(
      OnTerminal{id, TerminalQuestion(lines_of(id), random_code(kTypedCodeLetters)), now + kDeadAfterShown, {}});
  redraw();
  return true;
}

void Asking::redraw() {
  if (on_terminal_) options_.terminal->print(on_terminal_->question.draw(options_.terminal->size()));
}

void Asking::take_typed(std::string_view bytes) {
  // What was typed to the program when the question came.
  if (!on_terminal_ || on_terminal_->typed || Clock::now() < on_terminal_->dead_until) return;
  std::string drawn;
  const auto typed = on_terminal_->question.feed(bytes, drawn);
  if (typed == TerminalQuestion::Typed::Nothing) {
    if (!drawn.empty()) options_.terminal->print(drawn);
    return;
  }
  if (typed == TerminalQuestion::Typed::Stop) {
    on_terminal_.reset();
    options_.terminal->give_back(true);
    // Shown again where the program went on, or was brought to the front.
    return wake_at(Clock::now() + kTerminalLook);
  }
  on_terminal_->typed = typed == TerminalQuestion::Typed::Yes ? Outcome::Yes : Outcome::No;
  wake_at(Clock::now());
}

void Asking::tell_of_queue(std::uint64_t id) {
  auto& waiting = waiting_.at(id);
  if (std::exchange(waiting.is_told, true)) return;
  options_.notice(ascii_shown(options_.wire) + " asks: " + ascii_shown(questions_.find(id)->title) +
                  "; lnk-sandbox answer shows it, lnk-sandbox answer " + waiting.file.id() + " yes allows it once");
}

void Asking::wake_at(std::optional<Time> at) const {
  itimerspec when{};
  if (at) {
    // A time that is over wakes at once; zero would turn it off.
    const auto since = std::max<std::chrono::nanoseconds>(at->time_since_epoch(), std::chrono::nanoseconds(1));
    when.it_value.tv_sec = static_cast<time_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count());
    when.it_value.tv_nsec = static_cast<long>((since % std::chrono::seconds(1)).count());
  }
  static_cast<void>(::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr));
}

void Asking::arm(Time now) const {
  if (on_terminal_ && on_terminal_->typed) return wake_at(now);
  auto at = questions_.next_end();
  if (at && dialog_ && !dialog_->is_shown()) at = std::min(*at, now + kDialogLook);
  if (at && !dialog_ && !on_terminal_ && options_.terminal != nullptr) at = std::min(*at, now + kTerminalLook);
  // Nothing shows them yet, and something may: the next look does.
  wake_at(at);
}

}  // namespace lnk::host
