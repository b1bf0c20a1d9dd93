// SPDX-License-Identifier: Apache-2.0
#include "lnk/jsonfilter/document.hpp"

#include <cstring>
#include <new>

namespace lnk::jsonfilter {
namespace {

constexpr std::size_t kFirstBlockBytes = 16 * 1024;  ///< a short prompt's values fit

std::span<Item> new_items(std::pmr::memory_resource& memory, std::size_t count) {
  if (count == 0) return {};
  void* place = memory.allocate(count * sizeof(Item), alignof(Item));
  return {new (place) Item[count], count};
}

}  // namespace

Document::Document() : memory_(std::make_unique<std::pmr::monotonic_buffer_resource>(kFirstBlockBytes)) {}

void Document::set(Value& object, std::string_view key, Value value) {
  if (auto* found = object.find(key)) {
    *found = value;
    return;
  }
  const auto old = object.items();
  const auto grown = new_items(*memory_, old.size() + 1);
  std::copy(old.begin(), old.end(), grown.begin());
  grown.back() = {key, value};
  object = Value::of_items(Kind::Object, grown);
}

Value Document::make_object(std::initializer_list<Item> members) {
  const auto items = new_items(*memory_, members.size());
  std::copy(members.begin(), members.end(), items.begin());
  return Value::of_items(Kind::Object, items);
}

std::string_view Document::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* place = static_cast<char*>(memory_->allocate(text.size(), 1));
  std::memcpy(place, text.data(), text.size());
  return {place, text.size()};
}

}  // namespace lnk::jsonfilter
