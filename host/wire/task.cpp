// SPDX-License-Identifier: Apache-2.0
#include "wire/task.hpp"

#include <cstdio>

namespace lnk::host {
namespace {

struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
};

/// The coroutine's end, where exceptions are caught: memory that ran out ends one connection, not the wire.
Detached run_to_end(Task<void> task) {
  try {
    co_await task;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "lnk-sandbox: wire: a connection ended: %s\n", exception.what());
  }
}

}  // namespace

void spawn(Task<void> task) { run_to_end(std::move(task)); }

}  // namespace lnk::host
