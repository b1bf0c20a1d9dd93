// SPDX-License-Identifier: Apache-2.0
//
// Reading one object of a snapshot's JSON, member by member.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// Reads members of one object. The first fault is kept, later reads give empty values, and `end` tells it; a member
/// that nobody read is a fault too.
class ObjectReader {
 public:
  ObjectReader(const boost::json::value& value, std::string where) : where_(std::move(where)), object_(value.if_object()) {
    if (object_ == nullptr) fault("", "is not an object");
  }

  const boost::json::value& member(std::string_view key) {
    static const boost::json::value kNull;
    ++read_;
    if (object_ == nullptr) return kNull;
    const auto* found = object_->if_contains({key.data(), key.size()});
    if (found == nullptr) fault(key, "is missing");
    return found == nullptr ? kNull : *found;
  }

  std::string text(std::string_view key) {
    const auto& value = member(key);
    if (const auto* found = value.if_string()) return {found->data(), found->size()};
    fault(key, "is not a text");
    return {};
  }

  bool boolean(std::string_view key) {
    const auto& value = member(key);
    if (const auto* found = value.if_bool()) return *found;
    fault(key, "is not true or false");
    return false;
  }

  template <class Words>
  auto word(std::string_view key, const Words& words) {
    const std::string found = text(key);
    for (const auto& entry : words)
      if (entry.word == found) return entry.value;
    fault(key, "is not a word that is known");
    return words.front().value;
  }

  template <class Read>
  void each(std::string_view key, Read read) {
    const auto* array = member(key).if_array();
    if (array == nullptr) return fault(key, "is not a list");
    for (const auto& element : *array)
      if (Status done = read(element); !done) return fault(key, done.error().text);
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> all;
    each(key, [&all](const boost::json::value& element) -> Status {
      const auto* text = element.if_string();
      if (text == nullptr) return fail(Code::Invalid, "holds what is not a text");
      all.emplace_back(text->data(), text->size());
      return {};
    });
    return all;
  }

  void fault(std::string_view key, std::string_view words) {
    if (fault_.empty()) fault_ = where_ + (key.empty() ? "" : "." + std::string(key)) + " " + std::string(words);
  }

  [[nodiscard]] Status end() {
    if (object_ != nullptr && object_->size() != read_) fault("", "has a member that is not known");
    if (!fault_.empty()) return fail(Code::Invalid, fault_);
    return {};
  }

 private:
  std::string where_;
  const boost::json::object* object_;
  std::size_t read_ = 0;
  std::string fault_;
};

}  // namespace lnk::host
