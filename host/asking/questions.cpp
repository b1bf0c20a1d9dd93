// SPDX-License-Identifier: Apache-2.0
#include "asking/questions.hpp"

#include <algorithm>
#include <utility>

namespace lnk::host {
namespace {

std::size_t bytes_of(const Question& question) {
  std::size_t bytes = question.kind.size() + question.wire.size() + question.title.size();
  for (const auto& line : question.lines) bytes += line.size();
  return bytes;
}

}  // namespace

Result<std::uint64_t> Questions::add(Question question, Time now) {
  // What isn't shown counts as well: it costs the front as much.
  while (!asked_.empty() && now - asked_.front() >= std::chrono::minutes(1)) asked_.pop_front();
  if (asked_.size() >= kQuestionsAMinuteMax)
    return fail(Code::Limit, "more than " + std::to_string(kQuestionsAMinuteMax) + " questions in a minute");
  asked_.push_back(now);
  LNK_CHECK(check_question(question));
  const std::size_t bytes = bytes_of(question);
  if (waiting_.size() >= kQuestionsWaitingMax || bytes_ + bytes > kQuestionBytesWaitingMax)
    return fail(Code::Again, "too many questions wait for an answer");
  bytes_ += bytes;
  waiting_.emplace(++last_, Waiting{std::move(question), bytes, now + kQuestionWait});
  return last_;
}

bool Questions::take(std::uint64_t id) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return false;
  bytes_ -= found->second.bytes;
  waiting_.erase(found);
  return true;
}

std::vector<std::uint64_t> Questions::over(Time now) const {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, waiting] : waiting_)
    if (now >= waiting.end) ids.push_back(id);
  return ids;
}

std::optional<Questions::Time> Questions::next_end() const {
  if (waiting_.empty()) return {};
  return waiting_.begin()->second.end;
}

std::optional<std::uint64_t> Questions::first() const {
  if (waiting_.empty()) return {};
  return waiting_.begin()->first;
}

const Question* Questions::find(std::uint64_t id) const {
  const auto found = waiting_.find(id);
  return found == waiting_.end() ? nullptr : &found->second.question;
}

std::size_t Questions::equal(std::uint64_t id) const {
  const auto* question = find(id);
  if (question == nullptr) return 0;
  return static_cast<std::size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [question](const auto& each) { return each.second.question == *question; }));
}

}  // namespace lnk::host
