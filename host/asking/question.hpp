// SPDX-License-Identifier: Apache-2.0
//
// A question to the person: what it is made of, and how it is shown. What it says comes from inside and is taken for an
// attacker's: it is shown in printable ASCII alone, so that nothing in it moves, hides, reorders or looks like another
// letter. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

/// A page's address is shown whole: what a person reads is what opens. None that a browser takes in practice is longer.
inline constexpr std::size_t kShownUrlBytesMax = 32768;
/// Of any other line, the beginning and the end together: what fits a few rows.
inline constexpr std::size_t kShownLineBytesMax = 400;

struct Question {
  std::string kind;   ///< who asks: a verb's id
  std::string wire;   ///< the sandbox's name
  std::string title;  ///< what is to be done
  std::vector<std::string> lines;

  friend bool operator==(const Question&, const Question&) = default;
};

enum class Outcome : std::uint8_t { Yes, No, TimedOut };

[[nodiscard]] std::string_view word_of(Outcome outcome) noexcept;

/// errors: Invalid, with what it has too much of
[[nodiscard]] Status check_question(const Question& question);

/// Printable ASCII: what else there is stands as \n, \xNN or \u{N}.
[[nodiscard]] std::string ascii_shown(std::string_view text);
/// A line as it is shown: whole where it is the address of a page, else cut in the middle with its length.
[[nodiscard]] std::string shown_line(std::string_view line);

/// A line in rows of so many letters. Each row but the first begins with a mark: what a program wrote could stand at a row's
/// head, by as many letters before it, and be taken for a line of the question.
[[nodiscard]] std::vector<std::string> rows_of(std::string_view line, std::size_t columns);

/// All that a person is shown of it, each line printable ASCII. `equal`: how many like it wait, itself included.
[[nodiscard]] std::vector<std::string> shown_question(const Question& question, std::size_t equal);

}  // namespace lnk::host
