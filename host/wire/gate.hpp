// SPDX-License-Identifier: Apache-2.0
//
// Whether calls are let through at all: the switches in the settings, the patterns by which a wire pauses itself, and the
// spec's limit of calls a minute.
//
// Guarantees: once the gate is closed every call is refused, nothing is connected to, and every connection that was open
// is cut. It opens by the person's hand alone, who removes the switch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lnk/http/refusal.hpp"
#include "wire/call_log.hpp"
#include "wire/loop.hpp"
#include "wire/minute_count.hpp"
#include "wire/switch_files.hpp"

namespace lnk::host {

struct GateOptions {
  std::string name;
  std::string run;
  std::optional<std::uint32_t> calls_per_minute;
  /// Told of each change: a word of switch_files, "unwritten" where a pause could not be kept, "resume".
  std::function<void(std::string_view word)> tell;
};

class Gate final : public Cancellable {
 public:
  Gate(Loop& loop, RunLog& log, SwitchFiles files, GateOptions options)
      : loop_(loop), log_(log), files_(std::move(files)), options_(std::move(options)), next_look_(loop, this) {}

  /// Looks at the switches. None: go on. From then on they are looked at every second while a connection is open.
  /// `asker`: the connection that is answered, and closes behind it; it is not cut.
  [[nodiscard]] std::optional<http::Refusal> look(const Cuttable* asker = nullptr);
  /// The same as it was looked at last.
  [[nodiscard]] std::optional<http::Refusal> closed() const;
  [[nodiscard]] WireState state() const noexcept { return state_; }
  /// One call that would be let through. None: it is within the limit.
  [[nodiscard]] std::optional<http::Refusal> count_call();
  /// A call that has ended, or could not even be read, with what its log knows.
  void note_refusal(const CallLog& call, const Cuttable* asker);
  /// More was asked of a person than one can answer.
  void note_too_many_questions();
  /// The second's look.
  void cancel() noexcept override;

 private:
  void look_at_files(const Cuttable* asker);
  void pause(std::string_view word, const Cuttable* asker);
  void close(WireState state, std::string_view word, const Cuttable* asker);
  void open();
  [[nodiscard]] bool keep_pause();
  [[nodiscard]] std::string_view pattern_of(const CallLog& call);
  [[nodiscard]] std::size_t targets_with(const CallTarget& target, std::int64_t now_ms);

  Loop& loop_;
  RunLog& log_;
  SwitchFiles files_;
  GateOptions options_;
  Deadline next_look_;
  WireState state_ = WireState::Open;
  std::string_view word_;      ///< why it is closed
  bool is_unwritten_ = false;  ///< paused, and no file says so yet
  MinuteCount calls_;
  MinuteCount refusals_;
  std::size_t metadata_asks_ = 0;
  std::unordered_map<std::string, std::int64_t> targets_;  ///< host and port → when it was refused last; under kTargetsToPause
};

}  // namespace lnk::host
