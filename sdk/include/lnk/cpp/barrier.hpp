// SPDX-License-Identifier: Apache-2.0
//
// The barrier: what a C++ function does at the boundary. An Error becomes a status and a lnk_error; an exception
// becomes a failed call. A failed call denies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lnk/abi/base.h"
#include "lnk/cpp/result.hpp"
#include "lnk/cpp/view.hpp"

namespace lnk {

namespace detail {

/// The longest head of `text` of at most `bytes_max` bytes that cuts no UTF-8 character.
[[nodiscard]] constexpr std::string_view cut_text(std::string_view text, std::size_t bytes_max) noexcept {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace detail

/// "denied" for LNK_E_DENIED, …; "unknown" for what is no status of base.h.
[[nodiscard]] constexpr std::string_view status_word(lnk_status status) noexcept {
  constexpr std::array<std::string_view, 10> kWords = {"ok",    "invalid", "unsupported", "denied",   "gone",
                                                       "limit", "timeout", "upstream",    "internal", "again"};
  return status <= LNK_OK && status >= LNK_E_AGAIN ? kWords[static_cast<std::size_t>(-status)] : "unknown";
}

/// A status as a Code; Internal for what is no failure of base.h.
[[nodiscard]] constexpr Code code_of(lnk_status status) noexcept {
  return status <= LNK_E_INVALID && status >= LNK_E_AGAIN ? static_cast<Code>(status) : Code::Internal;
}

/// Writes into the caller's record, as much as its size holds, on one line. `out` may be null.
inline void write_error(lnk_error* out, lnk_status status, std::string_view text, int os_errno = 0,
                        std::uint32_t step = 0) noexcept {
  constexpr std::size_t kTextAt = offsetof(lnk_error, text);
  if (out == nullptr || out->size < kTextAt) return;
  const std::size_t space = std::min<std::size_t>(out->size - kTextAt, sizeof out->text);
  const std::string_view cut = detail::cut_text(text, space);
  out->status = status;
  out->os_errno = os_errno;
  out->step = step;
  out->text_size = static_cast<std::uint32_t>(cut.size());
  std::transform(cut.begin(), cut.end(), out->text,
                 [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F ? ' ' : c; });
}

/// A lnk_error to pass to a call, and the Error that the call left in it. Nothing the other side wrote is trusted.
class ErrorSlot {
 public:
  ErrorSlot() noexcept { raw_.size = sizeof raw_; }

  [[nodiscard]] lnk_error* get() noexcept { return &raw_; }
  [[nodiscard]] const lnk_error& raw() const noexcept { return raw_; }
  [[nodiscard]] std::string_view text() const noexcept {
    return {raw_.text, std::min<std::size_t>(raw_.text_size, sizeof raw_.text)};
  }
  /// What a call failed with that returned `status`.
  [[nodiscard]] Error take(lnk_status status) const {
    std::string words(text());
    if (words.empty())
      words.append(status_word(status)).append(" (status ").append(std::to_string(status)).append(", no words given)");
    return Error{code_of(status), std::move(words), raw_.os_errno, raw_.step};
  }

 private:
  lnk_error raw_{};
};

/// Runs a body that gives a Status or a lnk_status, and turns what fails or is thrown into a failed call.
template <class Body>
[[nodiscard]] lnk_status barrier(lnk_error* out, Body&& body) noexcept {
  try {
    if constexpr (std::is_same_v<std::invoke_result_t<Body>, lnk_status>) {
      return std::forward<Body>(body)();
    } else {
      const Status done = std::forward<Body>(body)();
      if (done) return LNK_OK;
      const Error& error = done.error();
      const auto status = static_cast<lnk_status>(error.code);
      write_error(out, status, error.text, error.os_errno, error.step);
      return status;
    }
  } catch (const std::bad_alloc&) {
    write_error(out, LNK_E_LIMIT, "out of memory");
    return LNK_E_LIMIT;
  } catch (const std::exception& thrown) {
    write_error(out, LNK_E_INTERNAL, thrown.what());
    return LNK_E_INTERNAL;
  } catch (...) {
    write_error(out, LNK_E_INTERNAL, "an exception of an unknown type");
    return LNK_E_INTERNAL;
  }
}

/// As barrier, for a call that can't say that it failed: what is thrown is dropped and `fallback` returned.
template <class Fallback, class Body>
[[nodiscard]] Fallback barrier_or(Fallback fallback, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    return fallback;
  }
}

}  // namespace lnk
