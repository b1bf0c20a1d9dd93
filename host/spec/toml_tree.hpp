// SPDX-License-Identifier: Apache-2.0
//
// A TOML document as a small tree of our own: the library that reads it is heavy, and stays in one source file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/spec.hpp"

namespace lnk::host {

enum class TomlKind { String, Integer, Float, Boolean, Date, List, Table };

struct TomlMember;

struct TomlNode {
  TomlKind kind = TomlKind::Table;
  Position at;
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<TomlNode> items;
  std::vector<TomlMember> members;  ///< in the order of the file
};

struct TomlMember {
  std::string key;
  Position at;  ///< of the key
  TomlNode value;
};

struct TomlDocument {
  TomlNode root;
  std::string error;  ///< empty: it was read whole
  Position error_at;
};

/// Values nested deeper than this, or a key of more parts (`a.b.c`), is no spec. They bound the recursion over the
/// tree.
inline constexpr std::size_t kMaxNestedValues = 16;
inline constexpr std::size_t kMaxKeyParts = 16;

/// thread: any. complexity: n log n.
[[nodiscard]] TomlDocument read_toml(std::string_view text);

/// The first key with more than kMaxKeyParts parts, or 0, 0. The library builds and frees a table for each part by
/// recursion, so that this is asked before it is called.
[[nodiscard]] Position find_deep_key(std::string_view text);

/// `["a","b"]`, `{"x":1}` in canonical JSON (sorted keys, no white space); dates and numbers that JSON can't hold are
/// left to the caller to refuse.
[[nodiscard]] std::string canonical_json(const TomlNode& node);

/// "a list", "a string": what a value is, for messages.
[[nodiscard]] std::string_view kind_name(TomlKind kind);

}  // namespace lnk::host
