// SPDX-License-Identifier: Apache-2.0
//
// The questions that wait, as files of the settings, so that a person can answer from anywhere. `ID.json` waits; who
// answers renames it to `ID.yes` or `ID.no`; who takes `ID.json` away ends it otherwise. So one of all who would answer
// a question does, and each is told whether it was that one. Its front holds the file's lock: what nobody holds was
// left by a front that was killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asking/question.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

inline constexpr std::string_view kQuestionsFolder = "questions";

/// A question's file while its front lives, of that front. Gone with this value.
class QueuedQuestion {
 public:
  /// `settings` outlives it. errors: what can't be written
  [[nodiscard]] static Result<QueuedQuestion> put(const Settings& settings, const Question& question);
  QueuedQuestion(QueuedQuestion&& other) noexcept
      : settings_(other.settings_), id_(std::exchange(other.id_, {})), held_(std::move(other.held_)) {}
  QueuedQuestion& operator=(QueuedQuestion&&) = delete;
  ~QueuedQuestion();

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  /// What `answer` said, once it did.
  [[nodiscard]] std::optional<Outcome> answered() const;
  /// Ends it with `outcome`, unless it was answered by then; what counts either way.
  [[nodiscard]] Outcome end(Outcome outcome);

 private:
  QueuedQuestion(const Settings& settings, std::string id, UniqueFd held)
      : settings_(&settings), id_(std::move(id)), held_(std::move(held)) {}

  const Settings* settings_;
  std::string id_;  ///< empty: it has ended
  UniqueFd held_;
};

/// One that waits, as another process sees it.
struct ListedQuestion {
  std::string id;
  Question question;
  std::string asked;  ///< RFC 3339
};

/// Those that wait, the oldest first; what killed fronts left is cleared. errors: names the file that can't be read
[[nodiscard]] Result<std::vector<ListedQuestion>> list_questions(const Settings& settings);

/// This answer is the one that counts. errors: Gone: another answered it, its time is over, its sandbox has ended, or
/// there is none
[[nodiscard]] Status answer_question(const Settings& settings, std::string_view id, bool yes);

/// Of the form of an id.
[[nodiscard]] bool is_question_id(std::string_view id) noexcept;

}  // namespace lnk::host
