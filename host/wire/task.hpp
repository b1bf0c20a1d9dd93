// SPDX-License-Identifier: Apache-2.0
//
// Task<T>: a coroutine that is awaited once. It runs as soon as it is awaited, on the caller's stack, and suspends its
// awaiter only if it has to wait itself; so a loop over tasks that needn't wait neither suspends nor deepens the stack.
//
// Lifetime: a task is awaited to its end. It is never destroyed while it waits; who wants it gone cancels what it waits
// for, and it ends by itself. That is why no wait needs to know how to be taken back.
//
// Exceptions: we throw none. One that comes (out of memory) passes to the awaiter, and is caught where a coroutine was
// spawned.
//
// No Asio here: the type is cheap to include, and the loop alone knows what runs it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace lnk::host {

namespace detail {

struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    const std::coroutine_handle<> next = ended.promise().continuation;
    return next ? next : std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> continuation;
  std::exception_ptr exception;

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { exception = std::current_exception(); }
  void rethrow() const {
    if (exception) std::rethrow_exception(exception);
  }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  std::coroutine_handle<Promise> get_return_object() noexcept {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() {
    rethrow();
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  std::coroutine_handle<Promise> get_return_object() noexcept {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_void() const noexcept {}
  void take() const { rethrow(); }
};

}  // namespace detail

template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;

  Task(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> awaiter) const noexcept { handle_.promise().continuation = awaiter; }
  T await_resume() const { return handle_.promise().take(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

/// Runs a task that nobody awaits; its frame frees itself at the end. An exception that reaches it ends this task
/// alone.
void spawn(Task<void> task);

}  // namespace lnk::host
