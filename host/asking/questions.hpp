// SPDX-License-Identifier: Apache-2.0
//
// The questions of one run that wait: how long, how many, in what order they are shown, and that each is answered once
// at most. Pure: time is an argument.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "asking/question.hpp"

namespace lnk::host {

/// Silence is no.
inline constexpr std::chrono::minutes kQuestionWait{2};
/// A person reads and answers fewer; whoever asks more wants a yes by weariness.
inline constexpr std::size_t kQuestionsAMinuteMax = 30;
/// At a time, of one run.
inline constexpr std::size_t kQuestionsWaitingMax = 32;
/// Of all that wait.
inline constexpr std::size_t kQuestionBytesWaitingMax = std::size_t{32} * 1024 * 1024;

class Questions {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Its number, from 1, never given twice.
  /// errors: Invalid; Limit: too many in a minute, for which the wire is to be paused; Again: too many wait
  [[nodiscard]] Result<std::uint64_t> add(Question question, Time now);
  /// True: it waited, and is answered by this.
  [[nodiscard]] bool take(std::uint64_t id);

  /// Those whose time is over, the oldest first; they wait until they are taken.
  [[nodiscard]] std::vector<std::uint64_t> over(Time now) const;
  /// When the next one is over.
  [[nodiscard]] std::optional<Time> next_end() const;
  /// What is to be shown: the one that has waited longest.
  [[nodiscard]] std::optional<std::uint64_t> first() const;
  [[nodiscard]] const Question* find(std::uint64_t id) const;
  /// How many like it wait, itself included.
  [[nodiscard]] std::size_t equal(std::uint64_t id) const;
  [[nodiscard]] std::size_t size() const noexcept { return waiting_.size(); }

 private:
  struct Waiting {
    Question question;
    std::size_t bytes;
    Time end;
  };

  std::map<std::uint64_t, Waiting> waiting_;  // by number, which is by age
  std::deque<Time> asked_;                    // in the last minute
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace lnk::host
