// SPDX-License-Identifier: Apache-2.0
//
// The tables and keys that a spec can have: the parser refuses any other, the schema is held to the same list by a
// test.
#pragma once

#include <span>
#include <string_view>

namespace lnk::host {

struct KnownKey {
  std::string_view table;  ///< "files"; "" for the top
  std::string_view key;
};

[[nodiscard]] std::span<const KnownKey> known_keys() noexcept;

/// Tables at the top, `linux`, `macos` and `verb` aside.
[[nodiscard]] std::span<const std::string_view> known_tables() noexcept;

/// Hosted models' providers.
[[nodiscard]] std::span<const std::string_view> known_providers() noexcept;

}  // namespace lnk::host
