// SPDX-License-Identifier: Apache-2.0
#include <boost/json/basic_parser_impl.hpp>
#include <cstring>
#include <functional>
#include <vector>

#include "lnk/jsonfilter/document.hpp"

namespace lnk::jsonfilter {
namespace {

namespace json = boost::json;

constexpr std::size_t kFewKeys = 12;         ///< compared each with each; more are sorted
constexpr std::size_t kShownKeyBytesMax = 60;

bool is_plain_key(std::string_view key) noexcept {
  return !key.empty() && key.size() <= kShownKeyBytesMax && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  });
}

/// The first key that stands twice; null: none does.
const std::string_view* find_twice(std::span<const Item> items, std::vector<std::string_view>& room) {
  if (items.size() <= kFewKeys) {
    for (std::size_t i = 1; i < items.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (items[i].key == items[k].key) return &items[i].key;
    return nullptr;
  }
  room.clear();
  for (const auto& item : items) room.push_back(item.key);
  // By length first, so that most differ at once.
  std::sort(room.begin(), room.end(), [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  const auto twice = std::adjacent_find(room.begin(), room.end());
  return twice == room.end() ? nullptr : &*twice;
}

/// What basic_parser calls. Every value is pushed; a container's end takes what it holds from the top.
class Builder {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Text = json::string_view;
  using Code = json::error_code;

  void begin(Document& document, std::string_view input, std::size_t values_max) {
    document_ = &document;
    input_ = input;
    values_left_ = values_max;
  }
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }
  [[nodiscard]] bool is_over_limit() const noexcept { return is_over_limit_; }

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code& error) { return open(true, error); }
  bool on_array_begin(Code& error) { return open(false, error); }
  bool on_object_end(std::size_t count, Code& error) {
    const auto items = std::span<const Item>(stack_).last(count);
    if (const auto* key = find_twice(items, room_)) {
      fault_ = is_plain_key(*key) ? "has the key '" + std::string(*key) + "' twice" : "has a key twice";
      return stop(error);
    }
    return close(Kind::Object, count);
  }
  bool on_array_end(std::size_t count, Code&) { return close(Kind::Array, count); }
  bool on_key_part(Text part, std::size_t, Code&) { return add_part(part); }
  bool on_key(Text last, std::size_t, Code& error) {
    if (!count_value(error)) return false;
    stack_.push_back({take_text(last), {}});
    return true;
  }
  bool on_string_part(Text part, std::size_t, Code&) { return add_part(part); }
  bool on_string(Text last, std::size_t, Code& error) { return put(Value::string(take_text(last)), error); }
  bool on_number_part(Text part, Code&) { return add_part(part); }
  bool on_int64(std::int64_t, Text last, Code& error) { return put(Value::number(take_text(last)), error); }
  bool on_uint64(std::uint64_t, Text last, Code& error) { return put(Value::number(take_text(last)), error); }
  bool on_double(double, Text last, Code& error) { return put(Value::number(take_text(last)), error); }
  bool on_bool(bool value, Code& error) { return put(Value::boolean(value), error); }
  bool on_null(Code& error) { return put(Value(), error); }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }

 private:
  static bool stop(Code& error) {
    error = json::error::exception;  // any: `fault` has the words
    return false;
  }
  bool count_value(Code& error) {
    if (values_left_-- > 0) return true;
    values_left_ = 0;
    is_over_limit_ = true;
    fault_ = "has too many values";
    return stop(error);
  }
  bool open(bool is_object, Code& error) {
    if (in_object_.empty() || !in_object_.back()) {
      if (!count_value(error)) return false;
      if (!in_object_.empty()) stack_.emplace_back();
    }
    in_object_.push_back(is_object);
    return true;
  }
  /// Where a value goes: its key's item, a new element, or the root.
  bool put(Value value, Code& error) {
    if (in_object_.empty()) {
      document_->root() = value;
    } else if (in_object_.back()) {
      stack_.back().value = value;
    } else {
      if (!count_value(error)) return false;
      stack_.push_back({{}, value});
    }
    return true;
  }
  bool close(Kind kind, std::size_t count) {
    std::span<Item> items;
    if (count != 0) {
      auto* place = static_cast<Item*>(document_->memory().allocate(count * sizeof(Item), alignof(Item)));
      std::uninitialized_copy(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end(), place);
      items = {place, count};
    }
    stack_.resize(stack_.size() - count);
    in_object_.pop_back();
    const auto value = Value::of_items(kind, items);
    (in_object_.empty() ? document_->root() : stack_.back().value) = value;
    return true;
  }
  bool add_part(Text part) {
    parts_.append(part.data(), part.size());
    return true;
  }
  /// Of the input where it stands there as it means; kept where it was decoded.
  std::string_view take_text(Text last) {
    const std::less_equal<const char*> in_order;
    const bool is_of_input = in_order(input_.data(), last.data()) && in_order(last.data() + last.size(), input_.data() + input_.size());
    if (parts_.empty() && (is_of_input || last.empty())) return {last.data(), last.size()};
    parts_.append(last.data(), last.size());
    const auto kept = document_->keep(parts_);
    parts_.clear();
    return kept;
  }

  Document* document_ = nullptr;
  std::string_view input_;
  std::size_t values_left_ = 0;
  std::vector<Item> stack_;
  std::vector<bool> in_object_;  ///< of each open container
  std::vector<std::string_view> room_;
  std::string parts_;
  std::string fault_;
  bool is_over_limit_ = false;
};

}  // namespace

Result<Document> parse(std::string_view text, const Limits& limits) {
  if (text.size() > limits.bytes_max) return fail(Code::Limit, "is too large");
  Document document;
  json::parse_options options;
  options.max_depth = limits.depth_max;
  json::basic_parser<Builder> parser(options);
  parser.handler().begin(document, text, limits.values_max);
  json::error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  const auto& builder = parser.handler();
  if (!builder.fault().empty()) return fail(builder.is_over_limit() ? Code::Limit : Code::Invalid, builder.fault());
  if (error == json::error::too_deep) return fail(Code::Limit, "is nested too deep");
  if (error) return fail(Code::Invalid, "is no JSON: " + error.message() + " at byte " + std::to_string(used));
  if (used != text.size() || !parser.done()) return fail(Code::Invalid, "is no JSON: more behind its end");
  return document;
}

}  // namespace lnk::jsonfilter
