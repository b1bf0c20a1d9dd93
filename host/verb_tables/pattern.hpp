// SPDX-License-Identifier: Apache-2.0
//
// The `pattern` of a schema: a regular expression of ECMA 262 without what needs to go back (groups that are remembered, looks
// ahead and behind, word boundaries), so that a text is read once and no pattern takes longer than its own size times the text's.
// std::regex goes back, by recursion, and a text of 100,000 characters ends its process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

class Pattern {
 public:
  /// errors: Invalid (no pattern), Unsupported (one of more than this reads), Limit
  [[nodiscard]] static Result<Pattern> read(std::string_view text);

  /// Whether it is found anywhere in the text, which is UTF-8. complexity: size() times the text.
  [[nodiscard]] bool finds(std::string_view text) const;
  [[nodiscard]] std::size_t size() const noexcept { return program_.size(); }

  /// Characters from .first to .second.
  using Range = std::pair<std::uint32_t, std::uint32_t>;
  enum class Op { One, Split, Jump, Begin, End, Found };
  struct Step {
    Op op = Op::Found;
    std::uint32_t first = 0;         ///< of Split and Jump
    std::uint32_t second = 0;        ///< of Split
    std::vector<Range> ranges = {};  ///< of One
  };

 private:
  std::vector<Step> program_;
};

}  // namespace lnk::host
