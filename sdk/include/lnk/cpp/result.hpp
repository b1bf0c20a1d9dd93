// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value or an Error, with std::expected's names. Nothing here throws; reading the side that isn't there
// ends the process, since it is a fault of the program and never of its input.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "lnk/abi/base.h"

namespace lnk {

enum class Code : lnk_status {
  Invalid = LNK_E_INVALID,
  Unsupported = LNK_E_UNSUPPORTED,
  Denied = LNK_E_DENIED,
  Gone = LNK_E_GONE,
  Limit = LNK_E_LIMIT,
  Timeout = LNK_E_TIMEOUT,
  Upstream = LNK_E_UPSTREAM,
  Internal = LNK_E_INTERNAL,
  Again = LNK_E_AGAIN,
};

/// What failed, in one line for a person: what, where, how to mend it.
struct Error {
  Code code = Code::Internal;
  std::string text;
  int os_errno = 0;        ///< 0: none
  std::uint32_t step = 0;  ///< the number of a plan's step; 0: none

  /// The same error with where it happened in front: "read settings: …".
  [[nodiscard]] Error within(std::string_view where) && {
    text.insert(0, ": ").insert(0, where);
    return std::move(*this);
  }
};

/// Wraps an Error on its way into any Result, as std::unexpected does.
struct Failure {
  Error error;
};

[[nodiscard]] inline Failure fail(Code code, std::string text, int os_errno = 0) {
  return Failure{Error{code, std::move(text), os_errno, 0}};
}
[[nodiscard]] inline Failure fail(Error error) { return Failure{std::move(error)}; }

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& value() & noexcept { return *check<0>(); }
  const T& value() const& noexcept { return *const_cast<Result*>(this)->template check<0>(); }
  T&& value() && noexcept { return std::move(*check<0>()); }
  T& operator*() & noexcept { return value(); }
  const T& operator*() const& noexcept { return value(); }
  T&& operator*() && noexcept { return std::move(*this).value(); }
  T* operator->() noexcept { return &value(); }
  const T* operator->() const noexcept { return &value(); }

  Error& error() & noexcept { return *check<1>(); }
  const Error& error() const& noexcept { return *const_cast<Result*>(this)->template check<1>(); }
  Error&& error() && noexcept { return std::move(*check<1>()); }

  template <class U>
  [[nodiscard]] T value_or(U&& other) && {
    return has_value() ? std::move(*this).value() : static_cast<T>(std::forward<U>(other));
  }

 private:
  template <std::size_t I>
  auto check() noexcept {
    auto* side = std::get_if<I>(&state_);
    if (side == nullptr) std::abort();
    return side;
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Failure failure) : error_(std::move(failure.error)), failed_(true) {}

  [[nodiscard]] bool has_value() const noexcept { return !failed_; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const noexcept {
    if (failed_) std::abort();
  }

  Error& error() & noexcept { return check(); }
  const Error& error() const& noexcept { return const_cast<Result*>(this)->check(); }
  Error&& error() && noexcept { return std::move(check()); }

 private:
  Error& check() noexcept {
    if (!failed_) std::abort();
    return error_;
  }

  Error error_;
  bool failed_ = false;
};

using Status = Result<void>;

}  // namespace lnk

#define LNK_CONCAT2(a, b) a##b
#define LNK_CONCAT(a, b) LNK_CONCAT2(a, b)
/// LNK_TRY(auto fd, open_settings(dir)): the value, or this function returns the error.
#define LNK_TRY(declaration, ...) LNK_TRY_NAMED(LNK_CONCAT(lnk_result_, __LINE__), declaration, __VA_ARGS__)
#define LNK_TRY_NAMED(name, declaration, ...)             \
  auto name = __VA_ARGS__;                                \
  if (!name) return ::lnk::fail(std::move(name).error()); \
  declaration = std::move(name).value()
/// LNK_CHECK(write_all(fd, bytes)): goes on, or this function returns the error.
#define LNK_CHECK(...)                                                                                \
  do {                                                                                                \
    if (auto lnk_check = (__VA_ARGS__); !lnk_check) return ::lnk::fail(std::move(lnk_check).error()); \
  } while (false)
