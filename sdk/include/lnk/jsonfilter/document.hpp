// SPDX-License-Identifier: Apache-2.0
//
// Strict JSON, to be looked through, changed and written again.
//
// Guarantees: what `parse` takes has one reading (RFC 8259, read as I-JSON, RFC 7493, where they differ): UTF-8 with no byte
// order mark and no lone surrogate, no key twice in one object however it is spelled, nothing behind the value, no depth or
// number of values that a reader could give up at. What `write` makes of it is canonical but for the order of keys and the
// text of numbers, which stay as they were: two readers of it see one and the same value.
// Does not do: number ranges. A number is the text it was.
//
// Uses Boost.JSON's parser. May be used by the host, modules and tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::jsonfilter {

struct Limits {
  std::size_t depth_max = 64;           ///< readers that recurse give up at 100 and more
  std::size_t values_max = 1024 * 1024; ///< 48 bytes of memory each; the longest prompt given as numbers has a few 100,000
  std::size_t bytes_max = 64 * 1024 * 1024;
};

enum class Kind : std::uint8_t { Null, False, True, Number, String, Array, Object };

struct Item;

/// One value; what it holds is its document's.
class Value {
 public:
  Value() noexcept : text_(nullptr) {}
  [[nodiscard]] static Value boolean(bool value) noexcept { return Value(value ? Kind::True : Kind::False, {}); }
  /// Borrows `text`, decoded.
  [[nodiscard]] static Value string(std::string_view text) noexcept { return Value(Kind::String, text); }
  /// Borrows `text`, as JSON writes it.
  [[nodiscard]] static Value number(std::string_view text) noexcept { return Value(Kind::Number, text); }
  [[nodiscard]] static Value of_items(Kind kind, std::span<Item> items) noexcept;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::Null; }
  [[nodiscard]] bool is_string() const noexcept { return kind_ == Kind::String; }
  [[nodiscard]] bool is_array() const noexcept { return kind_ == Kind::Array; }
  [[nodiscard]] bool is_object() const noexcept { return kind_ == Kind::Object; }
  [[nodiscard]] bool is_scalar() const noexcept { return !is_array() && !is_object(); }
  /// A string's, decoded, or a number's; empty of every other.
  [[nodiscard]] std::string_view text() const noexcept;
  /// An array's elements, whose keys are empty, or an object's members; none of every other.
  [[nodiscard]] std::span<Item> items() noexcept;
  [[nodiscard]] std::span<const Item> items() const noexcept;
  /// Null where it is no object or has no such member.
  [[nodiscard]] Value* find(std::string_view key) noexcept;
  [[nodiscard]] const Value* find(std::string_view key) const noexcept;
  /// Takes out elements or members, keeping the others' order.
  template <class Predicate>
  void erase_if(Predicate predicate);

 private:
  Value(Kind kind, std::string_view text) noexcept
      : kind_(kind), size_(static_cast<std::uint32_t>(text.size())), text_(text.data()) {}

  Kind kind_ = Kind::Null;
  std::uint32_t size_ = 0;  ///< bytes of the text, or items
  union {
    const char* text_;
    Item* items_;
  };
};

struct Item {
  std::string_view key = {};
  Value value = {};
};

inline Value Value::of_items(Kind kind, std::span<Item> items) noexcept {
  Value made;
  made.kind_ = kind;
  made.size_ = static_cast<std::uint32_t>(items.size());
  made.items_ = items.data();
  return made;
}
inline std::string_view Value::text() const noexcept {
  return kind_ == Kind::String || kind_ == Kind::Number ? std::string_view(text_, size_) : std::string_view();
}
inline std::span<Item> Value::items() noexcept { return is_scalar() ? std::span<Item>() : std::span(items_, size_); }
inline std::span<const Item> Value::items() const noexcept {
  return is_scalar() ? std::span<const Item>() : std::span<const Item>(items_, size_);
}
inline const Value* Value::find(std::string_view key) const noexcept {
  if (!is_object()) return nullptr;
  const auto all = items();
  const auto found = std::find_if(all.begin(), all.end(), [key](const Item& item) { return item.key == key; });
  return found == all.end() ? nullptr : &found->value;
}
inline Value* Value::find(std::string_view key) noexcept { return const_cast<Value*>(std::as_const(*this).find(key)); }

template <class Predicate>
void Value::erase_if(Predicate predicate) {
  const auto all = items();
  const auto end = std::remove_if(all.begin(), all.end(), predicate);
  if (!is_scalar()) size_ = static_cast<std::uint32_t>(end - all.begin());
}

/// A parsed text and all that hangs on it. It borrows the text that it was parsed from.
class Document {
 public:
  Document();
  [[nodiscard]] Value& root() noexcept { return root_; }
  [[nodiscard]] const Value& root() const noexcept { return root_; }
  [[nodiscard]] std::pmr::memory_resource& memory() noexcept { return *memory_; }

  /// Replaces the member, in its place, or adds it at the end. `key` is borrowed.
  void set(Value& object, std::string_view key, Value value);
  [[nodiscard]] Value make_object(std::initializer_list<Item> members);
  /// As `text`, kept here.
  [[nodiscard]] std::string_view keep(std::string_view text);

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;
  Value root_;
};

/// errors: Invalid, Limit, in words that hold of the text at most a plain key.
/// complexity: linear in the text, but for an object's keys, which are sorted.
[[nodiscard]] Result<Document> parse(std::string_view text, const Limits& limits = {});

/// With no white space. `bytes_expected`: room that is made at once; a large text that grows is copied again and again.
[[nodiscard]] std::string write(const Value& value, std::size_t bytes_expected = 0);

/// A string as JSON writes it, with its quotes, at the end of `out`.
void append_string(std::string& out, std::string_view text);

}  // namespace lnk::jsonfilter
