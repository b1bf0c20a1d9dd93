// SPDX-License-Identifier: Apache-2.0
//
// The boundary's plain words as views, and whether a table of another minor has a member.
//
// A view is borrowed as its source is: until the call that carries it returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "lnk/abi/base.h"

namespace lnk {

/// A size without data is a fault of the other side and reads as nothing.
[[nodiscard]] constexpr std::string_view view(lnk_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}
[[nodiscard]] inline std::string_view view(lnk_bytes bytes) noexcept {
  return bytes.data == nullptr ? std::string_view{}
                               : std::string_view{reinterpret_cast<const char*>(bytes.data), bytes.size};
}

[[nodiscard]] constexpr lnk_str to_str(std::string_view text) noexcept { return {text.data(), text.size()}; }
[[nodiscard]] inline lnk_bytes to_bytes(std::string_view bytes) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// What a struct says of its own size: in `head` where it is a table, in `size` where it is passed.
template <class T>
[[nodiscard]] constexpr std::size_t declared_size(const T& value) noexcept {
  if constexpr (requires { value.head.size; }) {
    return value.head.size;
  } else {
    return value.size;
  }
}

template <class T>
[[nodiscard]] constexpr bool is_set(const T& member) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return member != nullptr;
  } else {
    return true;
  }
}

/// A struct that is passed, with its size set and all else zero.
template <class T>
[[nodiscard]] constexpr T sized() noexcept {
  T value{};
  value.size = sizeof(T);
  return value;
}

}  // namespace lnk

/// LNK_HAS(table, member): the other side's struct is long enough to hold the member, and a pointer there is set.
#define LNK_HAS(table, member)                                                                \
  (::lnk::declared_size(*(table)) >=                                                          \
       offsetof(std::remove_cvref_t<decltype(*(table))>, member) + sizeof((table)->member) && \
   ::lnk::is_set((table)->member))
