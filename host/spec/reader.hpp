// SPDX-License-Identifier: Apache-2.0
//
// Reads values of a TOML tree into a spec's own, and collects what is wrong with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "spec/spec.hpp"
#include "spec/toml_tree.hpp"

namespace lnk::host {

class Reader {
 public:
  void refuse(Position at, std::string words) { errors_.push_back({{}, at, std::move(words)}); }
  void note(Position at, std::string words) { notes_.push_back({{}, at, std::move(words)}); }

  /// The items of a list, or nothing where it isn't one or is too long (then refused).
  [[nodiscard]] const std::vector<TomlNode>& list(const TomlMember& member, std::string_view example);
  /// Refused and false where the item isn't a string.
  [[nodiscard]] bool is_string(const TomlNode& item, std::string_view key);

  /// A list of strings, each read by `read`; those that it refuses are left out.
  template <class T, class Read>
  void add_strings(const TomlMember& member, std::string_view example, std::vector<T>& out, Read read) {
    for (const TomlNode& item : list(member, example)) {
      if (!is_string(item, member.key)) continue;
      auto value = read(std::string_view(item.text));
      if (value) {
        add(out, std::move(*value), item.at);
      } else {
        refuse(item.at, std::move(value.error().text));
      }
    }
  }

  void add_ports(const TomlMember& member, std::vector<Written<std::uint16_t>>& out);
  void set_boolean(const TomlMember& member, Written<bool>& out);

  [[nodiscard]] std::vector<Diagnostic>& errors() noexcept { return errors_; }
  [[nodiscard]] std::vector<Diagnostic>& notes() noexcept { return notes_; }

 private:
  template <class T>
  static void add(std::vector<T>& out, T value, Position at) {
    value.at = at;
    out.push_back(std::move(value));
  }
  static void add(std::vector<Written<std::string>>& out, std::string value, Position at) {
    out.push_back({std::move(value), at});
  }

  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> notes_;
};

}  // namespace lnk::host
