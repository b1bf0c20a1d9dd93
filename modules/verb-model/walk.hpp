// SPDX-License-Identifier: Apache-2.0
//
// One walk of a body along its shape.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denial.hpp"
#include "lnk/jsonfilter/document.hpp"
#include "policy.hpp"
#include "shapes.hpp"

namespace lnk::verb_model {

class Walk {
 public:
  Walk(const Shapes& shapes, const Policy& policy, jsonfilter::Document& document) noexcept
      : shapes_(shapes), policy_(policy), document_(document) {}

  /// Once.
  [[nodiscard]] std::optional<Denial> run(int shape);
  /// Whether a definition of a tool was taken out.
  [[nodiscard]] bool removed_tools() const noexcept { return removed_tools_; }
  /// The names of the tools that are left, and their types.
  [[nodiscard]] const std::vector<std::string_view>& kept_tools() const noexcept { return kept_tools_; }

 private:
  /// Where a value stands; of keys that a shape names, so that they can be told.
  struct Place {
    const Place* up = nullptr;
    std::string_view key = {};
    std::size_t index = 0;
  };

  bool take(jsonfilter::Value& value, const Type& type, const Place& place);
  bool take_scalar(const jsonfilter::Value& value, const Type& type, const Place& place);
  bool take_array(jsonfilter::Value& value, const Type& type, const Place& place);
  bool take_map(jsonfilter::Value& value, int type, const Place& place);
  bool take_object(jsonfilter::Value& value, const Shape& shape, const Place& place);
  bool take_union(jsonfilter::Value& value, const Shape& shape, const Place& place);
  bool take_members(jsonfilter::Value& value, const Shape& shape, const Place& place, std::string_view tag);
  bool take_member(jsonfilter::Item& item, const Shape& shape, const Place& place, std::vector<bool>& seen);
  void force_members(jsonfilter::Value& value, const Shape& shape);
  void note_tool(const jsonfilter::Value& value);
  [[nodiscard]] bool is_near(const Shape& shape, std::string_view key) const;
  /// The first refusal is the one that is told.
  bool refuse(Denial denial);
  [[nodiscard]] static std::string path_of(const Place& place);

  const Shapes& shapes_;
  const Policy& policy_;
  jsonfilter::Document& document_;
  std::optional<Denial> denial_;
  bool removed_tools_ = false;
  std::size_t models_ = 0;  ///< named so far
  std::vector<std::string_view> kept_tools_;
};

}  // namespace lnk::verb_model
