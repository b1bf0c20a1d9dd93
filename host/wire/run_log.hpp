// SPDX-License-Identifier: Apache-2.0
//
// What one run writes to its wire's log: so much that what the program does is seen, and no more, so that a program
// that floods it neither hides among its own lines nor turns over what earlier runs left.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "wire/log_file.hpp"
#include "wire/loop.hpp"

namespace lnk::host {

/// A line's values; those that are empty or 0 aren't written.
struct LogEntry {
  std::string_view event;
  std::uint64_t id = 0;
  std::string verb;
  std::string host;
  std::uint16_t port = 0;
  std::string reason;
  std::uint16_t status = 0;
  std::optional<std::uint64_t> in;
  std::optional<std::uint64_t> out;
  std::optional<std::int64_t> ms;
};

/// Within a minute refusals, and names asked for, of one kind and target are written each up to kRepeatsWritten, and then counted. Behind
/// kLinesPerMinute, or once the run has written kRunLogBytesMax, calls are counted by their targets too. What was
/// counted is written at the minute's end, or the wire's: one line a target with `count` and `first`, and one
/// (`left-out`) for targets past kTargetsCounted.
class RunLog final : public Cancellable {
 public:
  RunLog(Loop& loop, LogFile file, std::string run)
      : file_(std::move(file)), run_(std::move(run)), minute_(loop, this) {}

  /// A refusal, or a name that was asked for.
  void repeated(const LogEntry& entry);
  /// False: the call is counted, and its end is given to `counted`.
  [[nodiscard]] bool opened(const LogEntry& entry);
  void closed(const LogEntry& entry) { write(entry); }
  void counted(const LogEntry& entry);
  /// `pause` or `resume` of the wire, written whatever else was: they come as a person or a pattern makes them.
  void changed(std::string_view event, std::string_view reason) {
    write(LogEntry{event, 0, {}, {}, 0, std::string(reason), 0, {}, {}, {}});
  }
  /// The minute's end.
  void cancel() noexcept override { write_counts(); }
  void write_counts();

 private:
  using Target = std::tuple<std::string_view, std::string, std::string, std::uint16_t, std::string>;
  struct Count {
    std::uint64_t written = 0;
    std::uint64_t count = 0;
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    std::uint16_t status = 0;
    std::string first;
  };

  using Counts = std::map<Target, Count>;

  void begin_minute();
  [[nodiscard]] bool has_room() const noexcept;
  /// None: too many targets are counted already.
  Count* count_of(std::string_view event, const LogEntry& entry);
  void add(Count* count, const LogEntry& entry);
  void write_each(const Counts& counts);
  void write(const LogEntry& entry, std::uint64_t count = 0, std::string_view first = {});

  LogFile file_;
  std::string run_;
  Deadline minute_;
  bool is_minute_begun_ = false;
  Counts refusals_;
  Counts calls_;  ///< apart, so that no flood of refused names crowds out who was spoken to
  Count left_out_;
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace lnk::host
