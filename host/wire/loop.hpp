// SPDX-License-Identifier: Apache-2.0
//
// The wire's one thread: waits for descriptors and deadlines, and lends the one buffer. Over epoll, edge-triggered: an
// idle connection costs no call, and one that waits costs one.
//
// thread: everything here belongs to the thread that calls run().
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

enum class Wake : std::uint8_t {
  Ready,      ///< the call that would have blocked may be tried again
  Cancelled,  ///< by Cancellable::cancel or a deadline; stays so for every later wait
};

class Cancellable {
 public:
  Cancellable() = default;
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;
  virtual ~Cancellable() = default;
  /// Every wait, now and later, comes back Cancelled. Nothing is closed: what can be done without waiting still can.
  virtual void cancel() noexcept = 0;
};

class Loop;

/// An open connection, of those that Loop::cut_all ends at once.
class Cuttable {
 public:
  explicit Cuttable(Loop& loop) noexcept;
  Cuttable(const Cuttable&) = delete;
  Cuttable& operator=(const Cuttable&) = delete;
  virtual ~Cuttable();
  /// Nothing more moves either way, and every wait comes back. Runs no coroutine.
  virtual void cut() noexcept = 0;

 private:
  friend class Loop;
  Loop& loop_;
  Cuttable* previous_ = nullptr;
  Cuttable* next_ = nullptr;
};

/// For a descriptor that came from elsewhere; those made here are born so.
[[nodiscard]] bool set_non_blocking(int fd) noexcept;

class Deadline;

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Until stop() or until nothing is left to wait for.
  void run();
  void stop() noexcept;
  /// units: milliseconds of a clock that never runs back.
  [[nodiscard]] static std::int64_t now_ms() noexcept;
  /// Lent until the borrower next waits (co_await); then another may write to it.
  [[nodiscard]] std::span<std::byte> buffer() noexcept;
  /// Resumes `coroutine` after everything that is ready now has had its turn.
  void post(std::coroutine_handle<> coroutine);
  /// Cuts every connection that is open but one, which is told why and closes by itself; none is spared where it is null.
  void cut_all(const Cuttable* spared = nullptr) noexcept;
  [[nodiscard]] bool has_connections() const noexcept { return first_connection_ != nullptr; }

  struct Impl;
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  friend class Cuttable;
  std::unique_ptr<Impl> impl_;
  Cuttable* first_connection_ = nullptr;
};

/// co_await Turn(loop): lets the others go first. A pump that always finds more to do would starve them.
class Turn {
 public:
  explicit Turn(Loop& loop) noexcept : loop_(loop) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) { loop_.post(coroutine); }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
};

/// One descriptor that the loop watches.
/// owns: the descriptor, which must be non-blocking. One that can't be watched is closed, and its waits are cancelled.
///
/// Use: try the call; where it would block, wait, and try again. A wait that comes early costs a try; none is missed:
/// an edge that comes while nobody waits is kept for the next wait.
class Watch final : public Cancellable {
 public:
  Watch(Loop& loop, UniqueFd fd);
  ~Watch() override { close(); }

  class Wait {
   public:
    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> coroutine) noexcept;
    Wake await_resume() const noexcept { return wake_; }

   private:
    friend class Watch;
    Wait(Watch& watch, bool for_writing) noexcept : watch_(watch), for_writing_(for_writing) {}
    Watch& watch_;
    std::coroutine_handle<> coroutine_;
    Wake wake_ = Wake::Cancelled;
    bool for_writing_;
  };

  /// co_await: one waiter a direction.
  [[nodiscard]] Wait readable() noexcept { return Wait(*this, false); }
  [[nodiscard]] Wait writable() noexcept { return Wait(*this, true); }
  /// Wakes who waits to read, with nothing there, so that another may; the next wait comes back at once and tries.
  void release_reader();
  /// After a try that moved something there may be more, and no edge will tell.
  void note_read() noexcept { may_read_ = true; }
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  void cancel() noexcept override;
  /// Waits that are pending come back Cancelled.
  void close() noexcept;

 private:
  friend struct Loop::Impl;
  void set_events(bool with_writing) noexcept;
  void take_events(std::uint32_t events);
  void wake(Wait*& waiter, Wake wake);

  Loop& loop_;
  UniqueFd fd_;
  Wait* reader_ = nullptr;
  Wait* writer_ = nullptr;
  bool may_read_ = true;
  bool may_write_ = false;
  bool watches_writing_ = false;
  bool is_cancelled_ = false;
};

/// Cancels up to two things when its time is over. Setting it anew is cheap: it is looked at once a second.
/// units: kept within a second of the time asked for, never before it.
class Deadline {
 public:
  explicit Deadline(Loop& loop, Cancellable* first = nullptr, Cancellable* second = nullptr) noexcept
      : loop_(loop), targets_{first, second} {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() { clear(); }

  void cancels(Cancellable* first, Cancellable* second = nullptr) noexcept {
    targets_[0] = first;
    targets_[1] = second;
  }
  void set(std::int64_t after_ms);
  void clear() noexcept;
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

 private:
  friend struct Loop::Impl;
  Loop& loop_;
  Cancellable* targets_[2];
  std::int64_t at_ms_ = 0;
  Deadline* previous_ = nullptr;
  Deadline* next_ = nullptr;
  bool is_set_ = false;
  bool is_over_ = false;
};

/// Raised once, awaited by one: how a coroutine waits for another that was spawned.
class Signal {
 public:
  explicit Signal(Loop& loop) noexcept : loop_(loop) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  void raise() {
    is_raised_ = true;
    if (waiter_) loop_.post(std::exchange(waiter_, {}));
  }
  [[nodiscard]] bool is_raised() const noexcept { return is_raised_; }
  bool await_ready() const noexcept { return is_raised_; }
  void await_suspend(std::coroutine_handle<> waiter) noexcept { waiter_ = waiter; }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  std::coroutine_handle<> waiter_;
  bool is_raised_ = false;
};

/// Rung any number of times, awaited by one: rings that come while nobody waits are one.
class Bell {
 public:
  explicit Bell(Loop& loop) noexcept : loop_(loop) {}
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void ring() {
    is_rung_ = !waiter_;
    if (waiter_) loop_.post(std::exchange(waiter_, {}));
  }
  bool await_ready() noexcept { return std::exchange(is_rung_, false); }
  void await_suspend(std::coroutine_handle<> waiter) noexcept { waiter_ = waiter; }
  void await_resume() const noexcept {}

 private:
  Loop& loop_;
  std::coroutine_handle<> waiter_;
  bool is_rung_ = false;
};

}  // namespace lnk::host
