// SPDX-License-Identifier: Apache-2.0
//
// The files in <settings>/wire by which wires are paused and stopped. That one is there is what counts, whatever it holds: a
// switch that was made by hand, or cut by a full disk, closes as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Of all wires; those of one begin with its name, which holds no dot.
inline constexpr std::string_view kStopOfAll = "stopped";
inline constexpr std::string_view kStoppedEnding = ".stopped";
inline constexpr std::string_view kPausedEnding = ".paused";

/// RFC 3339, UTC, milliseconds.
[[nodiscard]] std::string utc_now_text();
[[nodiscard]] std::string utc_text(std::int64_t seconds, std::int64_t nanoseconds);

/// What a switch's file holds: one line of JSON. `reason`: ASCII without quotes or backslashes.
[[nodiscard]] std::string switch_text(std::string_view reason, std::string_view since);

enum class WireState : std::uint8_t { Open, Paused, Stopped };

/// Why, in a word for the log and the front; each is of static storage.
inline constexpr std::string_view kByRefusals = "refusals";
inline constexpr std::string_view kByTargets = "targets";
inline constexpr std::string_view kByMetadata = "metadata";
inline constexpr std::string_view kByQuestions = "questions";
inline constexpr std::string_view kByFile = "paused";       ///< another wire of the name, or an earlier run, was paused
inline constexpr std::string_view kByStop = "stopped";      ///< the name's own stop
inline constexpr std::string_view kByStopOfAll = "all";
inline constexpr std::string_view kByFault = "unreadable";  ///< a switch can't be looked at, or is no plain file of the person's

/// What the front is told beside.
inline constexpr std::string_view kResumed = "resume";
inline constexpr std::string_view kUnwritten = "unwritten";  ///< a pause could not be kept

/// The same in words for a person; of an unknown word it says no more than that.
[[nodiscard]] std::string words_of_closing(std::string_view word);
/// The command that opens the wire again.
[[nodiscard]] std::string mend_of_closing(std::string_view word, std::string_view name);

/// The switches of one wire.
class SwitchFiles {
 public:
  struct Look {
    WireState state = WireState::Open;
    std::string_view word;  ///< of the above
  };

  /// errors: names the folder that can't be opened
  static Result<SwitchFiles> open(const std::string& folder, std::string_view name);
  SwitchFiles(SwitchFiles&&) noexcept = default;

  /// Fails closed: what can't be told counts as stopped.
  [[nodiscard]] Look look() const noexcept;
  /// Whole, by rename. On a full disk it may hold a part of the text, or none. False: it could not be put there at all.
  [[nodiscard]] bool pause(std::string_view reason, std::string_view run) const;

 private:
  enum class Found : std::uint8_t { Nothing, File, Fault };

  SwitchFiles(std::string folder, UniqueFd fd, std::string_view name);
  [[nodiscard]] Found find(const std::string& file) const noexcept;
  [[nodiscard]] bool was_moved() const noexcept;

  std::string folder_;
  UniqueFd fd_;
  std::string stop_of_all_;
  std::string stopped_;
  std::string paused_;
};

}  // namespace lnk::host
