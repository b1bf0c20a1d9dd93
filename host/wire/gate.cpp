// SPDX-License-Identifier: Apache-2.0
#include "wire/gate.hpp"

#include "wire/limits.hpp"
#include "wire/refusals.hpp"

namespace lnk::host {

std::optional<http::Refusal> Gate::look(const Cuttable* asker) {
  look_at_files(asker);
  next_look_.set(kSwitchLookMs);
  return closed();
}

void Gate::cancel() noexcept {
  look_at_files(nullptr);
  if (loop_.has_connections() || is_unwritten_) next_look_.set(kSwitchLookMs);
}

std::optional<http::Refusal> Gate::closed() const {
  if (state_ == WireState::Open) return std::nullopt;
  const std::string mend = mend_of_closing(word_, options_.name);
  if (state_ == WireState::Paused) return refuse_paused(words_of_closing(word_), mend);
  return refuse_stopped(words_of_closing(word_), mend);
}

void Gate::look_at_files(const Cuttable* asker) {
  const auto seen = files_.look();
  if (seen.state == WireState::Paused) is_unwritten_ = false;
  // A stop that is lifted leaves a pause that no file says closed.
  if (seen.state == WireState::Open && is_unwritten_) {
    static_cast<void>(keep_pause());
    return close(WireState::Paused, word_, asker);
  }
  if (seen.state == WireState::Open) return open();
  // Paused by this wire itself, it knows why.
  if (seen.state == WireState::Paused && state_ == WireState::Paused) return;
  close(seen.state, seen.word, asker);
}

void Gate::close(WireState state, std::string_view word, const Cuttable* asker) {
  const bool was_open = state_ == WireState::Open;
  state_ = state;
  word_ = word;
  if (!was_open) return;
  loop_.cut_all(asker);
  log_.changed("pause", word);
  options_.tell(word);
}

void Gate::open() {
  if (state_ == WireState::Open) return;
  state_ = WireState::Open;
  word_ = {};
  refusals_.clear();
  targets_.clear();
  metadata_asks_ = 0;
  log_.changed("resume", {});
  options_.tell(kResumed);
}

bool Gate::keep_pause() {
  is_unwritten_ = !files_.pause(words_of_closing(word_), options_.run);
  return !is_unwritten_;
}

/// Closed first, kept then: whatever becomes of the file, nothing goes out from here on.
void Gate::pause(std::string_view word, const Cuttable* asker) {
  close(WireState::Paused, word, asker);
  if (!keep_pause()) options_.tell(kUnwritten);
}

std::optional<http::Refusal> Gate::count_call() {
  if (!options_.calls_per_minute) return std::nullopt;
  constexpr std::int64_t kSecondMs = 1000;
  const std::int64_t now = Loop::now_ms();
  if (calls_.count(now) >= *options_.calls_per_minute) {
    const std::int64_t after_s = (calls_.until_less_ms(now) + kSecondMs - 1) / kSecondMs;
    return refuse_too_many_calls(*options_.calls_per_minute, static_cast<std::uint32_t>(after_s));
  }
  calls_.add(now);
  return std::nullopt;
}

std::size_t Gate::targets_with(const CallTarget& target, std::int64_t now_ms) {
  if (target.host.empty()) return targets_.size();  // what could not be read, and a path of the wire's own
  std::erase_if(targets_, [now_ms](const auto& each) { return now_ms - each.second > kMinuteMs; });
  targets_[target.host + ":" + std::to_string(target.port)] = now_ms;
  return targets_.size();
}

/// Empty: normal work.
std::string_view Gate::pattern_of(const CallLog& call) {
  const std::int64_t now = Loop::now_ms();
  refusals_.add(now);
  if (call.refusal_kind() == RefusalKind::Metadata && ++metadata_asks_ >= kMetadataAsksToPause) return kByMetadata;
  if (targets_with(call.target(), now) >= kTargetsToPause) return kByTargets;
  return refusals_.count(now) >= kRefusalsToPause ? kByRefusals : std::string_view{};
}

void Gate::note_too_many_questions() {
  if (state_ == WireState::Open) pause(kByQuestions, nullptr);
}

void Gate::note_refusal(const CallLog& call, const Cuttable* asker) {
  if (state_ != WireState::Open || call.refusal_kind() == RefusalKind::NotCounted) return;
  if (const auto word = pattern_of(call); !word.empty()) pause(word, asker);
}

}  // namespace lnk::host
